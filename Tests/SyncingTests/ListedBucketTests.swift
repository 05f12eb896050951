import Platform
import Testing

@testable import Syncing

/// A bucket that is listed once in a session.
struct ListedBucketTests {
  /// Objects in memory, with the number of times that they were listed.
  private final class CountingBucket: Bucket {
    let location = Path("/bucket")
    var objects: [String: [UInt8]] = ["a": [1]]
    var lists = 0
    var tellsStamps = true

    private func stamp(_ bytes: [UInt8]) -> ObjectStamp {
      ObjectStamp(size: bytes.count, modified: 5, changed: nil)
    }

    func list() throws(SyncError) -> [BucketObject]? {
      lists += 1
      return objects.map { BucketObject(name: $0.key, stamp: stamp($0.value)) }
    }

    func get(_ name: String, limit: Int) throws(SyncError) -> Retrieved<[UInt8]> {
      objects[name].map { .found($0) } ?? .absent
    }

    func get(_ name: String, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]> {
      objects[name].map { .found(Array($0[range])) } ?? .absent
    }

    func prepare() throws(SyncError) {}
    func put(_ bytes: [UInt8], as name: String) throws(SyncError) { objects[name] = bytes }
    func delete(_ name: String) throws(SyncError) { objects[name] = nil }
    func refusal(for error: SyncError) -> WriteRefusal? { nil }

    func stamp(of name: String) throws(SyncError) -> ObjectStamp? {
      tellsStamps ? objects[name].map(stamp) : nil
    }
  }

  private func names(_ bucket: ListedBucket) throws -> [String]? {
    try bucket.list()?.map(\.name).sorted()
  }

  @Test func `Listed bucket: the list follows what the session puts and deletes`() throws {
    let inner = CountingBucket()
    let bucket = ListedBucket(inner)
    #expect(try names(bucket) == ["a"])
    try bucket.put([2, 3], as: "b")
    inner.objects["other"] = [4]
    #expect(try names(bucket) == ["a", "b"])
    #expect(try bucket.list()?.last?.stamp == ObjectStamp(size: 2, modified: 5, changed: nil))
    try bucket.delete("a")
    #expect(try names(bucket) == ["b"])
    #expect(inner.lists == 1)
    #expect(try names(ListedBucket(inner)) == ["b", "other"])
  }

  @Test func `Listed bucket: without the properties of an object, it is listed again`() throws {
    let inner = CountingBucket()
    inner.tellsStamps = false
    let bucket = ListedBucket(inner)
    #expect(try names(bucket) == ["a"])
    try bucket.put([2], as: "b")
    try bucket.put([3], as: "c")
    #expect(inner.lists == 1)
    #expect(try names(bucket) == ["a", "b", "c"])
    #expect(inner.lists == 2)
  }
}
