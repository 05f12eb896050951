import Bytes
import Platform
import SimulatedPlatform
import Synchronization
import Testing

@testable import S3
@testable import Syncing

struct S3SessionTests {
  private let simulated = SimulatedMachine(seed: 31)
  private let storage: S3StandIn
  private let anna: SealedDevice
  private let bert: SealedDevice

  init() throws {
    let clock = simulated.timekeeper
    clock.set(Moment(milliseconds: 3_600_000))
    storage = S3StandIn(AccessKey(id: "ID", secret: "secret")) { clock.now().milliseconds }
    try simulated.disk.makeDirectories(Path("/book"))
    anna = try SealedDevice(1, SessionTests.anna())
    bert = try SealedDevice(2, SessionTests.bert())
    try SealedDevice.introduce([anna, bert])
  }

  private static let variables = [
    "AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:8333",
  ]

  private var machine: Machine {
    Machine(
      disk: simulated.disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: storage, variable: { Self.variables[$0] })
  }

  @discardableResult
  private func sync(_ device: SealedDevice) throws -> SealedDevice.Outcome {
    simulated.timekeeper.advance(milliseconds: 10)
    let place = try StorePlace(
      bucket: "s3://bucket/p", BucketOptions(usesPath: true), on: machine)
    let address = StoreAddress(in: place, store: UniqueID(high: 0x5ea1, low: 7), book: .book)
    return try device.sync(on: machine, at: address)
  }

  @Test func `S3 session: devices exchange all events through a bucket`() throws {
    #expect(try sync(anna).pushed == DirectoryReport(sent: [.anna: 4, .cleo: 2]))
    let outcome = try sync(bert)
    #expect(outcome.pulled == DirectoryReport(received: [.anna: 2, .cleo: 1]))
    #expect(outcome.pushed == DirectoryReport(sent: [.bert: 3]))
    #expect(try sync(anna).pulled == DirectoryReport(received: [.bert: 3]))
    #expect(
      [anna, bert].map { SessionTests.contents($0.holder) }
        == [SessionTests.united, SessionTests.united])
  }

  @Test func `S3 session: a bucket that loses half of its objects, or all, is filled again`() throws
  {
    for _ in 0..<2 { for device in [anna, bert] { try sync(device) } }
    for losesAll in [false, true] {
      storage.state.withLock { state in
        for (number, key) in state.objects.keys.sorted().enumerated() {
          if losesAll || number.isMultiple(of: 2) { state.objects[key] = nil }
        }
      }
      for _ in 0..<2 { for device in [anna, bert] { try sync(device) } }
      let cleo = try SealedDevice(3, MemoryHolder(UniqueID(high: 9, low: 9)))
      cleo.ring = anna.ring
      cleo.members = anna.members
      try sync(cleo)
      #expect(SessionTests.contents(cleo.holder) == SessionTests.united)
    }
  }

  @Test(arguments: [
    ("s3://ab", "https://s3.example.com", BucketAddressFault.address),
    ("s3://bucket", "s3.example.com", .endpoint("s3.example.com")),
    ("s3://bucket", "https://s3.example.com/path", .endpoint("https://s3.example.com/path")),
    ("s3://bucket", "http://s3.example.com", .unencrypted("http://s3.example.com")),
  ])
  func `S3 address: what cannot be used is refused`(
    text: String, endpoint: String, fault: BucketAddressFault
  ) {
    #expect(throws: fault) {
      try StorePlace(bucket: text, BucketOptions(endpoint: endpoint), on: machine)
    }
  }

  @Test func `S3 address: a service is read back from its URL`() throws {
    for url in ["https://s3.example.com:443", "http://127.0.0.1:8333", "http://[::1]:80"] {
      let service = try #require(S3Service(url: url, region: "here"))
      #expect(service.url == url)
      #expect(service.isAcceptable)
    }
    #expect(S3Service(url: "https://s3.example.com/", region: "x")?.port == 443)
    #expect(S3Service(url: "http://s3.example.com", region: "x")?.isAcceptable == false)
  }
}
