import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

/// Sides that cannot sync because of their own disk.
///
/// The peers notice the failure, and the next call succeeds.
struct TroubledHostTests {
  private static let trouble = SyncError.disk(DiskError(.read, Path("/book"), .io))

  private var exchanges = Exchanges()
  private let anna: Exchange
  private let bert: Exchange

  init() throws {
    (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    anna.holder.write(["a1"], to: .anna)
  }

  private func expectNobody() {
    #expect([anna.board.count, bert.board.count] == [0, 0])
    #expect(bert.holder.texts(of: .anna) == [])
  }

  private mutating func expectTalk() throws {
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna) == ["a1"])
  }

  @Test
  mutating func `Host failure: a dialler without credentials fails, and its next call succeeds`()
    throws
  {
    bert.trouble.atTheDoor = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.missed == [Self.trouble])
    expectNobody()
    bert.trouble.atTheDoor = nil
    try expectTalk()
  }

  @Test
  mutating func `Host failure: a listener without credentials drops a call and accepts the next`()
    throws
  {
    anna.trouble.atTheDoor = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.missed == [Self.trouble])
    #expect(bert.ends == [.tls(.cut)])
    expectNobody()
    anna.trouble.atTheDoor = nil
    try expectTalk()
  }

  @Test mutating func `Host failure: a session that cannot start ends only its own call`() throws {
    anna.trouble.inTalk = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.ends == [Self.trouble])
    #expect(bert.ends.count == 1)
    expectNobody()
    anna.trouble.inTalk = nil
    try expectTalk()
  }

  @Test
  mutating func `Host failure: a dialler unable to handshake fails, and its next call succeeds`()
    throws
  {
    bert.mask = try SecureLineTests.speechless(2)
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.missed == [.tls(.otherVersion)])
    #expect(anna.ends == [.tls(.cut)])
    expectNobody()
    bert.mask = nil
    try expectTalk()
  }

  @Test
  mutating func `Host failure: a dialler whose poller is full fails, and its next call succeeds`()
    throws
  {
    let machine = exchanges.machine
    let network = CrowdedNetwork(machine.network)
    let cleo = try Exchange(
      MemoryHolder(.cleo), 3,
      on: Machine(
        disk: machine.disk, timekeeper: machine.timekeeper, dice: machine.dice, network: network))
    network.isCrowded.store(true, ordering: .relaxed)
    cleo.dial(7)
    try exchanges.turn()
    #expect(cleo.missed == [.network(CrowdedNetwork.error)])
    #expect(cleo.board.count == 0)
    #expect(anna.ends == [.tls(.cut)])
    network.isCrowded.store(false, ordering: .relaxed)
    cleo.dial(7)
    for _ in 0..<12 {
      try exchanges.turn(1)
      try cleo.board.turn(patienceMilliseconds: 0)
    }
    #expect(cleo.holder.texts(of: .anna) == ["a1"])
  }

  @Test func `Host failure: the reason of a caller is read although nothing can be sent to it`()
    throws
  {
    let machine = exchanges.machine
    let line = try SecureLine(
      .client, over: machine.network.dial(host: "here", port: 7, patienceMilliseconds: 0),
      as: SecureLineTests.identity(3), timekeeper: machine.timekeeper
    ) { _ in true }
    while try !line.shakeHands(patienceMilliseconds: 0) { try exchanges.turn(1) }
    var hello = MemoryHolder(.cleo).hello
    hello.stays = true
    let refusal = Refusal(.busy, "my disk cannot store the events")
    // More bytes than are read at once.
    let alive = repeatElement(Message.alive.encoded, count: 20_000).joined()
    try line.send(
      Message.hello(hello).encoded + alive + Message.refusal(refusal).encoded,
      patienceMilliseconds: 0)
    line.close()
    try exchanges.turn()
    #expect(anna.ends == [.refused(refusal)])
    expectNobody()
  }

  @Test mutating func `Host failure: if a call has two errors, the first is reported`() throws {
    let caller = try HandMadeCaller(7, exchanges.machine)
    for _ in 0..<12 {
      try caller.turn()
      try exchanges.turn(1)
    }
    #expect(caller.talker.state == .settled)
    // The new events cannot be read. Before this side can report that, bytes arrive that are not TLS.
    let trouble = JournalError.disk(DiskError(.read, Path("/book"), .io))
    anna.holder.trouble = trouble
    anna.write("a2")
    try caller.line.send([0x17, 3, 3, 0, 1, 7], patienceMilliseconds: 0)
    try exchanges.turn()
    #expect(anna.ends == [.journal(trouble)])
    // The caller receives an alert that its last record was not encrypted correctly.
    #expect(throws: TLSError.refused(alert: 20)) { try caller.turn() }
    expectNobody()
    anna.holder.trouble = nil
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna) == ["a1", "a2"])
  }
}

/// A caller that performs the steps of a sync server one by one.
private final class HandMadeCaller {
  let line: any Line
  private(set) var talker = Talker(.dialler, MemoryHolder(.cleo), stays: true)
  private var tls: TLSSession

  init(_ port: UInt16, _ machine: Machine) throws {
    line = try machine.network.dial(host: "here", port: port, patienceMilliseconds: 0)
    tls = try TLSSession.begin(.client, as: SecureLineTests.identity(3)) { _ in true }
  }

  /// Reads what has arrived, and sends what is pending.
  func turn() throws {
    while let bytes = try next() {
      let heard = try tls.receive(bytes)
      if !heard.isEmpty { talker.hear(heard) }
    }
    if tls.phase != .handshake {
      var said = talker.takeOutgoing()[...]
      while !said.isEmpty { said = said.dropFirst(try tls.send(said)) }
    }
    let bytes = tls.outgoing()
    if !bytes.isEmpty { try line.send(bytes, patienceMilliseconds: 0) }
  }

  private func next() throws -> [UInt8]? {
    do throws(NetworkError) {
      return try line.receive(upTo: 1 << 16, patienceMilliseconds: 0)
    } catch {
      guard error == .timedOut else { throw error }
      return nil
    }
  }
}

/// A network whose poller can refuse new lines, as on a machine that is out of memory.
private final class CrowdedNetwork: Network {
  static let error = NetworkError.other(12)
  let isCrowded = Atomic(false)
  private let network: any Network

  init(_ network: any Network) { self.network = network }

  func poller() throws(NetworkError) -> any Poller {
    CrowdedPoller(try network.poller(), of: self)
  }

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    try network.listen(host: host, port: port)
  }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    try network.dial(host: host, port: port, patienceMilliseconds: patienceMilliseconds)
  }
}

private struct CrowdedPoller: Poller {
  private let poller: any Poller
  private let network: CrowdedNetwork

  init(_ poller: any Poller, of network: CrowdedNetwork) {
    (self.poller, self.network) = (poller, network)
  }

  func canWait(for subject: any Pollable) -> Bool { poller.canWait(for: subject) }

  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError) {
    if network.isCrowded.load(ordering: .relaxed) { throw CrowdedNetwork.error }
    try poller.add(subject, as: token, for: interest)
  }

  func change(_ token: UInt64, to interest: Interest) throws(NetworkError) {
    try poller.change(token, to: interest)
  }

  func remove(_ token: UInt64) { poller.remove(token) }

  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness] {
    try poller.wait(patienceMilliseconds: patienceMilliseconds)
  }

  func wake() { poller.wake() }
}
