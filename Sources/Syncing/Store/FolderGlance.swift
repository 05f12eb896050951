package import Bytes
package import Platform

/// The state of a folder in which devices leave files for each other, as its names and permissions show it.
///
/// No file is read, written or changed, so damage and most failures of a disk remain unnoticed.
package struct FolderGlance: Hashable, Sendable {
  /// What the folder contains.
  package enum Content: Hashable, Sendable {
    /// Events of the book, or objects of the store.
    case present
    /// Nothing of the book, but directories of books or stores.
    case others
    /// Nothing of any book; for a store, no object of this store.
    case nothing
  }

  package let content: Content
  /// The directory in which this device may not write the files of the next sync, and the reason; nil if no reason is
  /// known.
  package let refusal: DiskError?

  /// Looks at a folder with readable files.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - book: The book whose files are expected.
  ///   - replica: The log of this device; nil if it has none.
  ///   - machine: The machine.
  /// - Throws: ``SyncError/noFolder(_:)`` if the folder is missing, or another ``SyncError`` if it cannot be read.
  package init(
    at folder: Path, of book: UniqueID, for replica: UniqueID?, on machine: Machine
  ) throws(SyncError) {
    let files = try FolderFiles(in: folder, on: machine)
    let (found, isTooMuch) = try files.directories(in: folder)
    var (own, hasEvents) = ([Path](), isTooMuch)
    let books = found.filter { $0.id == book }.map(\.path)
    for path in books {
      for (id, directory) in try files.directories(in: path).names {
        if id == replica { own.append(directory) }
        if hasEvents { continue }
        // A directory with too many names to read is not empty.
        hasEvents = try files.names(in: directory)?.contains { DirectoryName($0) != nil } ?? true
      }
    }
    content = hasEvents ? .present : found.isEmpty ? .nothing : .others
    // If this device has a directory, it need not create one.
    refusal = try files.refusalToWrite(in: own.first ?? books.first ?? folder)
  }

  /// Looks at a sealed store in a folder.
  ///
  /// - Parameters:
  ///   - store: The id of the store.
  ///   - folder: The folder.
  ///   - machine: The machine.
  /// - Throws: ``SyncError/noFolder(_:)`` if the folder is missing, or another ``SyncError`` if it cannot be read.
  package init(
    atStore store: UniqueID, in folder: Path, on machine: Machine
  ) throws(SyncError) {
    let files = try FolderFiles(in: folder, on: machine)
    let directory = try files.directory(named: store)
    let names = try files.names(in: directory)
    // Some file systems write names in capitals.
    let isStore = names.map { SealedListing.isStore($0.map { $0.lowercased() }) } ?? true
    content = isStore ? .present : .nothing
    refusal = try files.refusalToWrite(in: try files.isDirectory(directory) ? directory : folder)
  }
}
