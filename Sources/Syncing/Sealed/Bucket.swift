import Platform

/// A flat set of named objects with the four operations that every object storage has.
///
/// A bucket need not offer anything more: no order, conditions, locks or fresh listings.
protocol Bucket {
  /// The location, which is shown to the user.
  var location: Path { get }

  /// The objects, or nil if there are too many.
  func list() throws(SyncError) -> [BucketObject]?

  /// Reads an object of at most `limit` bytes.
  func get(_ name: String, limit: Int) throws(SyncError) -> Retrieved<[UInt8]>

  /// Reads a part of an object; the result is shorter if the object ends earlier.
  func get(_ name: String, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]>

  /// Checks that the bucket can be written to, and creates it if it is missing.
  func prepare() throws(SyncError)

  /// Adds or replaces an object, which is durable and complete when the method returns.
  func put(_ bytes: [UInt8], as name: String) throws(SyncError)

  /// The properties of an object that has just been put, as ``list()`` returns them; nil if only a listing contains
  /// them.
  func stamp(of name: String) throws(SyncError) -> ObjectStamp?

  /// Removes an object.
  func delete(_ name: String) throws(SyncError)

  /// The refusal that corresponds to an error of ``prepare()`` or ``put(_:as:)``; nil if reading may fail as well.
  func refusal(for error: SyncError) -> WriteRefusal?
}

/// An object, as a bucket lists it.
struct BucketObject: Hashable, Sendable {
  /// The name under which the object is read and removed.
  let name: String
  /// The name in which the case of letters counts.
  ///
  /// Some file systems write names in capitals. In object storage, names in capitals belong to other objects.
  let spelling: String
  let stamp: ObjectStamp

  init(name: String, spelling: String? = nil, stamp: ObjectStamp) {
    (self.name, self.spelling, self.stamp) = (name, spelling ?? name, stamp)
  }
}

extension Bucket {
  /// The location of an object, to be shown to the user.
  func path(of name: String) -> Path { location / name }

  func stamp(of name: String) throws(SyncError) -> ObjectStamp? { nil }
}

/// A directory of a folder, used as a bucket.
struct FolderBucket: Bucket {
  let location: Path
  private let files: FolderFiles

  /// - Parameters:
  ///   - location: The directory, which need not exist yet.
  ///   - files: The files of the folder that contains the directory.
  init(at location: Path, among files: FolderFiles) {
    (self.location, self.files) = (location, files)
  }

  func list() throws(SyncError) -> [BucketObject]? {
    guard try files.isDirectory(location) else { return [] }
    guard let names = try files.names(in: location) else { return nil }
    // The status of drafts and of other programs' files is not needed.
    let objects = names.filter { !$0.hasPrefix(".") }
    let stamps = try files.stamps(of: objects, in: location)
    return zip(objects, stamps).compactMap { name, stamp in
      stamp.map { BucketObject(name: name, spelling: name.lowercased(), stamp: $0) }
    }
  }

  func get(_ name: String, limit: Int) throws(SyncError) -> Retrieved<[UInt8]> {
    try files.read(location / name, limit: limit)
  }

  func get(_ name: String, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]> {
    try files.read(location / name, bytes: range)
  }

  func prepare() throws(SyncError) { try files.prepare(location) }

  func put(_ bytes: [UInt8], as name: String) throws(SyncError) {
    try files.write(bytes, to: location / name)
  }

  func stamp(of name: String) throws(SyncError) -> ObjectStamp? {
    try files.stamps(of: [name], in: location)[0]
  }

  func delete(_ name: String) throws(SyncError) { try files.remove(location / name) }

  func refusal(for error: SyncError) -> WriteRefusal? { files.refusal(for: error) }
}
