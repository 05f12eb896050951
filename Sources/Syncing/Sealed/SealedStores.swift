package import Bytes
package import Platform
import S3
package import Sealing

/// The sealed stores in a folder or bucket.
package struct SealedStores {
  private let place: StorePlace
  private let stores: [(id: UniqueID, bucket: any Bucket)]

  /// Searches a place for sealed stores.
  ///
  /// - Parameters:
  ///   - place: The folder or bucket, which exists.
  ///   - book: A book whose directory, if there is one in a folder, is not a store.
  ///   - limit: The id below which the stores' ids must be; nil for all stores.
  ///   - machine: The machine.
  /// - Throws: ``SyncError/tooManyFiles(_:)``, or another ``SyncError`` if the place cannot be read.
  package init(
    in place: StorePlace, besides book: UniqueID? = nil, below limit: UniqueID? = nil,
    on machine: Machine
  ) throws(SyncError) {
    self.place = place
    func isWanted(_ id: UniqueID) -> Bool { limit.map { id < $0 } ?? true }
    stores =
      switch place {
      case .folder(let folder):
        try Self.stores(in: folder, on: machine) { $0 != book && isWanted($0) }
      case .bucket(let address): try Self.stores(in: address, on: machine, where: isWanted)
      }
  }

  /// The stores in a bucket: a folder whose name is an id contains only objects of a store.
  private static func stores(
    in address: BucketAddress, on machine: Machine, where isWanted: (UniqueID) -> Bool
  ) throws(SyncError) -> [(id: UniqueID, bucket: any Bucket)] {
    let location = StorePlace.bucket(address).location
    let client = try onStorage(at: location) { () throws(S3Fault) in
      try S3Client(address, on: machine)
    }
    guard let found = try S3Bucket.stores(in: address, over: client) else {
      throw .tooManyFiles(location)
    }
    return found.filter(isWanted).map { ($0, S3Bucket(of: $0, in: address, over: client)) }
  }

  private static func stores(
    in folder: Path, on machine: Machine, where isWanted: (UniqueID) -> Bool
  ) throws(SyncError) -> [(id: UniqueID, bucket: any Bucket)] {
    let files = try FolderFiles(in: folder, on: machine)
    let found = try files.directories(in: folder)
    guard !found.isTooMuch else { throw .tooManyFiles(folder) }
    var stores: [(id: UniqueID, bucket: any Bucket)] = []
    for (id, path) in found.names where isWanted(id) {
      guard try isStore(path, among: files) else { continue }
      stores.append((id, FolderBucket(at: path, among: files)))
    }
    return stores
  }

  /// Whether a directory is a sealed store, or has so many entries that it may be one.
  static func isStore(_ path: Path, among files: FolderFiles) throws(SyncError) -> Bool {
    guard let names = try files.names(in: path) else { return true }
    // Some file systems write names in capitals.
    guard SealedListing.isStore(names.map { $0.lowercased() }) else { return false }
    // A file that somebody has put among a book's replicas does not turn the book into a store.
    return try files.directories(in: path).names.isEmpty
  }

  package var isEmpty: Bool { stores.isEmpty }
  package var count: Int { stores.count }

  /// The store whose objects or packages a device can open; nil if there is none.
  ///
  /// - Parameters:
  ///   - ring: The keys of the device.
  ///   - device: The device.
  /// - Returns: The store, or the one with the lowest id if there are several.
  /// - Throws: ``SyncError`` if the place cannot be read.
  package func store(
    openedWith ring: KeyRing, as device: SealingDevice
  ) throws(SyncError) -> StoreAddress? {
    for (id, bucket) in stores {
      guard let objects = try bucket.list() else { continue }
      let listing = SealedListing(of: objects, openedWith: ring)
      var isOpen = !listing.lists.isEmpty
      if !isOpen { isOpen = try Self.givesKey(listing.packages, in: bucket, ring, device) }
      if isOpen { return StoreAddress(in: place, store: id, book: ring.book) }
    }
    return nil
  }

  /// Whether one of the packages contains a key of this book for the device.
  private static func givesKey(
    _ packages: [(id: UniqueID, file: String)], in bucket: any Bucket, _ ring: KeyRing,
    _ device: SealingDevice
  ) throws(SyncError) -> Bool {
    for (id, file) in packages {
      guard case .found(let bytes) = try bucket.get(file, limit: KeyPackage.byteLimit) else {
        continue
      }
      var trial = ring
      do throws(StoreKeyError) {
        let package = try KeyPackage(decoding: bytes, as: id)
        _ = try trial.take(package, with: device.agreement, knowing: device.members)
        return true
      } catch {
        continue
      }
    }
    return false
  }
}
