import Bytes
import Crypto
import Journaling
import Platform

/// A folder as a store, for example on a USB stick or in a synced folder.
///
/// Links are not followed. The objects are files named `<book>/<replica>/<first>-<last>-<digest>.gz`. Drafts that a
/// crash left are not removed, because their writer may just be slow.
struct FolderStore: ObjectStore {
  private let folder: Path
  /// The machine, with its disk confined to the folder.
  private let machine: Machine
  /// The disk without confinement, for the folder itself.
  private let surroundings: any Disk

  private var disk: any Disk { machine.disk }

  let frameBytes = Limit.fileBytes
  let objectBytes = Limit.fileBytes

  /// Opens an existing folder.
  ///
  /// A missing folder is not created, because it may be on a stick that is not plugged in.
  init(at folder: Path, on machine: Machine) throws(SyncError) {
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

  // MARK: Listing

  func books() throws(SyncError) -> [UniqueID] {
    var books: [UniqueID] = []
    for book in try directories(in: folder).names.map(\.id) where books.last != book {
      books.append(book)
    }
    return books
  }

  func folders(of book: UniqueID) throws(SyncError) -> ReplicaFolders {
    var found = ReplicaFolders(path: folder / book.hex)
    for place in try directories(in: folder).names where place.id == book {
      let replicas = try directories(in: place.path)
      found.folders += replicas.names.map { ReplicaFolder(replica: $0.id, path: $0.path) }
      found.isTooMuch = found.isTooMuch || replicas.isTooMuch
    }
    found.folders.sort { ($0.replica, $0.path) < ($1.replica, $1.path) }
    return found
  }

  func folder(of replica: UniqueID, of book: UniqueID) -> ReplicaFolder {
    ReplicaFolder(replica: replica, path: folder / book.hex / replica.hex)
  }

  func list(_ folder: ReplicaFolder) throws(SyncError) -> ObjectList? {
    guard try status(of: folder.path)?.kind == .directory else { return ObjectList() }
    guard let names = try names(in: folder.path) else { return nil }
    var list = ObjectList(losses: names.compactMap { LossName($0) })
    let files = names.compactMap { DirectoryName($0) }.sorted()
    for (name, status) in zip(files, try statuses(of: files.map(\.file), in: folder.path)) {
      guard let status, status.kind == .file else { continue }
      list.objects.append(StoredObject(name: name, stamp: ObjectStamp(status)))
    }
    return list
  }

  /// The directories whose names are ids, in order, and whether there were too many entries to read.
  ///
  /// Some file systems write the names in capitals.
  private func directories(
    in folder: Path
  ) throws(SyncError) -> (names: [(id: UniqueID, path: Path)], isTooMuch: Bool) {
    guard let names = try names(in: folder) else { return ([], true) }
    var found: [(id: UniqueID, path: Path)] = []
    for name in names {
      guard let id = UniqueID(hex: name.lowercased()) else { continue }
      // A link could lead anywhere, so links are not followed.
      if try status(of: folder / name)?.kind == .directory { found.append((id, folder / name)) }
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, false)
  }

  /// The status of a path; nil if nothing is there or if the path cannot be used, for example because of a link.
  private func status(of path: Path) throws(SyncError) -> FileStatus? {
    do throws(DiskError) { return try disk.status(path) } catch {
      guard error.isAboutStrangeThings else { throw .disk(error) }
      return nil
    }
  }

  /// The status of each entry of a directory; none if the directory has disappeared.
  private func statuses(
    of names: [String], in folder: Path
  ) throws(SyncError) -> [FileStatus?] {
    guard !names.isEmpty else { return [] }
    do throws(DiskError) {
      return try disk.statuses(of: names, in: folder)
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return [] }
      throw .disk(error)
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

  // MARK: Objects

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder
  ) throws(SyncError) -> Retrieved<ObjectContent> {
    let path = folder.path(of: name)
    let content = try reading(path) { () throws(DiskError) in
      try disk.contents(of: path, limit: Limit.fileBytes)
    }
    switch content {
    case .absent: return .absent
    case .unreadable(let problem): return .unreadable(problem)
    case .found(let bytes) where SHA256.digest(of: bytes).prefix16 == name.digest:
      return .found(ObjectContent(frames: bytes, stored: bytes))
    // A file with a changed name is not expected to be valid.
    case .found: return name.isPlain ? .unreadable(.wrongDigest(path)) : .absent
    }
  }

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder, bytes range: Range<Int>
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    let path = folder.path(of: name)
    return try reading(path) { () throws(DiskError) in
      let file = try OpenFile(path, .read, on: disk)
      let bytes = try file.read(at: range.lowerBound, count: range.count)
      try file.close()
      return bytes
    }
  }

  private func reading(
    _ path: Path, _ read: () throws(DiskError) -> [UInt8]
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    do throws(DiskError) {
      return .found(try read())
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return .absent }
      // A disk with one unreadable file may contain readable ones.
      if [.io, .permission, .tooLarge].contains(error.reason) {
        return .unreadable(.unreadable(path, error.reason))
      }
      throw .disk(error)
    }
  }

  func prepare(_ folder: ReplicaFolder) throws(SyncError) {
    try onDisk { () throws(DiskError) in
      // If the stick was unplugged, nothing must be written to its mount point.
      guard try surroundings.status(self.folder) != nil else {
        throw DiskError(.makeDirectory, self.folder, .notFound)
      }
      try disk.makeDirectories(folder.path)
    }
  }

  func put(_ file: FrameFile, in folder: ReplicaFolder) throws(SyncError) -> DirectoryName {
    let name = DirectoryName(
      events: file.events, digest: SHA256.digest(of: file.frames).prefix16)
    try put(file.frames, as: name.string, in: folder)
    return name
  }

  func put(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    try put([], as: loss.string, in: folder)
  }

  private func put(
    _ bytes: [UInt8], as name: String, in folder: ReplicaFolder
  ) throws(SyncError) {
    try onDisk { () throws(DiskError) in
      var draft = try Draft(in: folder.path, on: machine)
      do throws(DiskError) {
        if !bytes.isEmpty { try draft.append(bytes) }
      } catch {
        draft.discard()
        throw error
      }
      try draft.finish(as: name)
    }
  }

  func delete(_ name: DirectoryName, in folder: ReplicaFolder) throws(SyncError) {
    try delete(name.file, in: folder)
  }

  func delete(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    try delete(loss.string, in: folder)
  }

  private func delete(_ name: String, in folder: ReplicaFolder) throws(SyncError) {
    try onDisk { () throws(DiskError) in try disk.remove(folder.path / name) }
  }

  /// A folder refuses files, for example, on a full or read-only stick, or if it has unexpected entries.
  func refusal(for error: SyncError) -> WriteRefusal? {
    guard case .disk(let fault) = error, fault.path.names(below: folder) != nil,
      [.open, .write, .flush, .makeDirectory, .rename].contains(fault.operation)
    else { return nil }
    if fault.isAboutStrangeThings {
      // If one entry is unexpected, others may still be usable.
      return WriteRefusal(problem: .notLeft(fault.path, fault.reason), isConfined: true)
    }
    guard [.full, .readOnly, .permission].contains(fault.reason) else { return nil }
    return WriteRefusal(problem: .notLeft(folder, fault.reason), isConfined: false)
  }
}

extension ObjectStamp {
  fileprivate init(_ status: FileStatus) {
    self.init(
      size: status.size, modified: status.modified.milliseconds,
      changed: status.changed?.milliseconds)
  }
}

extension DiskError {
  /// Whether the cause is an unexpected entry, which other programs can put into a folder at any time.
  fileprivate var isAboutStrangeThings: Bool {
    [.link, .outside, .notADirectory, .isADirectory, .invalid].contains(reason)
  }
}
