package import Bytes
package import Platform

/// A folder in which devices leave files for each other, for example on a USB stick or in a synced folder.
///
/// Nothing in the folder is trusted: files may be incomplete, old, or made by an attacker, and links are not followed.
/// A file is never changed, and is removed only if another file contains the same events (``mayReplace(_:by:)``).
package struct DirectoryPeer {
  private let store: FolderStore
  private var exchange: StoreExchange

  /// Opens an existing folder.
  ///
  /// A missing folder is not created, because it may be on a stick that is not plugged in.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - machine: The machine.
  ///   - memory: The file in which this device remembers which files of the folder it has read; nil to read all of
  ///     them.
  /// - Throws: An error if the folder is missing or is a book.
  package init(
    at folder: Path, on machine: Machine, remembering memory: Path? = nil
  ) throws(SyncError) {
    store = try FolderStore(at: folder, on: machine)
    exchange = StoreExchange(with: folder, remembering: memory, on: machine)
  }

  /// Records which files have been read and found valid, so that the next sync does not read them again.
  ///
  /// If this fails, the next sync reads the folder again.
  package func saveMemory() { exchange.saveMemory() }

  /// The books that have files in the folder, in order.
  package func books() throws(SyncError) -> [UniqueID] { try store.books() }

  /// Examines a book without storing any of its events, so that the user can see which book it is.
  ///
  /// Only the founder's identity is proved, by the event that gave the book its id.
  package func survey(_ book: UniqueID) throws(SyncError) -> DirectoryBook {
    try DirectorySurveyor(store: store, book: book).survey()
  }

  /// The events of each replica, according to the names of a book's files.
  ///
  /// The claims are not proved.
  package func claims(of book: UniqueID) throws(SyncError) -> [UniqueID: [ClosedRange<UInt64>]] {
    try DirectorySurveyor(store: store, book: book).claims()
  }

  /// Stores the events of a book that the directory contains and the device lacks.
  ///
  /// The book is the one that the device holds or is joining.
  package mutating func pull(
    _ book: UniqueID, into holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    try exchange.pull(book, from: store, into: holder)
  }

  /// Writes the events that the directory lacks into new files.
  ///
  /// Superfluous files are then removed if that is safe. If the folder cannot be written to, a problem is reported, and
  /// the rest of the sync is still valid.
  package mutating func push(
    from holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    guard let book = holder.hello.book else { throw .noBook }
    return try exchange.push(book, to: store, from: holder)
  }
}
