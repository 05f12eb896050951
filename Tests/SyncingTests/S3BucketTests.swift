import Bytes
import HTTP
import Platform
import Sealing
import SimulatedPlatform
import StorageStandIn
import Synchronization
import Testing

@testable import S3
@testable import Syncing

struct S3BucketTests {
  /// A device with an access key, and the storage.
  private struct Place {
    let storage: S3StandIn
    let simulated = SimulatedMachine(seed: 1)
    let variables: [String: String]

    init(secret: String = "secret", serverAhead: Int64 = 0) {
      let clock = simulated.timekeeper
      clock.set(Moment(milliseconds: 3_600_000))
      storage = S3StandIn(AccessKey(id: "ID", secret: "secret")) {
        clock.now().milliseconds + serverAhead
      }
      variables = ["AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": secret]
    }

    var machine: Machine {
      Machine(
        disk: simulated.disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
        network: storage, variable: { [variables] in variables[$0] })
    }

    func address(_ text: String = "s3://bucket/p") throws -> BucketAddress {
      let service = S3Service(
        host: "127.0.0.1", port: 8333, isEncrypted: false, region: "us-east-1", usesPath: true)
      return try #require(BucketAddress(text, at: service))
    }

    func bucket(_ text: String = "s3://bucket/p") throws -> S3Bucket {
      let address = try address(text)
      return S3Bucket(of: store, in: address, over: try S3Client(address, on: machine))
    }

    func fail(_ faults: S3StandIn.Fault?...) {
      storage.state.withLock { $0.faults = faults }
    }

    var log: [String] { storage.state.withLock { $0.log } }
    var dials: Int { storage.state.withLock { $0.dials } }
  }

  private static let store = UniqueID(high: 0x5ea1, low: 7)
  private static let folder = "/bucket/p/\(store.hex)"
  private static let location = Path(tidy: "s3://bucket/p/\(store.hex)")

  private func found(_ retrieved: Retrieved<[UInt8]>) -> [UInt8]? {
    if case .found(let bytes) = retrieved { bytes } else { nil }
  }

  // MARK: Operations

  @Test func `S3 bucket: objects are put, listed, read and deleted over one connection`() throws {
    let place = Place()
    let bucket = try place.bucket()
    #expect(bucket.location == Self.location)
    #expect(try bucket.list() == [])
    bucket.prepare()
    try bucket.put([1, 2, 3, 4], as: "e-a")
    try bucket.put([], as: "l-b")
    let stamp = ObjectStamp(size: 4, modified: 1_767_225_600_000, changed: nil)
    let empty = ObjectStamp(size: 0, modified: 1_767_225_600_000, changed: nil)
    #expect(
      try bucket.list() == [
        BucketObject(name: "e-a", stamp: stamp), BucketObject(name: "l-b", stamp: empty),
      ])
    #expect(try found(bucket.get("e-a", limit: 10)) == [1, 2, 3, 4])
    #expect(try found(bucket.get("e-a", bytes: 1..<3)) == [2, 3])
    #expect(try found(bucket.get("e-a", bytes: 3..<9)) == [4])
    #expect(try found(bucket.get("e-a", bytes: 4..<9)) == [])
    #expect(try found(bucket.get("e-a", bytes: 4..<4)) == [])
    try bucket.delete("e-a")
    try bucket.delete("e-a")
    #expect(try found(bucket.get("e-a", limit: 10)) == nil)
    #expect(place.dials == 1)
    #expect(
      place.storage.state.withLock { $0.objects } == ["p/\(Self.store.hex)/l-b": []])
  }

  @Test func `S3 bucket: a list has all pages, and only the objects of the store`() throws {
    let place = Place()
    let bucket = try place.bucket()
    for number in 0..<7 { try bucket.put([1], as: "e-\(number)") }
    place.storage.state.withLock {
      $0.objects["p/other/e-8"] = [1]
      $0.objects["p/\(Self.store.hex)/folder/e-9"] = [1]
      $0.pageKeys = 2
    }
    #expect(try bucket.list()?.map(\.name) == (0..<7).map { "e-\($0)" })
  }

  @Test func `S3 bucket: the stores are the folders whose names are ids`() throws {
    let place = Place()
    let other = UniqueID(high: 1, low: 2)
    place.storage.state.withLock {
      $0.objects = [
        "p/\(Self.store.hex)/bell": [], "p/\(other.hex)/e-1": [], "p/\(other.hex)/e-2": [],
        "p/readme": [], "p/photos/a": [], "\(UniqueID(high: 3, low: 3).hex)/bell": [],
      ]
      $0.pageKeys = 1
    }
    let address = try place.address()
    let client = try S3Client(address, on: place.machine)
    #expect(try S3Bucket.stores(in: address, over: client) == [other, Self.store])
  }

  @Test func `S3 bucket: a key in capitals names no object, but a file in capitals does`() throws {
    let place = Place()
    let id = UniqueID(high: 0xabc, low: 0xdef)
    let file = "k-\(id.hex)".uppercased()
    func packages(_ bucket: any Bucket) throws -> [UniqueID] {
      let objects = try #require(try ListedBucket(bucket).list())
      #expect(objects.map(\.name) == [file])
      let ring = KeyRing(book: UniqueID(high: 0xb00c, low: 1))
      let listing = SealedListing(of: objects, openedWith: ring)
      #expect(SealedListing.isStore(objects.map(\.spelling)) == !listing.packages.isEmpty)
      return listing.packages.map(\.id)
    }
    place.storage.state.withLock { $0.objects = ["p/\(Self.store.hex)/\(file)": [1]] }
    #expect(try packages(try place.bucket()) == [])
    let folder = Path("/stick")
    try place.machine.disk.makeDirectories(folder / Self.store.hex)
    try place.machine.disk.replace(folder / Self.store.hex / file, with: [1])
    let files = try FolderFiles(in: folder, on: place.machine)
    #expect(try packages(FolderBucket(at: folder / Self.store.hex, among: files)) == [id])
  }

  // MARK: Faults that pass

  @Test func `S3 bucket: a request that fails for a moment is repeated`() throws {
    let busy = S3StandIn.error(503, "SlowDown")
    for fault: S3StandIn.Fault in [
      .answer(busy), .answer(ServerResponse(500)), .answer(ServerResponse(429)),
      .cut(after: 0), .cut(after: 20),
    ] {
      let place = Place()
      let bucket = try place.bucket()
      place.fail(fault, fault)
      let start = place.simulated.timekeeper.monotonicMilliseconds()
      try bucket.put([1], as: "e-a")
      let pause = place.simulated.timekeeper.monotonicMilliseconds() - start
      #expect(place.log == Array(repeating: "PUT \(Self.folder)/e-a", count: 3), "\(fault)")
      // Between 0.5 and 1 s, and then between 1 and 2 s.
      #expect((1_500...3_000).contains(pause), "\(fault)")
      #expect(try found(bucket.get("e-a", limit: 9)) == [1])
    }
  }

  @Test func `S3 bucket: a service that stays busy is given up`() throws {
    let place = Place()
    let bucket = try place.bucket()
    let busy = S3StandIn.Fault.answer(S3StandIn.error(503, "SlowDown"))
    place.storage.state.withLock { $0.faults = Array(repeating: busy, count: 9) }
    let error = SyncError.storage(.busy(status: 503, code: "SlowDown"), at: Self.location)
    #expect(throws: error) { try bucket.put([1], as: "e-a") }
    #expect(place.log.count == 5)
    #expect(bucket.refusal(for: error) == nil)
  }

  @Test func `S3 bucket: a service that does not answer is given up after one wait`() throws {
    let place = Place()
    let bucket = try place.bucket()
    let clock = place.simulated.timekeeper
    place.fail(.silence { clock.advance(milliseconds: Int64($0)) })
    let start = clock.monotonicMilliseconds()
    #expect(throws: SyncError.storage(.tooSlow, at: Self.location)) {
      try bucket.put([1], as: "e-a")
    }
    #expect(clock.monotonicMilliseconds() - start == Int64(Limit.silenceMilliseconds))
    #expect(place.log == ["PUT \(Self.folder)/e-a"])
  }

  @Test func `S3 bucket: a connection that the service has closed is opened again at once`() throws
  {
    let place = Place()
    let bucket = try place.bucket()
    place.storage.state.withLock { $0.closesEarly = true }
    for _ in 0..<3 { try bucket.put([1], as: "e-a") }
    #expect(place.dials == 3)
    #expect(place.simulated.timekeeper.monotonicMilliseconds() == 0)
  }

  @Test(arguments: [3_000_000, -3_000_000] as [Int64])
  func `S3 bucket: a wrong clock is set right once by that of the service`(ahead: Int64) throws {
    let place = Place(serverAhead: ahead)
    let bucket = try place.bucket()
    try bucket.put([1], as: "e-a")
    try bucket.put([2], as: "e-b")
    #expect(
      place.log == ["PUT \(Self.folder)/e-a", "PUT \(Self.folder)/e-a", "PUT \(Self.folder)/e-b"])
    // A service that refuses its own time is not asked without end.
    let skewed = S3StandIn.error(
      403, "RequestTimeTooSkewed",
      fields: [HeaderField(name: "date", value: "Thu, 01 Jan 1970 01:00:00 GMT")])
    place.fail(.answer(skewed), .answer(skewed))
    #expect(throws: SyncError.storage(.clock, at: Self.location)) {
      try bucket.put([3], as: "e-c")
    }
  }

  // MARK: Faults that stay

  @Test func `S3 bucket: a wrong secret, no key and no bucket are told apart`() throws {
    #expect(throws: SyncError.storage(.wrongSecret, at: Self.location)) {
      try Place(secret: "another").bucket().list()
    }
    #expect(throws: S3Fault.noKey) {
      let machine = SimulatedMachine(seed: 1).machine
      _ = try S3Client(Place().address(), on: machine)
    }
    let elsewhere = try Place().bucket("s3://other")
    #expect(throws: SyncError.storage(.noBucket, at: elsewhere.location)) {
      try elsewhere.list()
    }
    #expect(throws: SyncError.storage(.noBucket, at: elsewhere.location)) {
      try elsewhere.get("e-a", limit: 1)
    }
  }

  @Test(arguments: [
    (403, "AccessDenied", S3Fault.accessDenied), (403, "QuotaExceeded", .full),
    (501, "NotImplemented", .refused(status: 501, code: "NotImplemented")),
  ])
  func `S3 bucket: a service that takes no objects may still be read`(
    status: Int, code: String, fault: S3Fault
  ) throws {
    let place = Place()
    let bucket = try place.bucket()
    place.fail(.answer(S3StandIn.error(status, code)))
    let error = SyncError.storage(fault, at: Self.location)
    #expect(throws: error) { try bucket.put([1], as: "e-a") }
    let refusal = bucket.refusal(for: error)
    #expect(refusal?.problem == .notStored(Self.location, fault))
    #expect(refusal?.isConfined == false)
  }

  @Test func `S3 bucket: an object that is too large is reported and not read`() throws {
    let place = Place()
    let bucket = try place.bucket()
    try bucket.put(Array(repeating: 1, count: 100), as: "e-a")
    guard case .unreadable(let problem) = try bucket.get("e-a", limit: 99) else {
      Issue.record("the object was read")
      return
    }
    #expect(problem == .tooLarge(Self.location / "e-a"))
  }

  @Test(arguments: [
    ("SSH-2.0-OpenSSH\r\n", S3Fault.http(.malformed)),
    ("HTTP/2 200\r\n\r\n", .http(.otherVersion)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .badListing),
    ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", .refused(status: 302, code: "")),
  ])
  func `S3 bucket: another kind of server is recognised`(text: String, fault: S3Fault) throws {
    let place = Place()
    let bucket = try place.bucket()
    place.fail(.bytes(Array(text.utf8)))
    #expect(throws: SyncError.storage(fault, at: Self.location)) { try bucket.list() }
  }
}
