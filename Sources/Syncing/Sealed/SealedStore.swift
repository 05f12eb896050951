import Bytes
import Journaling
import Platform
import Sealing

/// A bucket used as a store whose objects only a book's devices can read.
///
/// The format is described in `docs/store-protocol.md`.
final class SealedStore: ObjectStore {
  private let bucket: any Bucket
  private let identity: StoreIdentity
  private let ring: KeyRing
  /// The key for new objects; nil if this session only reads.
  private let sealingKey: StoreKey?
  /// The listing whose names were opened most recently.
  private var listing: SealedListing?
  /// Whether this session has written or removed objects since that listing was made.
  private var isOutdated = true
  /// Whether this session has written objects.
  private(set) var hasWritten = false

  let frameBytes = SealedObject.contentLimit
  let objectBytes = SealedObject.byteLimit

  /// Creates a store with the keys of a device.
  ///
  /// - Parameters:
  ///   - bucket: The objects.
  ///   - identity: The book and the id of the store.
  ///   - ring: The keys with which objects are opened.
  ///   - sealingKey: The key for new objects; nil if none are written.
  init(
    in bucket: any Bucket, of identity: StoreIdentity, openedWith ring: KeyRing,
    sealingWith sealingKey: StoreKey? = nil
  ) {
    (self.bucket, self.identity) = (bucket, identity)
    (self.ring, self.sealingKey) = (ring, sealingKey)
  }

  // MARK: Listing

  /// The objects; nil if there are too many.
  func list() throws(SyncError) -> SealedListing? {
    guard isOutdated else { return listing }
    let former = listing
    listing = try bucket.list().map { objects in
      SealedListing(of: objects, openedWith: ring, reusing: former)
    }
    isOutdated = false
    return listing
  }

  func books() throws(SyncError) -> [UniqueID] {
    try list()?.lists.isEmpty == false ? [identity.book] : []
  }

  func folders(of book: UniqueID) throws(SyncError) -> ReplicaFolders {
    var found = ReplicaFolders(path: bucket.location)
    guard book == identity.book else { return found }
    guard let listing = try list() else {
      found.isTooMuch = true
      return found
    }
    found.folders = listing.lists.keys.sorted().map { folder(of: $0, of: book) }
    return found
  }

  func folder(of replica: UniqueID, of book: UniqueID) -> ReplicaFolder {
    ReplicaFolder(replica: replica, path: bucket.location)
  }

  func list(_ folder: ReplicaFolder) throws(SyncError) -> ObjectList? {
    guard let listing = try list() else { return nil }
    return listing.lists[folder.replica] ?? ObjectList()
  }

  // MARK: Objects

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder
  ) throws(SyncError) -> Retrieved<ObjectContent> {
    guard let events = try list()?.events[name.file] else { return .absent }
    switch try bucket.get(name.file, limit: SealedObject.byteLimit) {
    case .absent: return .absent
    case .unreadable(let problem): return .unreadable(problem)
    case .found(let bytes):
      do throws(SealedObjectError) {
        let frames = try SealedObject.open(
          bytes, as: events.named, in: identity, with: events.key)
        return .found(ObjectContent(frames: frames, stored: bytes))
      } catch {
        return .unreadable(Self.problem(with: bucket.path(of: name.file), error))
      }
    }
  }

  /// The problem with an object that does not open.
  static func problem(with path: Path, _ fault: SealedObjectError) -> SyncProblem {
    switch fault {
    case .digest: .wrongDigest(path)
    // The bytes match the name's digest, so they are not damaged.
    case .magic: .newer(path)
    default: .notOpened(path, fault)
    }
  }

  func get(
    _ name: DirectoryName, in folder: ReplicaFolder, bytes range: Range<Int>
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    try bucket.get(name.file, bytes: range)
  }

  func prepare(_ folder: ReplicaFolder) throws(SyncError) { try bucket.prepare() }

  func put(_ file: FrameFile, in folder: ReplicaFolder) throws(SyncError) -> DirectoryName {
    let range = ObjectRange(
      replica: folder.replica, events: file.events, hash: file.end.prefix16)
    let key = keyToSealWith
    let object = SealedObject(sealing: file.frames, of: range, in: identity, with: key)
    let name = ObjectName.events(object.name).text
    try put(object.bytes, as: name)
    return DirectoryName(
      events: file.events, digest: SealedObject.digest(of: object.bytes), file: name)
  }

  func put(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    let named = NamedLoss(replica: folder.replica, events: loss.events, end: loss.end)
    try put([], as: ObjectName.loss(SealedName(sealing: named, with: keyToSealWith)).text)
  }

  func delete(_ name: DirectoryName, in folder: ReplicaFolder) throws(SyncError) {
    isOutdated = true
    try bucket.delete(name.file)
  }

  func delete(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError) {
    let named = NamedLoss(replica: folder.replica, events: loss.events, end: loss.end)
    // Devices may have stated the loss under several keys.
    for (file, stated) in try list()?.losses ?? [:] where stated.loss == named {
      isOutdated = true
      try bucket.delete(file)
    }
  }

  func refusal(for error: SyncError) -> WriteRefusal? { bucket.refusal(for: error) }

  private var keyToSealWith: StoreKey {
    guard let sealingKey else { preconditionFailure("a session that writes has a key") }
    return sealingKey
  }

  private func put(_ bytes: [UInt8], as name: String) throws(SyncError) {
    isOutdated = true
    hasWritten = true
    try bucket.put(bytes, as: name)
  }
}
