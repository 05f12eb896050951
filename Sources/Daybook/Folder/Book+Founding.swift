import Bytes
import Crypto
import Journaling
package import Platform
package import ReadModel

extension Book {
  /// Makes a new book in an empty or missing folder, with its first event.
  package static func create(
    at folder: Path, on machine: Machine, deviceName: String, view place: ReadModel.Place? = nil,
    witness: Path? = nil
  ) throws(DaybookError) -> Book {
    let book = try lay(out: folder, on: machine, deviceName: deviceName, view: place)
    book.witness = witness
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
      book.rememberTrust()
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

  /// The private keys of a log of this device, or nil when they are not here.
  func keys(of replica: UniqueID) throws(DaybookError) -> DeviceKeys? {
    guard let kept = try keptKeys(of: replica) else { return nil }
    let keys = try wrap({ [layout] in DaybookError.keys(layout.key(of: replica), $0) }) {
      () throws(CryptoError) in try kept.made()
    }
    try check(keys, of: replica)
    return keys
  }

  /// The same, for who may have nothing to sign.
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

  /// The keys of this device, which its next incarnation takes over; new ones if it has none.
  func deviceKeys() throws(DaybookError) -> DeviceKeys {
    let mark = try mark()
    let own = [file.writers[mark], file.left[mark]?.log].compactMap(\.self)
    // A book that was copied here has the keys of the device it was copied from.
    let others = file.writers.values.sorted() + file.left.values.map(\.log).sorted()
    for replica in own + others {
      if let keys = try self.keys(of: replica) { return keys }
    }
    if let keys = try keysInWaiting() { return keys }
    return try newKeys()
  }

  func newKeys() throws(DaybookError) -> DeviceKeys {
    let dice = machine.dice
    return try wrap({ [layout] in DaybookError.keys(layout.keys, $0) }) { () throws(CryptoError) in
      try DeviceKeys(signingSeed: dice.bytes(32), agreementSeed: dice.bytes(32))
    }
  }
}
