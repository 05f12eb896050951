import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import PosixPlatform
import ReadModel
import Syncing
import Testing
import Verifying

@testable import Daybook

/// A device cannot use more of a book than its quota, however much it sends.
struct QuotaTests {
  private static let small = Quota(logs: 3, events: 20, bytes: 4_096)

  /// Two books, the first of which has a device with a small quota.
  private func office(_ quota: Quota = small, seed: UInt64) throws -> (books: [Book], Flood) {
    let (_, books, flood) = try wholeOffice(quota, seed: seed)
    return (books, flood)
  }

  private func wholeOffice(
    _ quota: Quota, seed: UInt64
  ) throws -> (Office, books: [Book], Flood) {
    let (office, books) = try TrustingTests.office("one", "two", seed: seed)
    let flood = try Flood()
    try flood.admit(into: books[0])
    try books[0].admin.setQuota(quota, of: flood.device(in: books[0]))
    return (office, books, flood)
  }

  private func used(_ flood: Flood, in book: Book) throws -> Quota {
    try #require(try book.statusReader.usage().first { $0.device.key == flood.key.bytes }).used
  }

  @Test func `Quota: logs that fit are accepted, and the others are reported`() throws {
    var (books, flood) = try office(seed: 9_101)
    try flood.begin(5)
    #expect(
      try flood.send(to: books[0])
        == flood.logs[3...].map { SyncProblem.log(.overQuota($0)) })
    #expect(try used(flood, in: books[0]).logs == 3)
    #expect(try books[0].view().todos.todos().map(\.title) == ["spam 0", "spam 0", "spam 0"])
    try TrustingTests.add("mine", to: books[0])
    #expect(try books[0].verifier.verify().faults == [])
  }

  @Test func `Quota: events that were left out are reported until they arrive`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 9_131)
    let two = try books[0].deviceList.device(called: "two")
    func usage() throws -> DeviceUsage? { try books[0].statusReader.usage().first }
    func finding() throws -> Finding? {
      try books[0].healthCheck.diagnose().findings.first {
        if case .quotas = $0 { true } else { false }
      }
    }
    let events = try #require(try usage()).used.events
    try books[0].admin.setQuota(Quota(logs: 3, events: events + 20, bytes: 1 << 20), of: two)
    #expect(try finding() == .quotas([]))
    try books[0].admin.setQuota(Quota(logs: 3, events: events, bytes: 1 << 20), of: two)
    try TrustingTests.add("more", to: books[1])
    _ = try books[1].replicator.sync(with: Office.directory)
    _ = try books[0].replicator.sync(with: Office.directory)
    #expect(try usage()?.isHeldBack == true)
    #expect(try finding() == .quotas([], heldBack: ["two"]))
    try books[0].admin.setQuota(.standard, of: two)
    #expect(try finding() == .quotas([], heldBack: ["two"]))
    _ = try books[0].replicator.sync(with: Office.directory)
    #expect(try usage()?.isHeldBack == false)
    #expect(try finding() == .quotas([]))
  }

  @Test func `Quota: a log counts once, however many frames it arrives in`() throws {
    let (books, flood) = try office(seed: 9_111)
    var source = try Flood()
    try source.begin(1, frames: 9)
    #expect(try source.send(to: books[0]) == [])
    #expect(try used(flood, in: books[0]).logs == 1)
  }

  @Test func `Quota: a log that was refused is refused again`() throws {
    var (books, flood) = try office(seed: 9_112)
    try flood.begin(5)
    for _ in 0..<3 { #expect(try flood.send(to: books[0]).count == 2) }
    #expect(try used(flood, in: books[0]).logs == 3)
  }

  @Test func `Quota: waiting logs are accepted once it is raised`() throws {
    var (books, flood) = try office(seed: 9_102)
    try flood.begin(5)
    _ = try flood.send(to: books[0])
    try books[0].admin.setQuota(.standard, of: flood.device(in: books[0]))
    #expect(try flood.send(to: books[0]) == [])
    #expect(try used(flood, in: books[0]).logs == 5)
    #expect(books[0].file.quotas.isEmpty)
  }

  @Test(arguments: [
    Quota(logs: 64, events: 7, bytes: 1 << 20), Quota(logs: 64, events: 1_000, bytes: 1_000),
  ])
  func `Quota: events and bytes above it wait`(_ quota: Quota) throws {
    var (books, flood) = try office(quota, seed: 9_103)
    try flood.begin(5)
    let problems = try flood.send(to: books[0])
    #expect(!problems.isEmpty)
    #expect(try used(flood, in: books[0]).fits(quota))
    #expect(try books[0].statusReader.usage().map(\.quota).contains(quota))
  }

  /// Bodies that are short and take much memory once they are folded.
  enum Heavy: CaseIterable {
    case tags
    case alternatives
    case name

    func body() throws -> [UInt8] {
      switch self {
      case .tags: edit((0..<200).map { 65_536 + $0 })
      // Each alternative counts only because its field has a first value, too.
      case .alternatives: edit((0..<16).flatMap { row in (5..<15).map { row * 256 + $0 } })
      // All later commands read the names of devices.
      case .name:
        TrustVerb.admit(
          try PublicKey([UInt8](repeating: 7, count: 32)),
          name: String(repeating: "a", count: 20_000)
        ).encode()
      }
    }

    private func edit(_ fields: [Int64]) -> [UInt8] {
      Body(
        .edit, .entity(EventKey(log: 0, sequence: 2)),
        fields.map { Write(Field(rawValue: $0), .boolean(false)) }
      ).encode { _ in nil }
    }
  }

  @Test(arguments: Heavy.allCases)
  func `Quota: small items count with the memory that they take`(_ heavy: Heavy) throws {
    let quota = Quota(logs: 64, events: 1_000, bytes: 16 << 10)
    var (books, flood) = try office(quota, seed: 9_140)
    try flood.begin(1, bodies: [try heavy.body()])
    #expect(try flood.send(to: books[0]) == [.log(.overQuota(flood.logs[0]))])
    try books[0].admin.setQuota(.standard, of: flood.device(in: books[0]))
    #expect(try flood.send(to: books[0]) == [])
    #expect(try used(flood, in: books[0]).bytes > quota.bytes)
  }

  @Test func `Quota: received events count the same before and after they are folded`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 9_141)
    try TrustingTests.add("a", to: books[0])
    try office.exchange()
    try TrustingTests.add("b", to: books[1])
    try office.exchange()
    let usage = try #require(try books[0].statusReader.usage().first)
    var sum: UInt64 = 0
    var first: EventRecord?
    try books[0].core.store.forEachFrame(of: usage.device.replica) { frame, events in
      sum += EventCharge.bytes(of: frame)
      first = first ?? events.first
    }
    #expect(usage.used.bytes == sum)
    let event = try #require(first)
    let alone = EventCharge.bytes(of: event, naming: nil)
    let seen = Seen(log: .index(0), sequence: 9, hash: .none, missing: [1...2, 4...5])
    let header = Header(delta: 0, seen: [seen, seen])
    #expect(EventCharge.bytes(of: event, naming: header) == alone + 6 * 64)
    #expect(alone == UInt64(event.header.count + event.body.count) + 256)
  }

  @Test func `Quota: branches of a log count as logs, as soon as they arrive`() throws {
    var (books, flood) = try office(seed: 9_104)
    try flood.begin(1, branches: 5)
    // The first fork leaves the first event as a log, and adds two branches.
    #expect(try flood.send(to: books[0]) == [.log(.overQuota(flood.logs[0]))])
    #expect(try used(flood, in: books[0]).logs == 3)
    try books[0].admin.setQuota(
      Quota(logs: 6, events: 20, bytes: 4_096), of: flood.device(in: books[0]))
    #expect(try flood.send(to: books[0]) == [])
    #expect(try used(flood, in: books[0]).logs == 6)
    var more = flood
    try more.begin(1)
    #expect(try more.send(to: books[0]).contains(.log(.overQuota(more.logs[1]))))
  }

  @Test func `Quota: a device is charged for events of devices that it admitted`() throws {
    var (books, flood) = try office(seed: 9_105)
    var friend = try Flood(seed: 99)
    try flood.begin(1, admitting: [friend.key])
    #expect(try flood.send(to: books[0]) == [])
    try friend.begin(5)
    #expect(try friend.send(to: books[0]).count == 3)
    #expect(try used(flood, in: books[0]).logs == 3)
    #expect(try used(friend, in: books[0]).logs == 2)
  }

  @Test func `Quota: calls of keys that a device admitted use its memory quota`() throws {
    var (books, flood) = try office(.standard, seed: 9_142)
    var (first, last) = (try Flood(seed: 91), try Flood(seed: 92))
    let quotas = books[0].replica.quotas
    let two = try PublicKey(try books[0].deviceList.device(called: "two").key)
    try flood.begin(1, admitting: [first.key])
    try first.begin(1, admitting: [last.key])
    try last.begin(1)
    for each in [flood, first, last] { #expect(try each.send(to: books[0]) == []) }
    for key in [flood.key, first.key, last.key] {
      #expect(try quotas.sponsor(of: key) == flood.key)
    }
    #expect(try quotas.sponsor(of: two) == two)
    // A key that two devices have admitted depends on neither.
    try books[0].access.withLock { () throws(DaybookError) in
      var posting = try books[0].core.projector.remembered(by: try books[0].view())
      _ = try books[0].writer.append(
        [], trusting: [.admit(first.key, name: "first")], knowing: &posting)
    }
    for key in [first.key, last.key] { #expect(try quotas.sponsor(of: key) == first.key) }
  }

  @Test func `Quota: this device is exempt, and a device that two admitted is itself charged`()
    throws
  {
    var (books, flood) = try office(seed: 9_106)
    var friend = try Flood(seed: 99)
    try friend.admit(into: books[0])
    try flood.begin(1, admitting: [friend.key])
    #expect(try flood.send(to: books[0]) == [])
    try friend.begin(5)
    #expect(try friend.send(to: books[0]) == [])
    #expect(try used(flood, in: books[0]).logs == 1)
    #expect(try books[0].statusReader.usage().allSatisfy { !$0.device.isThis })
  }

  @Test func `Quota: events that are sent repeatedly are charged once`() throws {
    var (books, flood) = try office(seed: 9_107)
    try flood.begin(3)
    for _ in 0..<5 { #expect(try flood.send(to: books[0]) == []) }
    #expect(try used(flood, in: books[0]).logs == 3)
  }

  @Test func `Replay: a device that keeps resending events is refused, and stored events stay`()
    throws
  {
    var (books, flood) = try office(Quota(logs: 9, events: 900, bytes: 1 << 20), seed: 9_113)
    try flood.begin(1, frames: 100)
    var intake = Intake(BookReplica(of: books[0].replica))
    try flood.give(to: &intake)
    try intake.commit()
    let held = books[0].core.store.heldEventCount
    var rounds: UInt64 = 0
    let error = #expect(throws: SyncError.self) {
      while rounds < 5_000 {
        try flood.give(to: &intake)
        try intake.commit()
        rounds += 1
      }
    }
    #expect(error == .journal(.replayed(flood.logs[0])))
    #expect(rounds == (2 * held + 65_536) / 101)
    #expect(books[0].core.store.heldEventCount == held)
    #expect(try flood.send(to: books[0]) == [])
  }

  @Test func `Quota: several sessions share it before anything is folded`() throws {
    var (books, flood) = try office(seed: 9_108)
    try flood.begin(3)
    var others = flood
    try others.begin(2)
    let allowedPeers = (0..<2).map { _ in Intake(BookReplica(of: books[0].replica)) }
    var intakes = allowedPeers
    try flood.give(to: &intakes[0])
    try intakes[0].commit()
    try others.give(to: &intakes[1])
    try intakes[1].commit()
    #expect(intakes[1].problems.count == 2)
    #expect(books[0].core.store.journal.logs.count == 2 + 3)
  }

  @Test func `Quota: a sender learns what was refused, and raising the quota delivers the rest`()
    async throws
  {
    let office = Office(seed: 9_120, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    let device = try #require(try one.deviceList.devices().first { $0.name == "two" })
    let server = Server(try office.place("one").machine)
    let peer = PeerAddress.tcp(host: "127.0.0.1", port: try await server.start())
    #expect(try two.replicator.sync(with: peer).untaken == [])
    // The quota is changed by a process other than the server.
    try one.admin.setQuota(Quota(logs: 3, events: 1, bytes: 1 << 20), of: device)
    for name in ["a", "b", "c"] { try TrustingTests.add(name, to: two) }
    #expect(try two.receipts.untakenAtLastSync() == [])
    for _ in 1...2 { #expect(try two.replicator.sync(with: peer).untaken.map(\.events) == [3]) }
    #expect(try two.receipts.untakenAtLastSync() == [Finding.Counted(name: "one", count: 3)])
    try one.admin.setQuota(.standard, of: device)
    #expect(try two.replicator.sync(with: peer).untaken == [])
    #expect(try two.receipts.untakenAtLastSync() == [])
    #expect(await server.stop() == [])
    #expect(try TrustingTests.names(try office.place("one").open()) == ["a", "b", "c"])
  }

  @Test func `Quota: a device knows the amount that other devices charge it for`() throws {
    let office = Office(seed: 9_122)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    try TrustingTests.add("a", to: two)
    try office.exchange()
    let charged = try #require(try one.statusReader.usage().first { $0.device.name == "two" }).used
    #expect(charged.events > 1 && charged.bytes > 0)
    #expect(try two.statusReader.ownAmount() == charged)
  }

  @Test func `Quota: asking which events a peer did not keep notes nothing`() throws {
    let office = Office(seed: 9_121)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    try TrustingTests.add("a", to: two)
    let devices = try two.deviceList.devices()
    let peer = try #require(devices.first { !$0.isThis })
    let log = try #require(devices.first { $0.isThis }).replica
    var outcome = SyncOutcome()
    outcome.peerKey = try PublicKey(peer.key)
    outcome.lineUse = SyncOutcome.LineUse(traffic: Traffic())
    outcome.departures = Departures(ranges: [log: [1...2]])
    let untaken = try two.receipts.untaken(by: outcome)
    #expect(untaken.map(\.events) == [2])
    #expect(try two.receipts.untakenAtLastSync() == [])
    two.receipts.noteUntaken(untaken, by: outcome.peerKey)
    #expect(try two.receipts.untakenAtLastSync() == [Finding.Counted(name: "one", count: 2)])
    two.receipts.noteUntaken([], by: outcome.peerKey)
    #expect(try two.receipts.untakenAtLastSync() == [])
  }

  @Test func `Quota: a joining device accepts the whole book and raises quotas to fit it`() throws {
    var (office, books, flood) = try wholeOffice(
      Quota(logs: 500, events: 5_000, bytes: 1 << 20), seed: 9_109)
    try flood.begin(70)
    #expect(try flood.send(to: books[0]) == [])
    _ = try books[0].replicator.sync(with: Office.directory)
    let joined = try office.join("three")
    #expect(joined.core.store.journal.logs.count == books[0].core.store.journal.logs.count + 1)
    #expect(joined.file.quotas[flood.key]?.logs == 140)
    var more = flood
    try more.begin(1)
    #expect(try more.send(to: joined) == [])
  }
}
