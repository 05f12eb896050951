import Platform

/// A bucket that is listed only once in a session.
///
/// The list is updated with what the session itself puts and removes. The list may lack what other devices change in
/// the meantime, but nothing depends on these changes. An object that another device has just put may be put twice, an
/// object that another device has removed is put again by the next session, and an object is removed only after both it
/// and its replacement have been read. The bucket is listed again only if the properties of an object that was put are
/// not known, because an object is remembered together with its properties.
final class ListedBucket: Bucket {
  private let bucket: any Bucket
  private var listing = Listing.unknown

  private enum Listing {
    case unknown
    case tooMuch
    case objects([String: BucketObject])
  }

  init(_ bucket: any Bucket) { self.bucket = bucket }

  var location: Path { bucket.location }

  func list() throws(SyncError) -> [BucketObject]? {
    switch listing {
    case .tooMuch: return nil
    case .objects(let objects): return objects.values.sorted { $0.name < $1.name }
    case .unknown:
      let objects = try bucket.list()
      listing =
        objects.map { .objects(Dictionary($0.map { ($0.name, $0) }) { $1 }) } ?? .tooMuch
      return objects
    }
  }

  func put(_ bytes: [UInt8], as name: String) throws(SyncError) {
    guard case .objects(var objects) = listing else { return try bucket.put(bytes, as: name) }
    // The object may be in the bucket even if the call fails.
    listing = .unknown
    try bucket.put(bytes, as: name)
    // The object is in the bucket, so an error only means that its properties are not known.
    guard let stamp = try? bucket.stamp(of: name), stamp.size == bytes.count else { return }
    objects[name] = BucketObject(name: name, stamp: stamp)
    listing = .objects(objects)
  }

  func delete(_ name: String) throws(SyncError) {
    try bucket.delete(name)
    guard case .objects(var objects) = listing else { return }
    listing = .unknown
    objects[name] = nil
    listing = .objects(objects)
  }

  func stamp(of name: String) throws(SyncError) -> ObjectStamp? { try bucket.stamp(of: name) }

  func get(_ name: String, limit: Int) throws(SyncError) -> Retrieved<[UInt8]> {
    try bucket.get(name, limit: limit)
  }

  func get(_ name: String, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]> {
    try bucket.get(name, bytes: range)
  }

  func prepare() throws(SyncError) { try bucket.prepare() }

  func refusal(for error: SyncError) -> WriteRefusal? { bucket.refusal(for: error) }
}
