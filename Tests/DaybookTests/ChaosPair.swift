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

/// Two devices of one book, and lines between them on which anything may happen.
final class ChaosPair {
  /// How the two meet.
  enum Road: CaseIterable {
    /// Without TLS, so that what is wrong is there to be read.
    case plain
    /// As one who calls one who serves, step by step.
    case secure
    /// As one who calls one who serves, and waits.
    case waiting
  }

  /// What a meeting came to.
  struct Outcome {
    var faults: [SyncError] = []
    /// What is to have never happened.
    var failures: [String] = []
    /// What the sessions themselves found wrong with logs.
    var problems: [SyncProblem] = []
    /// The events of each log that have come to the dialler, new or not, in whole frames.
    var arrivals: [UniqueID: [ClosedRange<UInt64>]] = [:]
    /// How many bytes each of them has said.
    var said = (there: 0, back: 0)
    /// Whether the dialler is content.
    var isContent = false
    var traffic: Traffic?
  }

  let clock = SimulatedTimekeeper(now: Moment(milliseconds: 1_704_100_000_000))
  let sides: [ChaosSide]
  let relay: ChaosRelay
  private let network: SimulatedNetwork
  /// How many bytes lines keep that are offered and not taken.
  private let room: Int
  private var dice: TestDice.Dice
  private var idle = 0

  /// More steps than any session takes in which something happens.
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

  /// The disks of two devices that know each other and have had all from each other.
  static func disks() throws -> [SimulatedDisk] {
    let (office, _) = try TrustingTests.office("one", "two", seed: 2_201)
    return office.places.map(\.simulated.disk)
  }

  /// Lets one dial the other over a line on which something happens.
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

  /// Lets the relay and the clock go on.
  func step() throws {
    let hasMoved = try relay.step(at: clock.monotonicMilliseconds())
    idle = hasMoved ? 0 : idle + 1
    // Who has something to answer needs a moment for it.
    if idle < 4 {
      if dice.chance(20) { clock.advance(milliseconds: 1) }
    } else {
      clock.advance(milliseconds: 1 + Int64(dice.number(dice.chance(90) ? 300 : 9_000)))
    }
  }

  struct Hang: Error {}

  /// Goes on until it is over, and throws when that takes too long.
  private func until(_ isOver: () throws -> Bool) throws {
    for _ in 0..<Self.patience where try isOver() { return }
    throw Hang()
  }
}

// MARK: - The ways to meet

extension ChaosPair {
  /// Without TLS; what is false in that is believed, so nothing is remembered of it.
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

  /// As one who dials another that serves its book.
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

  /// As somebody does who says that the book is to sync, while another process serves the other one.
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

  /// As two that stay, of whom one calls again when it has lost the other, while both write.
  func keepInTouch(
    _ steps: Int, _ dice: inout TestDice.Dice, next: @escaping () -> Chaos
  ) throws -> Outcome {
    relay.next = next
    relay.target = sides[0].port
    try sides[0].serve()
    try sides[1].follow(Endpoint(host: ChaosRelay.host, port: ChaosRelay.port))
    for step in 1...steps {
      // In any case now and then.
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

  /// Notes what one has said that it holds.
  private func note(_ places: [Place], of side: ChaosSide) {
    for place in places { side.promise(place.log, upTo: place.sequence) }
  }
}
