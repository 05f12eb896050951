package import Bytes
import Crypto
package import Platform

/// The folder of a book: its paths, `book.json` as last read, and the keys of this device.
package final class BookFolder {
  package let layout: Layout
  package let machine: Machine

  package internal(set) var file: BookFile
  /// Whether the book is joining the book that it syncs with, whose id it then adopts.
  var isJoining = false
  /// The mark of this machine; nil until it is looked up.
  private var knownMark: UniqueID?
  package let progress = ProgressReporter()

  /// Reads `book.json` in a folder.
  init(at folder: Path, on machine: Machine) throws(DaybookError) {
    layout = Layout(folder: folder)
    self.machine = machine
    file = try Self.readFile(layout, on: machine.disk)
  }

  private static func readFile(
    _ layout: Layout, on disk: any Disk
  ) throws(DaybookError) -> BookFile {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: layout.bookFile, limit: 1 << 20)
    } catch {
      guard error.reason == .notFound || error.reason == .notADirectory else { throw .disk(error) }
      guard try isEmpty(layout, on: disk) else { throw .notABook(layout.folder, nil) }
      throw .noBook(layout.folder)
    }
    do throws(BookFileError) {
      return try BookFile(parsing: bytes)
    } catch {
      throw .notABook(layout.folder, error)
    }
  }

  /// Whether a folder contains nothing beyond what an interrupted founding leaves behind.
  private static func isEmpty(_ layout: Layout, on disk: any Disk) throws(DaybookError) -> Bool {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      guard let status = try disk.status(layout.folder) else { return true }
      guard status.kind == .directory else { return false }
      let names = try disk.list(layout.folder)
      let isBegun = names.allSatisfy { name in
        name == layout.keys.name || name == layout.bookFile.draft.name
      }
      guard isBegun else { return false }
      // A key exists only if there was a book.
      return names.contains(layout.keys.name) ? try disk.list(layout.keys).isEmpty : true
    }
  }

  /// The mark that identifies this machine in `book.json`, looked up once.
  func mark() throws(DaybookError) -> UniqueID {
    if let knownMark { return knownMark }
    let mark = try Self.mark(of: machine)
    knownMark = mark
    return mark
  }

  /// The log that this machine writes, according to `book.json`.
  func writtenLog() throws(DaybookError) -> UniqueID? { file.writers[try mark()] }

  /// The log that this machine writes or, if there is none, the log that it most recently abandoned.
  func lastWrittenLog() throws(DaybookError) -> UniqueID? {
    let mark = try mark()
    return file.writers[mark] ?? file.left[mark]?.log
  }

  /// The log that this machine writes, and the log that it most recently abandoned.
  func writtenLogs() throws(DaybookError) -> Set<UniqueID> {
    let mark = try mark()
    return Set([file.writers[mark], file.left[mark]?.log].compactMap(\.self))
  }

  package static func mark(of machine: Machine) throws(DaybookError) -> UniqueID {
    let name = Array("daybook machine v1".utf8)
    let identity: [UInt8]
    do throws(DiskError) {
      identity = try machine.disk.contents(of: Path("/etc/machine-id"), limit: 4096)
    } catch {
      guard error.reason == .notFound else { throw .disk(error) }
      // All machines without an identity share one mark, which differs from that of every machine with an identity.
      identity = []
    }
    return SHA256.digest(of: name + identity.prefix { $0 != 0x0a }).prefix16
  }

  /// Reads `book.json` again, to include the changes of other processes.
  func reloadFile() throws(DaybookError) { file = try Self.readFile(layout, on: machine.disk) }

  /// Writes `book.json`.
  ///
  /// The caller must hold the lock.
  ///
  /// Without the lock, changes of another process could be lost.
  func saveFile() throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.replace(layout.bookFile, with: file.bytes)
    }
  }

  /// The current time, in milliseconds since 1970.
  var now: Int64 { machine.timekeeper.now().milliseconds }

  /// Whether the clock seems to have been set.
  ///
  /// The program did not exist before 2026.
  var isClockSet: Bool { now >= Self.earliestClock }

  /// 2026-01-01 in milliseconds.
  private static let earliestClock: Int64 = 1_767_225_600_000
}

// MARK: - Keys

extension BookFolder {
  /// Stores the keys of a log of this device.
  func keep(_ keys: DeviceKeys, of replica: UniqueID) throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.makeDirectories(layout.keys)
      try machine.disk.replace(layout.key(of: replica), with: Array(keys.pem.utf8))
    }
  }

  /// The stored keys of a log of this device, or nil if there are none.
  ///
  /// The key objects for signing are created only when needed, because that takes half the time of a command.
  func keptKeys(of replica: UniqueID) throws(DaybookError) -> KeptKeys? {
    let path = layout.key(of: replica)
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try machine.disk.contents(of: path, limit: 1 << 16)
    } catch {
      if error.reason == .notFound { return nil }
      throw .disk(error)
    }
    return try wrap({ DaybookError.keys(path, $0) }) { () throws(CryptoError) in
      try KeptKeys(pem: String(decoding: bytes, as: UTF8.self))
    }
  }

  func newKeys() throws(DaybookError) -> DeviceKeys {
    let dice = machine.dice
    return try wrap({ [layout] in DaybookError.keys(layout.keys, $0) }) { () throws(CryptoError) in
      try DeviceKeys(signingSeed: dice.bytes(32), agreementSeed: dice.bytes(32))
    }
  }
}
