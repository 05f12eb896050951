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
  var agenda = Agenda<Happening>()
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

  /// Lets everything happen, and sees that all is well in the end.
  func live() throws {
    try begin()
    for number in 0..<scenario.steps where !scenario.omitted.contains(number) {
      agenda.add(.step(number), at: Int64(number) * 4_000 + Int64(dice(of: number, 1).below(4_000)))
    }
    while let (time, happening) = agenda.next() {
      pass(until: time)
      try happen(happening)
    }
    try rest()
  }

  /// Lets time pass on all machines.
  func pass(until time: Int64) {
    for station in stations { station.clock.advance(milliseconds: time - now) }
    now = time
  }

  private func happen(_ happening: Happening) throws {
    switch happening {
    case .step(let number):
      step = number
      try take(number)
    case .turn(let meeting): try turn(meeting)
    case .arrival(let parcel): try arrive(parcel)
    case .reunion:
      separated = []
      note("reunion")
    case .room(let station):
      station.disk.clearWeather()
      note("\(station.name) has room")
    }
  }

  /// Makes the first machines, which know each other.
  private func begin() throws {
    for (number, stick) in sticks.enumerated() {
      try stick.makeDirectories(MountedDisk.stick(number))
    }
    for number in 0..<scenario.devices {
      let station = try makeStation()
      if number == 0 {
        _ = try station.found()
      } else {
        _ = try station.join(from: 0)
      }
      try sync(station, with: 0, .never)
    }
    try sync(stations[0], with: 0, .always)
    for station in stations { try sync(station, with: 0, .never) }
    for station in stations {
      try witness(station, isAcknowledged: true)
    }
    for station in stations { try audit(station) }
  }

  private func sync(
    _ station: Station, with stick: Int, _ admission: Admission
  ) throws(DaybookError) {
    _ = try station.process?.sync(
      with: .directory(MountedDisk.stick(stick)), admission: admission)
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
