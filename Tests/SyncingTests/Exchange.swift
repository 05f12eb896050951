import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// A device in a test, which serves a holder and dials other devices.
///
/// All devices of a test share one network and one clock.
final class Exchange: SyncServerDelegate {
  let holder: MemoryHolder
  let key: PublicKey
  /// Whether the sessions of the device stay open to send new events.
  var stays = true
  /// The keys that the device accepts.
  var admits: @Sendable (PublicKey) -> Bool = { _ in true }
  /// The keys whose memory quotas peers use instead of their own, by the keys of the peers.
  var payers: [PublicKey: PublicKey] = [:]
  /// The identity that the device presents instead of its own, if there is one.
  var mask: TLSIdentity?
  /// The errors to throw when the device is asked for credentials, and when it begins a conversation.
  var trouble: (atTheDoor: SyncError?, inTalk: SyncError?)
  /// The errors that ended the calls of the device; nil for a normal end.
  private(set) var ends: [SyncError?] = []
  /// The calls in which both sides have reached the same state.
  private(set) var settled: Set<UInt64> = []
  private(set) var missed: [SyncError] = []
  private(set) var glances = 0

  private var syncServer: SyncServer?
  private let machine: Machine
  private let identity: TLSIdentity
  /// The frontier when new events were last announced.
  private var announced: Frontier

  init(
    _ holder: MemoryHolder, _ seed: UInt8, on machine: Machine, mostSessions: Int = 100
  ) throws {
    (self.holder, self.machine) = (holder, machine)
    identity = try SecureLineTests.identity(seed)
    (key, announced) = (identity.publicKey, holder.frontier)
    syncServer = try SyncServer(on: machine, host: self, mostSessions: mostSessions)
  }

  var board: SyncServer {
    guard let syncServer else {
      preconditionFailure("the server is created together with its host")
    }
    return syncServer
  }

  @discardableResult
  func listen(at port: UInt16) throws -> Exchange {
    try board.listen(machine.network.listen(host: "here", port: port))
    return self
  }

  func dial(_ port: UInt16) { board.dial(.tcp(Endpoint(host: "here", port: port)), as: Int(port)) }

  /// Writes to the device's own log and announces the new events.
  func write(_ text: String) {
    holder.write([text], to: holder.replica)
    announced = holder.frontier
    board.announceNews()
  }

  func credentials(for destination: Int?) throws(SyncError) -> Credentials {
    if let trouble = trouble.atTheDoor { throw trouble }
    return Credentials(mask ?? identity, admits: admits)
  }

  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer {
    if let trouble = trouble.inTalk { throw trouble }
    return AcceptedPeer(
      Conversation(
        call.destination == nil ? .listener : .dialler, holder: holder,
        timekeeper: machine.timekeeper, since: call.start, stays: stays), isKnown: true,
      payer: call.peerKey.flatMap { payers[$0] })
  }

  func settled(_ call: Call) {
    settled.insert(call.number)
    guard holder.frontier != announced else { return }
    announced = holder.frontier
    board.announceNews()
  }

  func ended(_ call: Call, because error: SyncError?) { ends.append(error) }

  func missed(_ destination: Int, because error: SyncError) { missed.append(error) }

  func doorFailed(_ error: SyncError) { missed.append(error) }

  func checkForCommits() { glances += 1 }
}

/// The devices of a test, and the clock that they share.
struct Exchanges {
  let simulated: SimulatedMachine
  var machine: Machine { simulated.machine }
  private(set) var all: [Exchange] = []

  init(room: Int = .max) {
    simulated = SimulatedMachine(seed: 1, network: SimulatedNetwork(room: room))
  }

  mutating func add(_ replica: UniqueID, _ seed: UInt8, mostSessions: Int = 100) throws -> Exchange
  {
    let holder = MemoryHolder(replica)
    let exchange = try Exchange(holder, seed, on: machine, mostSessions: mostSessions)
    all.append(exchange)
    return exchange
  }

  /// Gives each device the given number of turns.
  func turn(_ count: Int = 12) throws {
    for _ in 0..<count {
      for exchange in all { try exchange.board.turn(patienceMilliseconds: 0) }
    }
  }

  /// Advances the clock in steps, with turns of all devices after each step.
  func pass(seconds: Int, steps: Int) throws {
    for _ in 0..<steps {
      simulated.timekeeper.advance(milliseconds: Int64(seconds) * 1_000 / Int64(steps))
      try turn(4)
    }
  }

  /// A caller that only sends the given bytes.
  func stranger(_ port: UInt16, saying bytes: [UInt8] = []) throws -> any Line {
    let line = try machine.network.dial(host: "here", port: port, patienceMilliseconds: 0)
    if !bytes.isEmpty { try line.send(bytes, patienceMilliseconds: 0) }
    return line
  }
}
