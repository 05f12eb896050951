import Bytes
import Crypto
import Journaling
package import Platform
package import ReadModel

extension Book {
  /// Makes a new book in an empty or missing folder, with its first event.
  package static func create(
    at folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place? = nil
  ) throws(DaybookError) -> Book {
    let book = try lay(out: folder, on: machine, deviceName: deviceName, view: place)
    try book.withLock { () throws(DaybookError) in
      // Another process may have been founding one, too.
      guard book.file.book == .none else { throw .bookExists(folder) }
      let own = try book.ownLogForWriting()
      let first = try wrap(DaybookError.journal) { () throws(JournalError) in
        try book.journal.hash(of: own, at: 1)
      }
      guard let first else { throw .journal(.damaged(own)) }
      book.file.book = .book(firstHash: first)
      try book.saveFile()
    }
    return book
  }

  /// Makes the folder and files of a book that has no events yet.
  static func lay(
    out folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place?
  ) throws(DaybookError) -> Book {
    let layout = Layout(folder: folder)
    let disk = machine.disk
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.makeDirectories(folder)
    }
    let status = try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.status(layout.bookFile)
    }
    if status == nil {
      let file = BookFile(book: .none, device: deviceName)
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try disk.makeDirectories(layout.keys)
        try disk.replace(layout.bookFile, with: file.bytes)
      }
    }
    // One that was begun and never finished is taken up where it was left.
    let book = try Book(unfinishedAt: folder, on: machine, view: place)
    guard book.file.book == .none else { throw .bookExists(folder) }
    return book
  }

  /// The log this machine writes, if it has begun one.
  var ownLog: UniqueID? {
    get throws(DaybookError) {
      guard let replica = file.writers[try Self.mark(of: machine)] else { return nil }
      return journal.logs[replica] == nil ? nil : replica
    }
  }

  /// The log this machine writes, begun now if need be.
  func ownLogForWriting() throws(DaybookError) -> UniqueID {
    // After damage at its end nothing may follow; the device goes on in a new incarnation.
    if let log = try ownLog, journal.isSound(log) { return log }
    return try beginLog()
  }

  /// Goes on in a new incarnation when the end of the own log is damaged.
  ///
  /// Recovery cuts the damage off, and others may hold the events that stood there: to write others in their
  /// place would fork the log. Once nobody writes it here, they can come back from there.
  func leaveDamagedLog() throws(DaybookError) {
    guard let log = try ownLog else { return }
    let isDamaged = try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.endsInDamage(log)
    }
    let end = journal.logs[log]?.sequence ?? 0
    if isDamaged { _ = try beginLog() } else if try knownEnd(of: log) > end { _ = try beginLog() }
  }

  /// How far the own log is known to have been durable, by what lies beside it.
  private func knownEnd(of log: UniqueID) throws(DaybookError) -> UInt64 {
    var known = witnessed[log, default: 0]
    for peer in try peers().peers.values { known = max(known, peer.frontier[log, default: 0]) }
    return known
  }

  /// Begins a log: a new incarnation of the device's key, or of a new key if it has none yet.
  ///
  /// The writer is noted only after its first event is durable; until then nothing refers to it.
  private func beginLog() throws(DaybookError) -> UniqueID {
    let replica = try beginLog(of: try deviceKeys())
    file.writers[try Self.mark(of: machine)] = replica
    try saveFile()
    return replica
  }

  /// Begins a log of the holder of the keys, which nobody is noted to write yet.
  func beginLog(of keys: DeviceKeys) throws(DaybookError) -> UniqueID {
    let incarnation = UniqueID(machine.dice.bytes(16))
    let replica = UniqueID.replica(publicKey: keys.signing.publicKey, incarnation: incarnation)
    try keep(keys, of: replica)
    return try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.begin(keys, incarnation: incarnation, name: file.device, at: now)
    }
  }

  /// Writes down the keys of a log of this device.
  func keep(_ keys: DeviceKeys, of replica: UniqueID) throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.makeDirectories(layout.keys)
      try machine.disk.replace(layout.key(of: replica), with: Array(keys.pem.utf8))
    }
  }

  /// The keys of this device, which its next incarnation takes over; new ones if it has none.
  ///
  /// Another machine that has used the folder may have taken a new key, so the own ones come first.
  private func deviceKeys() throws(DaybookError) -> DeviceKeys {
    let own = file.writers[try Self.mark(of: machine)]
    for replica in [own].compactMap({ $0 }) + file.writers.values.sorted() {
      if let keys = try self.keys(of: replica) { return keys }
    }
    return try newKeys()
  }

  /// The private keys of a log of this device, or nil when they are not here.
  func keys(of replica: UniqueID) throws(DaybookError) -> DeviceKeys? {
    let path = layout.key(of: replica)
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try machine.disk.contents(of: path, limit: 1 << 16)
    } catch {
      if error.reason == .notFound { return nil }
      throw .disk(error)
    }
    return try wrap({ DaybookError.keys(path, $0) }) { () throws(CryptoError) in
      try DeviceKeys(pem: String(decoding: bytes, as: UTF8.self))
    }
  }

  func newKeys() throws(DaybookError) -> DeviceKeys {
    let dice = machine.dice
    return try wrap({ [layout] in DaybookError.keys(layout.keys, $0) }) { () throws(CryptoError) in
      try DeviceKeys(signingSeed: dice.bytes(32), agreementSeed: dice.bytes(32))
    }
  }
}
