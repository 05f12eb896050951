import Bytes
import Daybook
import Phrasing
import Platform
import S3
import SimulatedPlatform
import Syncing
import Testing

@testable import Console

/// Peers in buckets of object storage, on a machine without a network.
struct BucketPeerTests {
  private let stage = Stage()

  init() { _ = stage.answer("add", "todo", "Sweep") }

  private static let place = "s3://my-bucket/daybook"

  private func run(_ words: [String]) -> Stage.Outcome { stage.run(words) }

  private func refusal(_ text: String) -> Stage.Outcome {
    Stage.Outcome(code: .refused, output: "", error: "daybook: \(text)\n")
  }

  /// Remembers a store as if it had been found.
  private func remember(_ name: String, host: String) throws {
    let service = S3Service(
      host: host, port: 443, isEncrypted: true, region: "eu-central-1", usesPath: true)
    let address = try #require(BucketAddress(Self.place, at: service))
    let book = try stage.book()
    let store = StoreAddress(
      in: .bucket(address), store: UniqueID(high: 5, low: 6), book: book.id)
    try book.contactBook.addPeer(name, at: .store(store))
  }

  private func files() -> [Path: [UInt8]] {
    stage.machine.disk.files.filter { $0.key.name == "contacts" }
  }

  // MARK: Adding

  @Test(arguments: [
    "s3://", "s3://b", "s3://my bucket/p", "s3://-bucket", "s3://my..bucket", "s3://my-bucket/a//b",
    "s3://my-bucket/../b",
  ])
  func `Bucket peers: an address that is none of a bucket is refused`(words: String) {
    #expect(
      run(["peer", "add", "cloud", words])
        == refusal(
          "the address cannot be '\(words)'. Use s3://BUCKET or s3://BUCKET/PREFIX, as the service spells it."
        ))
  }

  @Test(arguments: [
    (
      ["--endpoint", "http://storage.example.org:9000"],
      "the endpoint cannot be 'http://storage.example.org:9000'. Use https://; http:// is allowed only for a service on this machine."
    ),
    (
      ["--endpoint", "storage.example.org"],
      "the endpoint cannot be 'storage.example.org'. Use https://HOST or https://HOST:PORT, without a path."
    ),
    (
      ["--endpoint", "https://storage.example.org/path"],
      "the endpoint cannot be 'https://storage.example.org/path'. Use https://HOST or https://HOST:PORT, without a path."
    ),
    (
      ["--region", "eu central"],
      "the region cannot be 'eu central'. Use a name such as eu-central-1."
    ),
  ])
  func `Bucket peers: a service that cannot be used is refused`(
    options: [String], sentence: String
  ) {
    #expect(run(["peer", "add", "cloud", Self.place] + options) == refusal(sentence))
  }

  @Test(arguments: [
    (["--endpoint", "https://storage.example.org"], "--endpoint"),
    (["--region", "eu-central-1"], "--region"), (["--path-style"], "--path-style"),
  ])
  func `Bucket peers: a folder has no options of a bucket`(
    options: [String], name: String
  ) throws {
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    let sentence = "\(name) applies only to buckets, whose addresses begin with s3://."
    for sealing in [[], ["--sealed"]] {
      #expect(run(["peer", "add", "stick", "stick"] + sealing + options) == refusal(sentence))
    }
    #expect(files() == [:])
  }

  private static let advice =
    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write the key into ~/.aws/credentials."

  // A bucket is sealed with and without the option.
  @Test(arguments: [[], ["--sealed"], ["--new"], ["--endpoint", "http://127.0.0.1:9000"]])
  func `Bucket peers: without an access key none is added, and the error says where to put it`(
    options: [String]
  ) {
    #expect(
      run(["peer", "add", "cloud", Self.place] + options)
        == refusal(
          "cannot use \(Self.place): this machine has no access key for it.\n\(Self.advice)"))
    #expect(files() == [:])
  }

  // MARK: Remembered buckets

  @Test func `Bucket peers: a remembered bucket is listed`() throws {
    try remember("cloud", host: "storage.example.org")
    #expect(
      stage.answer("peers") == "cloud  \(Self.place) (sealed)  not synced since it was added\n")
    let list = try JSON(parsing: Array(stage.answer("peers", "--json").utf8))
    let expected = JSON.object(
      ("name", .string("cloud")), ("address", .string("\(Self.place) (sealed)")),
      ("fingerprint", .null), ("lastSync", .null), ("lacking", .null), ("waiting", .null))
    #expect(list == .array([expected]))
  }

  @Test func `Bucket peers: a sync finds a remembered bucket by its address`() throws {
    #expect(
      run(["sync", Self.place])
        == refusal(
          "no peer is in \(Self.place). To add one there, run 'daybook peer add NAME \(Self.place)'."
        ))
    try remember("cloud", host: "storage.example.org")
    let withoutKey = refusal(
      "cannot use \(Self.place): this machine has no access key for it.\n\(Self.advice)")
    for words in ["cloud", Self.place, Self.place + "/"] {
      #expect(run(["sync", words]) == withoutKey, "\(words)")
    }
    try remember("other", host: "other.example.org")
    #expect(
      run(["sync", Self.place])
        == refusal("several peers are in \(Self.place). Name one of them: cloud, other."))
  }

  @Test func `Bucket peers: a dry run is refused`() throws {
    try remember("cloud", host: "storage.example.org")
    for words in ["cloud", Self.place] {
      #expect(
        run(["sync", words, "--dry-run"])
          == refusal(
            "a dry run works only with files and folders, but \(words) is a bucket, "
              + "which would keep the events that it receives. 'daybook sync \(words) --explain' syncs, and shows what each side sent."
          ))
    }
  }

  @Test func `Bucket peers: a device cannot join through a bucket`() {
    let outcome = run(["-C", "phone", "join", Self.place])
    #expect(outcome.code == .refused)
    #expect(outcome.error.hasPrefix("daybook: \(Self.place) contains only sealed stores,"))
  }
}
