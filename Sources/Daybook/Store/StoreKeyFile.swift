import Bytes
import Platform
import Sealing

/// The file with the store keys that this device has for its book.
///
/// Each book has its own file, so the keys of a former book are kept, and are available again if the device returns to
/// that book.
struct StoreKeyFile {
  let store: LogStore
  /// The book whose keys the file contains.
  let book: UniqueID

  /// - Parameters:
  ///   - store: The logs of this device.
  ///   - book: The book; nil for the present book.
  init(store: LogStore, of book: UniqueID? = nil) {
    (self.store, self.book) = (store, book ?? store.file.book)
  }

  private var path: Path { store.layout.storeKeys(of: book) }
  private var disk: any Disk { store.machine.disk }

  /// Returns the store keys of the book; none if there is no file.
  ///
  /// - Throws: ``DaybookError/storeKeys(_:_:)`` if the file is damaged. The file is left unchanged, because its keys
  ///   may exist nowhere else.
  func ring() throws(DaybookError) -> KeyRing {
    let (path, book) = (path, book)
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: path, limit: KeyRing.byteLimit)
    } catch {
      switch error.reason {
      case .notFound: return KeyRing(book: book)
      case .tooLarge: throw .storeKeys(path, .tooLong(KeyRing.byteLimit + 1))
      default: throw .disk(error)
      }
    }
    return try wrap({ DaybookError.storeKeys(path, $0) }) { () throws(StoreKeyError) in
      let ring = try KeyRing(decoding: bytes)
      guard ring.book == book else { throw .otherBook(ring.book) }
      return ring
    }
  }

  /// Writes the store keys of the book.
  ///
  /// The caller must hold the lock, and must have read the file while holding the lock.
  func write(_ ring: KeyRing) throws(DaybookError) {
    try store.refuseUnwritableJournal()
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try disk.makeDirectories(store.layout.keys)
      try disk.replace(path, with: ring.bytes)
    }
  }
}
