import Platform
import Sealing

/// The file `keys/store.keys` with the store keys of this device.
struct StoreKeyFile {
  let store: LogStore

  private var path: Path { store.layout.storeKeys }
  private var disk: any Disk { store.machine.disk }

  /// Returns the store keys of the book; none if there is no file.
  ///
  /// - Throws: ``DaybookError/storeKeys(_:_:)`` if the file is damaged. It is left as it is, because its keys may exist
  ///   nowhere else.
  func ring() throws(DaybookError) -> KeyRing {
    guard let stored = try storedRing(), !isOfFormerBook(stored) else {
      return KeyRing(book: store.file.book)
    }
    guard stored.book == store.file.book else { throw .storeKeys(path, .otherBook(stored.book)) }
    return stored
  }

  /// Writes the store keys of the book, and keeps those of a former book in a file of their own.
  ///
  /// The caller must hold the lock, and must have read the file under it.
  func write(_ ring: KeyRing) throws(DaybookError) {
    try store.refuseUnwritableJournal()
    let former = try storedRing().flatMap { isOfFormerBook($0) ? $0.book : nil }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.makeDirectories(store.layout.keys)
      if let former { try disk.rename(path, to: store.layout.storeKeys(ofFormer: former)) }
      try disk.replace(path, with: ring.bytes)
    }
  }

  /// Whether the keys are from before the book was joined to another or founded anew.
  private func isOfFormerBook(_ ring: KeyRing) -> Bool {
    ring.book != store.file.book && store.file.formerly.contains(ring.book)
  }

  private func storedRing() throws(DaybookError) -> KeyRing? {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: path, limit: KeyRing.byteLimit)
    } catch {
      switch error.reason {
      case .notFound: return nil
      case .tooLarge: throw .storeKeys(path, .tooLong(KeyRing.byteLimit + 1))
      default: throw .disk(error)
      }
    }
    return try wrap({ [path] in DaybookError.storeKeys(path, $0) }) { () throws(StoreKeyError) in
      try KeyRing(decoding: bytes)
    }
  }
}
