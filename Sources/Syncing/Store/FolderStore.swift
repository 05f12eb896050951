import Bytes
import Crypto
import Platform

/// A folder used as a store, for example on a USB stick or in a synced folder.
///
/// The objects are files named `<book>/<replica>/<first>-<last>-<digest>.gz`.
struct FolderStore: ObjectStore {
  private let files: FolderFiles

  let frameBytes = Limit.fileBytes
  let objectBytes = Limit.fileBytes

  /// Opens an existing folder.
  init(at folder: Path, on machine: Machine) throws(SyncError) {
    files = try FolderFiles(in: folder, on: machine)
  }

  // MARK: Listing

  func books() throws(SyncError) -> [UniqueID] {
    var books: [UniqueID] = []
    for (book, path) in try files.directories(in: files.folder).names where books.last != book {
      if try !isSealedStore(path) { books.append(book) }
    }
    return books
  }

  /// Whether a directory whose name is an id contains the objects of a sealed store rather than replicas.
  private func isSealedStore(_ path: Path) throws(SyncError) -> Bool {
    try SealedStores.isStore(path, among: files)
  }

  func folders(of book: UniqueID) throws(SyncError) -> ReplicaFolders {
    var found = ReplicaFolders(path: files.folder / book.hex)
    for place in try files.directories(in: files.folder).names where place.id == book {
      let replicas = try files.directories(in: place.path)
      found.folders += replicas.names.map { ReplicaFolder(replica: $0.id, path: $0.path) }
      found.isTooMuch = found.isTooMuch || replicas.isTooMuch
    }
    found.folders.sort { ($0.replica, $0.path) < ($1.replica, $1.path) }
    return found
  }

  func folder(of replica: UniqueID, of book: UniqueID) -> ReplicaFolder {
    ReplicaFolder(replica: replica, path: files.folder / book.hex / replica.hex)
  }

  func list(_ folder: ReplicaFolder) throws(SyncError) -> ObjectList? {
    guard try files.isDirectory(folder.path) else { return ObjectList() }
    guard let names = try files.names(in: folder.path) else { return nil }
    var list = ObjectList(losses: names.compactMap { LossName($0) })
    let objects = names.compactMap { DirectoryName($0) }.sorted()
    let stamps = try files.stamps(of: objects.map(\.file), in: folder.path)
    for case (let name, let stamp?) in zip(objects, stamps) {
      list.objects.append(StoredObject(name: name, stamp: stamp))
    }
    return list
  }

  // MARK: Objects

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder
  ) throws(SyncError) -> Retrieved<ObjectContent> {
    let path = folder.path(of: name)
    switch try files.read(path, limit: Limit.fileBytes) {
    case .absent: return .absent
    case .unreadable(let problem): return .unreadable(problem)
    case .found(let bytes) where SHA256.digest(of: bytes).prefix16 == name.digest:
      return .found(ObjectContent(frames: bytes, stored: bytes))
    // A file whose name was changed is not expected to be valid.
    case .found: return name.isPlain ? .unreadable(.wrongDigest(path)) : .absent
    }
  }

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder, bytes range: Range<Int>
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    try files.read(folder.path(of: name), bytes: range)
  }

  func prepare(_ folder: ReplicaFolder) throws(SyncError) { try files.prepare(folder.path) }

  func put(_ file: FrameFile, in folder: ReplicaFolder) throws(SyncError) -> DirectoryName {
    let name = DirectoryName(
      events: file.events, digest: SHA256.digest(of: file.frames).prefix16)
    try files.write(file.frames, to: folder.path(of: name))
    return name
  }

  func put(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    try files.write([], to: folder.path / loss.string)
  }

  func delete(_ name: DirectoryName, in folder: ReplicaFolder) throws(SyncError) {
    try files.remove(folder.path(of: name))
  }

  func delete(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    try files.remove(folder.path / loss.string)
  }

  func refusal(for error: SyncError) -> WriteRefusal? { files.refusal(for: error) }
}
