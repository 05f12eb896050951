import Foundation
import Simulating
import Testing

/// Simulated worlds with many faults, in which every invariant must hold.
struct SimulationTests {
  /// The number of worlds in each row of tests; `DAYBOOK_WORLDS` sets the number of rows.
  private static let row: UInt64 = 10
  private static let rows =
    ProcessInfo.processInfo.environment["DAYBOOK_WORLDS"].flatMap { UInt64($0) } ?? 6

  private static func failures(of scenarios: [Scenario]) -> [String] {
    scenarios.compactMap { scenario in
      Simulation.run(scenario).failure.map { failure in
        "\(failure.invariant): \(failure.detail)\ndaybook-simulate \(scenario.words)"
      }
    }
  }

  @Test(arguments: Array(0..<rows))
  func `Simulation: every invariant holds in worlds with any weather`(number: UInt64) {
    let seeds = 500_000 + number * Self.row..<500_000 + (number + 1) * Self.row
    #expect(Self.failures(of: seeds.map { Scenario(seed: $0) }) == [])
  }

  @Test(arguments: [WeatherKind.rot, .misdirection])
  func `Simulation: every invariant holds in worlds with rot or misdirected writes`(
    kind: WeatherKind
  ) {
    let seeds: Range<UInt64> = 600_000..<600_005
    #expect(Self.failures(of: seeds.map { Scenario(seed: $0, weather: [kind, .crashes]) }) == [])
  }

  @Test func `Simulation: worlds that once failed now pass`() throws {
    let regressions = try Regressions.all()
    #expect(regressions.count >= 26)
    #expect(Self.failures(of: regressions.map(\.scenario)) == [])
  }

  @Test func `Simulation: equal seeds give equal worlds, and different seeds different worlds`() {
    let marks = [17, 17, 18].map { (seed: UInt64) in
      Simulation.run(Scenario(seed: seed)).trace.mark
    }
    #expect(marks[0] == marks[1] && marks[1] != marks[2])
  }

  @Test func `Simulation: only the requested kinds of weather occur`() {
    var all: Set<WeatherKind> = []
    for (seed, kind) in WeatherKind.allCases.enumerated() {
      // A flush fails only during another action, and torn writes appear only if the power fails.
      let weather: Set<WeatherKind> = kind == .tears ? [kind, .crashes] : [kind]
      var scenario = Scenario(seed: UInt64(seed), weather: weather)
      (scenario.steps, scenario.devices) = (40, 3)
      let kinds = Set(Simulation.run(scenario).faults.keys)
      #expect(kinds.isSubset(of: weather))
      all.formUnion(kinds)
    }
    #expect(all.count >= 15)
  }

  @Test func `Simulation: an ordinary build has no planted faults`() {
    #expect(Simulation.plants == [])
    #expect(Scenario(parsing: "--seeds 1..<2 --plant skipTailFlush") == nil)
  }

  @Test func `Simulation: the options of a scenario parse to the same scenario`() throws {
    var scenario = Scenario(seed: 3, weather: [.rot, .cuts])
    scenario.omitted = [1, 2, 3, 7]
    (scenario.strength, scenario.devices, scenario.steps) = (2, 2, 40)
    #expect(
      scenario.words
        == "--seeds 3..<4 --weather cuts,rot --devices 2 --steps 40 --strength 2 --omit 1-3,7")
    #expect(try #require(Scenario(parsing: scenario.words)) == scenario)
  }
}
