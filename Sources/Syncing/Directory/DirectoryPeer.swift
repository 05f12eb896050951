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
/// Nothing in it is believed: it may be half copied, old, or made by an enemy, and no link in it is
/// followed. Files in it are never changed, and removed only where others hold the same
/// (``mayReplace(_:by:)``). Its files are `<book>/<replica>/<first>-<last>-<digest>.gz`. A draft
/// that a crash left stays, since whoever writes it may be slow.
package struct DirectoryPeer {
  let folder: Path
  /// The machine, with no more of its disk than the folder.
  let machine: Machine
  /// The whole disk, for the folder itself.
  private let surroundings: any Disk
  /// Files that were found sound, and as they looked then.
  var sound: [Path: (status: FileStatus, file: SoundFile)] = [:]

  var disk: any Disk { machine.disk }

  /// Takes a folder that is there: one that is missing may be a stick that is not plugged in.
  package init(at folder: Path, on machine: Machine) throws(SyncError) {
    self.folder = folder
    surroundings = machine.disk
    self.machine = Machine(
      disk: machine.disk.confined(to: folder), timekeeper: machine.timekeeper, dice: machine.dice,
      network: machine.network, beside: machine.beside)
    let isThere = try onDisk { () throws(DiskError) in try machine.disk.status(folder) != nil }
    guard isThere else { throw .noFolder(folder) }
    let mark = try onDisk { () throws(DiskError) in try machine.disk.status(folder / "book.json") }
    guard mark == nil else { throw .isABook(folder) }
  }

  /// The books that have files in it, in order.
  package func books() throws(SyncError) -> [UniqueID] {
    var books: [UniqueID] = []
    for book in try directories(in: folder).names.map(\.id) where books.last != book {
      books.append(book)
    }
    return books
  }

  /// The one book there is, for a device that joins.
  package func onlyBook() throws(SyncError) -> UniqueID {
    let books = try books()
    guard let book = books.first else { throw .noBook }
    guard books.count == 1 else { throw .severalBooks(books) }
    return book
  }

  /// Where the files of a replica are to be written.
  func folder(of replica: UniqueID, of book: UniqueID) -> Path { folder / book.hex / replica.hex }

  /// Makes the directory that the files of a replica are to be written in.
  func makeFolder(of replica: UniqueID, of book: UniqueID) throws(DiskError) -> Path {
    let place = folder(of: replica, of: book)
    // It may have been unplugged by now, and nothing is to lie in its place.
    guard try surroundings.status(folder) != nil else {
      throw DiskError(.makeDirectory, folder, .notFound)
    }
    try disk.makeDirectories(place)
    return place
  }
}

// MARK: What is there

extension DirectoryPeer {
  /// A directory that is named as an id is, by capital letters, too, as sticks and programs write them.
  struct Named {
    var id: UniqueID
    var path: Path
  }

  /// The directories that are named as an id is, in order; and whether there were too many entries to look at.
  func directories(in folder: Path) throws(SyncError) -> (names: [Named], isTooMuch: Bool) {
    guard let names = try names(in: folder) else { return ([], true) }
    var found: [Named] = []
    for name in names {
      guard let id = UniqueID(hex: name.lowercased()) else { continue }
      // A link could lead anywhere.
      if try isDirectory(folder / name) { found.append(Named(id: id, path: folder / name)) }
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, false)
  }

  /// Where files of a book's replicas are, in the order of these.
  func replicas(of book: UniqueID) throws(SyncError) -> (names: [Named], isTooMuch: Bool) {
    var (found, isTooMuch): ([Named], Bool) = ([], false)
    for place in try directories(in: folder).names where place.id == book {
      let replicas = try directories(in: place.path)
      found += replicas.names
      isTooMuch = isTooMuch || replicas.isTooMuch
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, isTooMuch)
  }

  /// The files in a directory that are named as they should be, in the order of their events.
  ///
  /// - Returns: Nil where there are more entries than anybody looks at.
  func files(in folder: Path) throws(SyncError) -> [DirectoryName]? {
    guard try isDirectory(folder) else { return [] }
    return try names(in: folder)?.compactMap { DirectoryName($0) }.sorted()
  }

  /// Which events of a replica somebody says are lost.
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

  /// The names in a directory; nil where there are more of them than anybody looks at.
  private func names(in folder: Path) throws(SyncError) -> [String]? {
    do throws(DiskError) {
      return try disk.list(folder, atMost: Limit.directoryEntries)
    } catch {
      // It may not be there yet, or another program may just have taken it away.
      if error.reason == .notFound || error.isAboutStrangeThings { return [] }
      throw .disk(error)
    }
  }
}

extension DiskError {
  /// Whether something else is there than should be, which others may put into a folder at any time.
  var isAboutStrangeThings: Bool {
    [.link, .outside, .notADirectory, .isADirectory, .invalid].contains(reason)
  }
}
