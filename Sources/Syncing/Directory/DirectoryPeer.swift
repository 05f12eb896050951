package import Bytes
import Journaling
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
/// A file is never changed, and is removed only if another file contains the same events (``mayReplace(_:by:)``). The
/// files are named `<book>/<replica>/<first>-<last>-<digest>.gz`. Drafts that a crash left are not removed, because
/// their writer may just be slow.
package struct DirectoryPeer {
  let folder: Path
  /// The machine, with its disk confined to the folder.
  let machine: Machine
  /// The disk without confinement, for the folder itself.
  private let surroundings: any Disk
  /// Files that were found valid, with their status at that time.
  var sound: [Path: (status: FileStatus, file: SoundFile)] = [:]

  var disk: any Disk { machine.disk }

  /// Opens an existing folder.
  ///
  /// A missing folder is not created, because it may be on a stick that is not plugged in.
  package init(at folder: Path, on machine: Machine) throws(SyncError) {
    self.folder = folder
    surroundings = machine.disk
    self.machine = Machine(
      disk: machine.disk.confined(to: folder), timekeeper: machine.timekeeper, dice: machine.dice,
      network: machine.network, beside: machine.beside)
    let isThere = try onDisk { () throws(DiskError) in try machine.disk.status(folder) != nil }
    guard isThere else { throw .noFolder(folder) }
    if Self.isBook(folder, on: disk) { throw .isABook(folder) }
  }

  /// Whether a folder is a book.
  ///
  /// A `book.json` file alone does not make it one, because other programs and exports also write files of this name.
  private static func isBook(_ folder: Path, on disk: any Disk) -> Bool {
    guard (try? disk.status(folder / LogShelf.logs.rawValue))??.kind == .directory,
      let bytes = try? disk.contents(of: folder / "book.json", limit: 1 << 20),
      let json = try? JSON(parsing: bytes), json["format"]?.integer != nil,
      let book = json["book"]?.string
    else { return false }
    return UniqueID(hex: book) != nil
  }

  /// The books that have files in the folder, in order.
  package func books() throws(SyncError) -> [UniqueID] {
    var books: [UniqueID] = []
    for book in try directories(in: folder).names.map(\.id) where books.last != book {
      books.append(book)
    }
    return books
  }

  /// The only book in the folder, for a device that joins.
  package func onlyBook() throws(SyncError) -> UniqueID {
    let books = try books()
    guard let book = books.first else { throw .noBook }
    guard books.count == 1 else { throw .severalBooks(books) }
    return book
  }

  /// The folder for new files of the given replica.
  func folder(of replica: UniqueID, of book: UniqueID) -> Path { folder / book.hex / replica.hex }

  /// Creates the folder for new files of a replica.
  func makeFolder(of replica: UniqueID, of book: UniqueID) throws(DiskError) -> Path {
    let place = folder(of: replica, of: book)
    // If the stick was unplugged, nothing must be written to its mount point.
    guard try surroundings.status(folder) != nil else {
      throw DiskError(.makeDirectory, folder, .notFound)
    }
    try disk.makeDirectories(place)
    return place
  }
}

// MARK: Reading

extension DirectoryPeer {
  /// A directory whose name is an id.
  ///
  /// Some file systems write the name in capitals.
  struct Named {
    var id: UniqueID
    var path: Path
  }

  /// The directories whose names are ids, in order, and whether there were too many entries to read.
  func directories(in folder: Path) throws(SyncError) -> (names: [Named], isTooMuch: Bool) {
    guard let names = try names(in: folder) else { return ([], true) }
    var found: [Named] = []
    for name in names {
      guard let id = UniqueID(hex: name.lowercased()) else { continue }
      // A link could lead anywhere, so links are not followed.
      if try isDirectory(folder / name) { found.append(Named(id: id, path: folder / name)) }
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, false)
  }

  /// The directories of the replicas of a book, in order.
  func replicas(of book: UniqueID) throws(SyncError) -> (names: [Named], isTooMuch: Bool) {
    var (found, isTooMuch): ([Named], Bool) = ([], false)
    for place in try directories(in: folder).names where place.id == book {
      let replicas = try directories(in: place.path)
      found += replicas.names
      isTooMuch = isTooMuch || replicas.isTooMuch
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, isTooMuch)
  }

  /// The files with valid names in a directory, in the order of their events.
  ///
  /// - Returns: The names, or nil if there are too many entries.
  func files(in folder: Path) throws(SyncError) -> [DirectoryName]? {
    guard try isDirectory(folder) else { return [] }
    return try names(in: folder)?.compactMap { DirectoryName($0) }.sorted()
  }

  /// The replica's events that are listed as lost.
  func losses(in folder: Path) throws(SyncError) -> [LossName] {
    guard try isDirectory(folder) else { return [] }
    return (try names(in: folder) ?? []).compactMap { LossName($0) }
  }

  private func isDirectory(_ path: Path) throws(SyncError) -> Bool {
    do throws(DiskError) {
      return try disk.status(path)?.kind == .directory
    } catch {
      guard error.isAboutStrangeThings else { throw .disk(error) }
      return false
    }
  }

  /// The names in a directory; nil if there are too many.
  private func names(in folder: Path) throws(SyncError) -> [String]? {
    do throws(DiskError) {
      return try disk.list(folder, atMost: Limit.directoryEntries)
    } catch {
      // The directory may not exist yet, or another program may just have removed it.
      if error.reason == .notFound || error.isAboutStrangeThings { return [] }
      throw .disk(error)
    }
  }
}

extension DiskError {
  /// Whether the cause is an unexpected entry, which other programs can put into a folder at any time.
  var isAboutStrangeThings: Bool {
    [.link, .outside, .notADirectory, .isADirectory, .invalid].contains(reason)
  }
}
