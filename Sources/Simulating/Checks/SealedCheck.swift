import Daybook
import Platform
import SimulatedPlatform
import Syncing

/// Makes all stations sync with the sealed store, and checks that every member can open all of it.
struct SealedCheck {
  let world: World

  /// The number of rounds after which each member must be able to open everything.
  ///
  /// The first round brings the events of all stations and the keys of each to the store.
  private static let rounds = 2

  func check() throws {
    guard world.scenario.weather.contains(.sealing) else { return }
    for round in 1...Self.rounds {
      for station in world.stations { _ = try visit(station, round) }
    }
    try checkNames()
    guard world.scenario.weather.isDisjoint(with: Self.losing) else { return }
    for station in world.stations {
      let problems = try visit(station, Self.rounds + 1)
      for problem in problems where try isMember(station) {
        guard case .waiting(_, let count) = problem else { continue }
        throw Failure(.sealed, "\(station.name) cannot open \(count) objects")
      }
    }
  }

  /// The weather in which all devices that had a key can be gone.
  private static let losing: Set<WeatherKind> = [
    .revocations, .rekeys, .clones, .backups, .forgeries,
  ]

  private func visit(_ station: Station, _ round: Int) throws -> [SyncProblem] {
    try Audit(world: world).settle(station, "sealed round \(round)") {
      book throws(DaybookError) in
      try book.replicator.sync(with: world.address(ofStick: 1), admission: .never).problems
    }
  }

  private func isMember(_ station: Station) throws -> Bool {
    try Audit(world: world).settle(station, "status") { book throws(DaybookError) in
      try book.statusReader.status().isAdmitted
    }
  }

  /// Checks that no file of the stick has a name that shows which events are in it.
  private func checkNames() throws {
    for path in world.sticks[1].files.keys where DirectoryName(path.name) != nil {
      throw Failure(.sealed, "\(path.string) is not sealed")
    }
  }
}
