import Bytes
import Crypto
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import TestDice
import Testing

/// Two devices of one book, connected by faulty lines.
final class ChaosPair {
  /// The way in which the two devices connect.
  enum Road: CaseIterable {
    /// Without TLS, so that wrong bytes reach the session.
    case plain
    /// A caller and a server, advanced step by step.
    case secure
    /// A blocking caller and a server.
    case waiting
  }

  /// The outcome of a meeting.
  struct Outcome {
    var faults: [SyncError] = []
    /// Failures that must never occur.
    var failures: [String] = []
    /// The problems of logs that the sessions reported.
    var problems: [SyncProblem] = []
    /// The events of each log that the dialler received in whole frames, new or not.
    var arrivals: [UniqueID: [ClosedRange<UInt64>]] = [:]
    /// The number of bytes that each side sent.
    var said = (there: 0, back: 0)
    /// Whether the dialler's session ended without fault.
    var isContent = false
    var traffic: Traffic?
  }

  let clock = SimulatedTimekeeper(now: Moment(milliseconds: 1_704_100_000_000))
  let sides: [ChaosSide]
  let relay: ChaosRelay
  private let network: SimulatedNetwork
  /// The number of bytes that a line buffers.
  private let room: Int
  private var dice: TestDice.Dice
  private var idle = 0

  /// The maximum number of steps, which exceeds what any session needs.
  static let patience = 300_000

  init(_ disks: [SimulatedDisk], seed: UInt64) throws {
    var dice = TestDice.Dice(seed: seed)
    let (clock, rooms) = (clock, [Int.max, Int.max, 3_000, 200, 40])
    room = rooms[dice.number(rooms.count)]
    let network = SimulatedNetwork(room: room)
    self.network = network
    sides = try disks.enumerated().map { place, disk in
      try ChaosSide(
        disk.copy(), on: network, clock, port: UInt16(place + 1),
        seed: seed &* 2 &+ UInt64(place))
    }
    relay = try ChaosRelay(on: network, dice: TestDice.Dice(seed: dice.next()))
    self.dice = dice
  }

  /// The disks of two devices that have admitted each other and hold the same events.
  static func disks() throws -> [SimulatedDisk] {
    let (office, _) = try TrustingTests.office("one", "two", seed: 2_201)
    return office.places.map(\.simulated.disk)
  }

  /// Lets one side call the other over a line with these faults.
  func meet(_ road: Road, _ chaos: Chaos, from place: Int) throws -> Outcome {
    let (dialler, listener) = (sides[place], sides[1 - place])
    relay.next = { chaos }
    relay.target = listener.port
    idle = 0
    switch road {
    case .plain: return try syncOutcome(from: dialler, to: listener, chaos)
    case .secure: return try visit(from: dialler, to: listener)
    case .waiting: return try call(from: dialler, to: listener, chaos)
    }
  }

  /// Advances the relay and the clock.
  func step() throws {
    let hasMoved = try relay.step(at: clock.monotonicMilliseconds())
    idle = hasMoved ? 0 : idle + 1
    // After a few idle steps, let more time pass.
    if idle < 4 {
      if dice.chance(20) { clock.advance(milliseconds: 1) }
    } else {
      clock.advance(milliseconds: 1 + Int64(dice.number(dice.chance(90) ? 300 : 9_000)))
    }
  }

  struct Hang: Error {}

  /// Repeats until the condition holds; throws after too many steps.
  private func until(_ isOver: () throws -> Bool) throws {
    for _ in 0..<Self.patience where try isOver() { return }
    throw Hang()
  }
}

// MARK: - The ways to meet

extension ChaosPair {
  /// A session without TLS.
  ///
  /// It believes false claims, so nothing is recorded after changed bytes.
  private func syncOutcome(
    from dialler: ChaosSide, to listener: ChaosSide, _ chaos: Chaos
  ) throws -> Outcome {
    listener.stop()
    let door = try network.listen(host: "here", port: listener.port)
    defer { door.close() }
    let near = try dial()
    _ = try relay.step(at: clock.monotonicMilliseconds())
    let far = try #require(try door.accept(patienceMilliseconds: 0))
    let speakers = [
      try ChaosSpeaker(.dialler, for: dialler, over: near),
      try ChaosSpeaker(.listener, for: listener, over: far),
    ]
    try until {
      for place in dice.chance(50) ? [0, 1] : [1, 0] { speakers[place].advance() }
      try step()
      return relay.isIdle && speakers.allSatisfy { $0.isOver }
    }
    var outcome = Outcome(
      arrivals: speakers[0].guest.arrivals, said: relay.said,
      isContent: speakers[0].fault == nil, traffic: speakers[0].report.traffic)
    for (speaker, other) in zip(speakers, [listener, dialler]) {
      try speaker.end(isNoted: false)
      outcome.faults += speaker.fault.map { [$0] } ?? []
      outcome.problems += speaker.report.problems
      if !chaos.isFalse { note(speaker.report.peerFrontier.places, of: other) }
    }
    return outcome
  }

  /// A call to the other side's server, step by step.
  private func visit(from dialler: ChaosSide, to listener: ChaosSide) throws -> Outcome {
    try listener.serve()
    let speaker = try ChaosSpeaker(visiting: dialler, over: try dial())
    try until {
      if dice.chance(50) { speaker.advance() }
      note(try listener.turn(), of: dialler)
      speaker.advance()
      try step()
      return relay.isIdle && speaker.isOver && !listener.isTalking
    }
    try speaker.end(isNoted: true)
    note(speaker.report.peerFrontier.places, of: listener)
    let (faults, failures) = listener.takeFaults()
    return Outcome(
      faults: (speaker.fault.map { [$0] } ?? []) + faults, failures: failures,
      problems: speaker.report.problems, arrivals: speaker.guest.arrivals,
      said: relay.said, isContent: speaker.fault == nil, traffic: speaker.report.traffic)
  }

  /// A blocking sync, like that of a command, while another process serves the other book.
  private func call(
    from dialler: ChaosSide, to listener: ChaosSide, _ chaos: Chaos
  ) throws -> Outcome {
    let network = SimulatedNetwork(room: room)
    let waiting = try WaitingNetwork(
      to: listener.disk, over: network, clock, chaos, seed: dice.next())
    let machine = Machine(
      disk: dialler.disk, timekeeper: clock, dice: dialler.machine.dice, network: waiting)
    let book = try Book(at: Office.folder, on: machine, view: .memory)
    var outcome = Outcome()
    var traffic: Traffic?
    do throws(DaybookError) {
      let peer = PeerAddress.tcp(host: ChaosRelay.host, port: ChaosRelay.port)
      traffic = try book.replicator.sync(with: peer).traffic
    } catch .sync(let error) {
      outcome.faults = [error]
    } catch {
      outcome.failures = ["\(error)"]
    }
    let end = waiting.end()
    outcome.isContent = traffic != nil
    (outcome.traffic, outcome.said) = (traffic, end.said)
    outcome.faults += end.faults
    outcome.failures += end.failures
    return outcome
  }

  private func dial() throws(NetworkError) -> any Line {
    try network.dial(host: ChaosRelay.host, port: ChaosRelay.port, patienceMilliseconds: 0)
  }

  /// Both sides stay connected and write; the caller calls again after it loses the line.
  func keepInTouch(
    _ steps: Int, _ dice: inout TestDice.Dice, next: @escaping () -> Chaos
  ) throws -> Outcome {
    relay.next = next
    relay.target = sides[0].port
    try sides[0].serve()
    try sides[1].follow(Endpoint(host: ChaosRelay.host, port: ChaosRelay.port))
    for step in 1...steps {
      // Cut the lines at regular intervals, in addition to random faults.
      if step.isMultiple(of: 1_000) { network.cutLines() }
      if dice.chance(1), let side = dice.pick(sides) { try side.write(&dice) }
      try turn()
    }
    relay.next = { .none }
    network.cutLines()
    var calm = 0
    try until {
      try turn()
      calm = sides.allSatisfy { $0.isTalking && $0.isSettled } ? calm + 1 : 0
      return calm > 200
    }
    for side in sides { side.stop() }
    var outcome = Outcome(said: relay.said)
    for (faults, failures) in sides.map({ $0.takeFaults() }) {
      outcome.faults += faults
      outcome.failures += failures
    }
    return outcome
  }

  private func turn() throws {
    for (side, other) in dice.chance(50) ? [(0, 1), (1, 0)] : [(1, 0), (0, 1)] {
      note(try sides[side].turn(), of: sides[other])
    }
    try step()
  }

  /// Notes which events a side has acknowledged.
  private func note(_ places: [Place], of side: ChaosSide) {
    for place in places { side.promise(place.log, upTo: place.sequence) }
  }
}
