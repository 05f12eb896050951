package import Bytes
import Journaling
package import Platform

/// What a sync with a directory came to.
package struct DirectoryReport: Hashable, Sendable {
  /// Events of each log that were left in the directory.
  package var sent: [UniqueID: UInt64]
  /// Events of each log that were taken and are on the disk.
  package var received: [UniqueID: UInt64]
  package var problems: [SyncProblem]

  package init(
    sent: [UniqueID: UInt64] = [:], received: [UniqueID: UInt64] = [:],
    problems: [SyncProblem] = []
  ) {
    (self.sent, self.received, self.problems) = (sent, received, problems)
  }
}

/// A folder, on a stick or shared by some program, where holders leave files for each other.
///
/// Nothing in it is believed: it may be half copied, old, or made by an enemy. Files in it are
/// never changed, and removed only where others hold the same (``mayReplace(_:by:)``). Its files are
/// `<book>/<replica>/<first>-<last>-<digest>.gz`. A draft that a crash left stays, since whoever
/// writes it may be slow.
package struct DirectoryPeer {
  let folder: Path
  let machine: Machine
  /// Files that were found sound, and as they looked then.
  var sound: [Path: (status: FileStatus, file: SoundFile)] = [:]

  var disk: any Disk { machine.disk }

  /// Takes a folder, which need not be there yet.
  package init(at folder: Path, on machine: Machine) throws(SyncError) {
    self.folder = folder
    self.machine = machine
    let mark = try onDisk { () throws(DiskError) in try machine.disk.status(folder / "book.json") }
    guard mark == nil else { throw .isABook(folder) }
  }

  /// The books that have files in it, in order.
  package func books() throws(SyncError) -> [UniqueID] {
    try directories(in: folder)
  }

  /// The one book there is, for a device that joins.
  package func onlyBook() throws(SyncError) -> UniqueID {
    let books = try books()
    guard let book = books.first else { throw .noBook }
    guard books.count == 1 else { throw .severalBooks(books) }
    return book
  }

  /// The directories that are named as an id is, in order.
  func directories(in folder: Path) throws(SyncError) -> [UniqueID] {
    var found: [UniqueID] = []
    for name in try names(in: folder) {
      guard let id = UniqueID(hex: name) else { continue }
      let status = try onDisk { () throws(DiskError) in try disk.status(folder / name) }
      // A link could lead anywhere.
      if status?.kind == .directory { found.append(id) }
    }
    return found
  }

  /// The files that are named as they should be, in the order of their events.
  func files(of log: UniqueID, of book: UniqueID) throws(SyncError) -> [DirectoryName] {
    let folder = folder(of: log, of: book)
    let status = try onDisk { () throws(DiskError) in try disk.status(folder) }
    guard status?.kind == .directory else { return [] }
    return try names(in: folder).compactMap { DirectoryName($0) }.sorted()
  }

  func folder(of log: UniqueID, of book: UniqueID) -> Path { folder / book.hex / log.hex }

  private func names(in folder: Path) throws(SyncError) -> ArraySlice<String> {
    do throws(DiskError) {
      return try disk.list(folder).prefix(Limit.directoryEntries)
    } catch {
      // It may not be there yet, or another program may just have taken it away.
      if error.reason == .notFound { return [] }
      throw .disk(error)
    }
  }
}
