import Bytes
import Crypto
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// Malformed bodies, signed by a member or by an unadmitted device.
///
/// They are kept and forwarded by any transport, have no effect, and do not count as damage.
struct OddBodiesTests {
  private static let key: CBORValue = .bytes([UInt8](repeating: 7, count: 32))
  private static let id: CBORValue = .bytes([UInt8](repeating: 1, count: 16))
  private static let neutral: CBORValue = .bytes([1] + [UInt8](repeating: 0, count: 31))

  /// Bodies of trust events, markers, unused verbs, and domain events.
  private static let bodies: [[CBORValue]] = [
    [.unsigned(9)], [.unsigned(9), key], [.unsigned(9), neutral, .text("neutral")],
    [.unsigned(9), .text("key"), .text("phone")], [.unsigned(10)], [.unsigned(10), key],
    [.unsigned(10), key, .unsigned(5)],
    [.unsigned(10), key, .array([.array([id, .unsigned(1)])])],
    [.unsigned(10), key, .array([.array([id, .unsigned(0), id])])],
    [.unsigned(10), neutral, .array([])],
    [.unsigned(11)], [.unsigned(11), id, .unsigned(0), id], [.unsigned(11), id, .text("1"), id],
    [.unsigned(12)], [.unsigned(12), .unsigned(0)], [.unsigned(12), .array([.unsigned(2)])],
    [.unsigned(12), .unsigned(1 << 62)], [.unsigned(13), key], [.unsigned(15)], [.unsigned(16)],
    [.unsigned(16), key, .null], [.unsigned(17), .unsigned(1), .unsigned(2)],
    [.unsigned(19), .null],
    [.unsigned(23)], [.unsigned(24), .unsigned(1)], [.unsigned(0)], [.unsigned(0), .text("list")],
    [.unsigned(1), .unsigned(0), .unsigned(5), .text("zero")],
    [.unsigned(1), .unsigned(2), .unsigned(5)],
    [.unsigned(2), .array([.unsigned(9), .unsigned(1)])],
    [.unsigned(3), .unsigned(1 << 62)],
    [.unsigned(4), .array([.unsigned(1)]), .unsigned(5), .null],
    [.unsigned(7), .unsigned(2)],
  ]

  /// Writes the bodies into a device's own log, one command each.
  private static func write(on place: Office.Place, _ book: Book) throws {
    let log = try #require(try book.deviceList.devices().first(where: \.isThis)).replica
    let pem = try place.machine.disk.contents(
      of: Office.folder / "keys" / "\(log.hex).pem", limit: 1 << 16)
    let keys = try DeviceKeys(pem: String(decoding: pem, as: UTF8.self))
    var journal = try Journal(at: Office.folder, on: place.machine)
    let time = try #require(journal.logs[log]).time
    let commands = bodies.map { body in
      Journaling.Command(
        time: time, events: [NewEvent(body: CBORValue.encode(.array(body)))])
    }
    _ = try journal.append(commands, to: log, keys: keys)
  }

  private static func check(_ book: Book, like digest: Digest, unread: Int) throws {
    for _ in 0..<2 {
      #expect(try book.statusReader.digest() == digest)
      #expect(
        try book.statusReader.status().newer == Status.Newer(records: 0, events: UInt64(unread)))
      #expect(try book.view().lists.lists().map(\.name) == ["Home"])
      let report = try book.verifier.verify()
      #expect(report.faults.isEmpty)
      #expect(report.isWhole)
      try book.core.projector.rebuild()
    }
    #expect(try book.deviceList.devices().map(\.name).contains("neutral") == false)
  }

  enum Way: CaseIterable { case directory, bundle, line }

  private static func meet(_ office: Office, _ one: Book, _ two: Book, by way: Way) async throws {
    switch way {
    case .directory:
      for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    case .bundle:
      _ = try two.replicator.writeBundle(to: bundle)
      _ = try one.replicator.sync(with: .file(bundle))
    case .line:
      let server = Server(try office.place("one").machine)
      let port = try await server.start()
      _ = try two.replicator.sync(with: .tcp(host: "127.0.0.1", port: port))
      #expect(await server.stop() == [])
    }
  }

  private static let bundle = MountedDisk.stick(0) / "bundle"

  @Test(arguments: Way.allCases)
  func `Malformed bodies: those from an admitted device count equally on all devices`(
    way: Way
  ) async throws {
    let office = Office(seed: 2_101)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    let digest = try one.statusReader.digest()
    try Self.write(on: try office.place("two"), two)
    let again = try office.place("two").open()
    try await Self.meet(office, one, again, by: way)
    _ = try again.replicator.writeBundle(to: Self.bundle)
    let three = try office.join("three", from: .file(Self.bundle))
    _ = try again.replicator.sync(with: Office.directory)
    let four = try office.join("four")
    for book in [one, again, three, four] {
      try Self.check(book, like: digest, unread: Self.bodies.count)
    }
    // Events after them count.
    _ = try again.commands.perform(.addList(name: "Away", colour: nil))
    _ = try again.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory)
    #expect(try one.view().lists.lists().compactMap(\.name).sorted() == ["Away", "Home"])
    #expect(try one.statusReader.digest() == again.statusReader.digest())
  }

  @Test func `Malformed bodies: from an unadmitted device they are set aside`() throws {
    let office = Office(seed: 2_102)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    let digest = try one.statusReader.digest()
    try Self.write(on: try office.place("two"), two)
    _ = try office.place("two").open().replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory)
    #expect(one.core.store.journal.aside.count == 1)
    #expect(try one.statusReader.digest() == digest)
    #expect(try one.verifier.verify().faults.isEmpty)
    #expect(try one.verifier.verify().isWhole)
    // Once the device is admitted, they count as not understood.
    try one.admin.admit(try #require(try one.deviceList.waitingDevices().first))
    try Self.check(one, like: digest, unread: Self.bodies.count)
  }

  @Test func `Malformed bodies: a remembered trust entry with one is skipped`() throws {
    let place = Landmark(
      log: UniqueID(high: 1, low: 1), sequence: 3, hash: UniqueID(high: 1, low: 2))
    let admit = TrustVerb.admit(try PublicKey([UInt8](repeating: 7, count: 32)), name: "phone")
    let bodies: [[UInt8]] = [
      [0x81, 9], [0x83, 10, 0x41, 7, 5], [0x82, 12, 0], [0x82, 13, 7], [0x81, 16], [0x40], [],
      CBORValue.encode(.array([.unsigned(9), Self.neutral, .text("neutral")])), admit.encode(),
    ]
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(1)
    writer.arrayHeader(bodies.count)
    for body in bodies {
      writer.arrayHeader(5)
      writer.uniqueID(place.log)
      writer.landmark(place)
      writer.byteString(body)
    }
    for _ in 0..<2 { writer.arrayHeader(0) }
    let record = TrustRecord(parsing: writer.bytes + SHA256.digest(of: writer.bytes).bytes)
    #expect(try #require(record).entries.map(\.verb) == [admit])
  }
}
