import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform

/// Machines with books, sticks and lines between them, in which everything follows from one scenario.
final class World {
  /// Something that is going to happen.
  enum Happening {
    /// One of the steps that happen by themselves.
    case step(Int)
    /// Two that talk go on.
    case turn(Meeting)
    /// A bundle comes to a machine.
    case arrival(Parcel)
    /// Two groups of machines reach each other again.
    case reunion
    /// A disk has room again.
    case room(Station)
  }

  let scenario: Scenario
  let sticks: [SimulatedDisk]
  var stations: [Station] = []
  var eventQueue = EventQueue<Happening>()
  var now: Int64 = 0
  var step = 0
  var trace: Trace
  /// How often something was done to the world, by its kind.
  var faults: [WeatherKind: Int] = [:]
  /// Every event that anybody has written, by its chain hash.
  var issued: [Digest: String] = [:]
  /// Whether anybody was revoked, so that what they erased may be there again.
  var hasRevoked = false
  /// Whether a log may have been written twice: by a twin, or by a machine that cannot know of what it lost.
  var mayFork = false
  /// The machines that the others do not reach.
  var separated: Set<Int> = []
  var meetings: [Meeting] = []
  var count = 0

  init(_ scenario: Scenario, tracing: Bool) {
    self.scenario = scenario
    trace = Trace(isWhole: tracing)
    let keeper = SimulatedTimekeeper(now: Self.start)
    sticks = (0..<2).map { _ in SimulatedDisk(timekeeper: keeper) }
  }

  static let start = Moment(milliseconds: 1_798_761_600_000)

  /// Dice of a step of its own, so that it falls the same whatever else is left out.
  func dice(of step: Int, _ use: UInt64 = 0) -> Seeded {
    let mixed = Seeded(seed: scenario.seed ^ (UInt64(step) &+ 1) &* 0xD134_2543_DE82_EF95)
    return Seeded(seed: mixed.number() &+ use)
  }

  func note(_ line: String) { trace.note("\(now) #\(step) \(line)") }

  func count(_ kind: WeatherKind, _ times: Int = 1) { faults[kind, default: 0] += times }

  /// Lets time pass on all machines.
  func pass(until time: Int64) {
    for station in stations { station.clock.advance(milliseconds: time - now) }
    now = time
  }

  func makeStation(identified: Bool = true) throws -> Station {
    let number = stations.count
    let dice = Seeded(seed: scenario.seed &* 8_191 &+ UInt64(number))
    let station = Station(
      number, seed: dice.number(), at: Moment(milliseconds: Self.start.milliseconds + now),
      sticks: sticks, hasWitness: dice.chance(60))
    if identified { try station.identify(as: "\(station.name) \(scenario.seed)") }
    stations.append(station)
    return station
  }
}
