import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform

/// A number of stations with books, and the sticks and lines between them.
///
/// A scenario determines everything that happens.
final class World {
  /// An event in the queue of the world.
  enum Happening {
    /// A step of the scenario begins.
    case step(Int)
    /// A meeting has its next turn.
    case turn(Meeting)
    /// A bundle reaches a station.
    case arrival(Parcel)
    /// The two separated groups of stations can reach each other again.
    case reunion
    /// A disk has free space again.
    case room(Station)
  }

  let scenario: Scenario
  let sticks: [SimulatedDisk]
  var stations: [Station] = []
  var eventQueue = EventQueue<Happening>()
  var now: Int64 = 0
  var step = 0
  var trace: Trace
  /// The number of times that each kind of weather has struck.
  var faults: [WeatherKind: Int] = [:]
  /// All written events, by chain hash, with their descriptions.
  var issued: [Digest: String] = [:]
  /// Whether a device may have been revoked.
  ///
  /// The erasures by that device may then be undone.
  var hasRevoked = false
  /// Whether a log may have been written twice, either by a copy of a machine or by a machine that could not know that
  /// it had lost events.
  var mayFork = false
  /// The numbers of the stations in one of the two separated groups; empty if all stations can reach each other.
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

  /// Random numbers for one step and one use, regardless of which other steps are omitted.
  func dice(of step: Int, _ use: UInt64 = 0) -> Seeded {
    let mixed = Seeded(seed: scenario.seed ^ (UInt64(step) &+ 1) &* 0xD134_2543_DE82_EF95)
    return Seeded(seed: mixed.number() &+ use)
  }

  func note(_ line: String) { trace.note("\(now) #\(step) \(line)") }

  func count(_ kind: WeatherKind, _ times: Int = 1) { faults[kind, default: 0] += times }

  /// Advances the clocks of all stations.
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
