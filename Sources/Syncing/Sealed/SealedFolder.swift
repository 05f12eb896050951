import Bytes
package import Platform
package import Sealing

/// The sealed stores in a folder.
package struct SealedFolder {
  /// The store of this book; nil if there is none that this device can open.
  package let own: StoreAddress?
  /// The number of stores that this device cannot open: those of other books, or stores whose keys it does not have.
  package let otherCount: Int

  /// Searches a folder for sealed stores.
  ///
  /// - Parameters:
  ///   - folder: The folder, which exists.
  ///   - machine: The machine.
  ///   - ring: The keys of this device.
  ///   - device: This device.
  /// - Throws: ``SyncError`` if the folder cannot be read.
  package init(
    _ folder: Path, on machine: Machine, openedWith ring: KeyRing, as device: SealingDevice
  ) throws(SyncError) {
    let files = try FolderFiles(in: folder, on: machine)
    var (own, otherCount): (StoreAddress?, Int) = (nil, 0)
    for (id, path) in try files.directories(in: folder).names {
      let bucket = FolderBucket(at: path, among: files)
      guard let objects = try bucket.list(), SealedListing.isStore(objects) else { continue }
      let listing = SealedListing(of: objects, openedWith: ring)
      var isOwn = !listing.events.isEmpty || !listing.losses.isEmpty
      if !isOwn { isOwn = try Self.isGiven(listing.packages, in: bucket, ring, device) }
      if isOwn {
        own = own ?? StoreAddress(folder: folder, store: id)
      } else {
        otherCount += 1
      }
    }
    (self.own, self.otherCount) = (own, otherCount)
  }

  /// Whether one of the packages has a key of this book for the device.
  private static func isGiven(
    _ packages: [(id: UniqueID, file: String)], in bucket: FolderBucket, _ ring: KeyRing,
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
