package import Bytes
package import Platform

/// The result of a sync with a directory.
package struct DirectoryReport: Hashable, Sendable {
  /// The number of events written to the directory, by log.
  package var sent: [UniqueID: UInt64]
  /// The number of events received and stored, by log.
  package var received: [UniqueID: UInt64]
  package var problems: [SyncProblem]

  package init(
    sent: [UniqueID: UInt64] = [:], received: [UniqueID: UInt64] = [:],
    problems: [SyncProblem] = []
  ) {
    (self.sent, self.received, self.problems) = (sent, received, problems)
  }
}

/// A folder in which devices leave files for each other, for example on a USB stick or in a synced folder.
///
/// Nothing in the folder is trusted: files may be incomplete, old, or made by an attacker, and links are not followed.
/// A file is never changed, and is removed only if another file contains the same events (``mayReplace(_:by:)``).
package struct DirectoryPeer {
  private let store: any ObjectStore
  /// The files that were found sound so far.
  private var memory = ObjectMemory()

  /// Opens an existing folder.
  ///
  /// A missing folder is not created, because it may be on a stick that is not plugged in.
  package init(at folder: Path, on machine: Machine) throws(SyncError) {
    store = try FolderStore(at: folder, on: machine)
  }

  /// The books that have files in the folder, in order.
  package func books() throws(SyncError) -> [UniqueID] { try store.books() }

  /// The only book in the folder, for a device that joins.
  package func onlyBook() throws(SyncError) -> UniqueID {
    let books = try books()
    guard let book = books.first else { throw .noBook }
    guard books.count == 1 else { throw .severalBooks(books) }
    return book
  }

  /// Examines a book without storing anything, so that the user can tell which book it is.
  ///
  /// Only the founder is proved, by the event that gave the book its id.
  package func survey(_ book: UniqueID) throws(SyncError) -> DirectoryBook {
    try DirectorySurveyor(store: store, book: book).survey()
  }

  /// The events of each replica, according to the names of a book's files.
  ///
  /// The claims are not proved.
  package func claims(of book: UniqueID) throws(SyncError) -> [UniqueID: [ClosedRange<UInt64>]] {
    try DirectorySurveyor(store: store, book: book).claims()
  }

  /// Stores the events of a book that the directory has and the device lacks.
  ///
  /// This is the store's book, or the one that the device joins.
  package mutating func pull(
    _ book: UniqueID, into holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    try reading(as: holder) { (reader) throws(SyncError) in
      var puller = DirectoryPuller(reader)
      return try puller.pull(book)
    }
  }

  /// Writes the events that the directory lacks into new files.
  ///
  /// Superfluous files are then removed if that is safe. If the folder cannot be written, this is reported as a
  /// problem, and the rest of the sync still counts.
  package mutating func push(
    from holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    guard let book = holder.hello.book else { throw .noBook }
    return try reading(as: holder) { (reader) throws(SyncError) in
      try DirectoryPusher(reader: reader, book: book).push()
    }
  }

  private mutating func reading(
    as holder: any Holder, _ body: (ObjectReader) throws(SyncError) -> DirectoryReport
  ) throws(SyncError) -> DirectoryReport {
    let reader = ObjectReader(of: store, as: holder, remembering: memory)
    defer { memory = reader.memory }
    return try body(reader)
  }
}
