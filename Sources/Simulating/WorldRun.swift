import Daybook
import Platform
import SimulatedPlatform

/// Runs a world event by event.
struct WorldRun {
  let world: World

  /// Runs all steps and the events that result from them, and checks convergence at the end.
  func live() throws {
    try begin()
    for number in 0..<world.scenario.steps where !world.scenario.omitted.contains(number) {
      world.eventQueue.add(
        .step(number), at: Int64(number) * 4_000 + Int64(world.dice(of: number, 1).below(4_000)))
    }
    while let (time, happening) = world.eventQueue.next() {
      world.pass(until: time)
      try happen(happening)
    }
    try Convergence(world: world).check()
  }

  private func happen(_ happening: World.Happening) throws {
    switch happening {
    case .step(let number):
      world.step = number
      try Steps(world: world).take(number)
    case .turn(let meeting): try Meetings(world: world).turn(meeting)
    case .arrival(let parcel): try Steps(world: world).arrive(parcel)
    case .reunion:
      world.separated = []
      world.note("reunion")
    case .room(let station):
      station.disk.clearWeather()
      world.note("\(station.name) has room")
    }
  }

  /// Creates the first stations, which admit each other over a stick.
  private func begin() throws {
    for (number, stick) in world.sticks.enumerated() {
      try stick.makeDirectories(MountedDisk.stick(number))
    }
    for number in 0..<world.scenario.devices {
      let station = try world.makeStation()
      if number == 0 {
        _ = try station.found()
      } else {
        _ = try station.join(from: 0)
      }
      try sync(station, with: 0, .never)
    }
    try sync(world.stations[0], with: 0, .always)
    for station in world.stations { try sync(station, with: 0, .never) }
    if world.scenario.weather.contains(.sealing) { try SealedCheck(world: world).begin() }
    for station in world.stations {
      try Audit(world: world).witness(station, isAcknowledged: true)
    }
    for station in world.stations { try Audit(world: world).audit(station) }
  }

  private func sync(
    _ station: Station, with stick: Int, _ admission: Admission
  ) throws(DaybookError) {
    _ = try station.process?.replicator.sync(
      with: .directory(MountedDisk.stick(stick)), admission: admission)
  }
}
