import Bytes
import HTTP
import Platform
import S3
import Sealing

/// A store's objects in a bucket of object storage.
struct S3Bucket: Bucket {
  let location: Path
  private let client: S3Client
  /// The part of each key before the object's name, including the slash.
  private let folder: String

  /// - Parameters:
  ///   - store: The id of the store.
  ///   - address: The bucket, and the prefix of the stores in it.
  ///   - client: The client for this bucket.
  init(of store: UniqueID, in address: BucketAddress, over client: S3Client) {
    location = Path(tidy: "\(address.text)/\(store.hex)")
    (self.client, folder) = (client, "\(store.hex)/")
  }

  /// The ids of the stores in a bucket, in order; nil if there are too many folders.
  static func stores(
    in address: BucketAddress, over client: S3Client
  ) throws(SyncError) -> [UniqueID]? {
    let listing = try onStorage(at: Path(tidy: address.text)) { () throws(S3Fault) in
      try pages(of: "", over: client, divided: true)
    }
    return listing.map { $0.folders.compactMap(UniqueID.init(hex:)).sorted() }
  }

  // MARK: Listing

  func list() throws(SyncError) -> [BucketObject]? {
    let listing = try asking { () throws(S3Fault) in
      try Self.pages(of: folder, over: client, divided: false)
    }
    return listing?.objects.compactMap { object in
      // If an object's key contains another slash, the object does not belong to the store.
      guard Path.isName(object.key) else { return nil }
      return BucketObject(
        name: object.key,
        stamp: ObjectStamp(size: object.size, modified: object.modified, changed: nil))
    }
  }

  /// All pages of a list; nil if there are too many objects.
  private static func pages(
    of folder: String, over client: S3Client, divided isDivided: Bool
  ) throws(S3Fault) -> ObjectListing? {
    var all = ObjectListing()
    repeat {
      let page = try client.requests.listing(
        in: try client.send(
          client.requests.list(folder, divided: isDivided, after: all.next)), of: folder)
      all.objects += page.objects
      all.folders += page.folders
      // The service must not be able to make this device list the same page endlessly.
      guard page.next == nil || page.next != all.next,
        page.next == nil || !page.objects.isEmpty || !page.folders.isEmpty
      else { throw .badListing }
      all.next = page.next
      guard all.objects.count + all.folders.count <= Limit.directoryEntries else { return nil }
    } while all.next != nil
    return all
  }

  // MARK: Objects

  func get(_ name: String, limit: Int) throws(SyncError) -> Retrieved<[UInt8]> {
    try reading(name) { () throws(S3Fault) in
      let response = try client.send(
        client.requests.get(folder + name), bodyLimit: max(limit, S3Client.errorBytes))
      let object = try response.object()
      guard object.map({ $0.count <= limit }) ?? true else { throw .http(.bodyTooLarge) }
      return object
    }
  }

  func get(_ name: String, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]> {
    guard !range.isEmpty else { return .found([]) }
    return try reading(name) { () throws(S3Fault) in
      try client.send(
        client.requests.get(folder + name, bytes: range), bodyLimit: SealedObject.byteLimit
      ).part(range)
    }
  }

  private func reading(
    _ name: String, _ body: () throws(S3Fault) -> [UInt8]?
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    do throws(S3Fault) {
      return try body().map { .found($0) } ?? .absent
    } catch .http(.bodyTooLarge) {
      return .unreadable(.tooLarge(path(of: name)))
    } catch {
      throw .storage(error, at: location)
    }
  }

  /// A bucket needs no folders, so there is nothing to prepare.
  func prepare() {}

  func put(_ bytes: [UInt8], as name: String) throws(SyncError) {
    try asking { () throws(S3Fault) in
      try client.send(client.requests.put(bytes, as: folder + name)).checkPut()
    }
  }

  func delete(_ name: String) throws(SyncError) {
    try asking { () throws(S3Fault) in
      try client.send(client.requests.delete(folder + name)).checkDeletion()
    }
  }

  func refusal(for error: SyncError) -> WriteRefusal? {
    guard case .storage(let fault, location) = error else { return nil }
    switch fault {
    // Even in these cases, the objects may be readable.
    case .accessDenied, .full, .refused:
      return WriteRefusal(problem: .notStored(location, fault), isConfined: false)
    default: return nil
    }
  }

  private func asking<Value>(
    _ body: () throws(S3Fault) -> Value
  ) throws(SyncError) -> Value { try onStorage(at: location, body) }
}

/// Converts an error of object storage into a sync error.
func onStorage<Value>(
  at location: Path, _ body: () throws(S3Fault) -> Value
) throws(SyncError) -> Value {
  do throws(S3Fault) { return try body() } catch { throw .storage(error, at: location) }
}
