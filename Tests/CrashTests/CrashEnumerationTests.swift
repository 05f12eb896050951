import Platform
import SimulatedPlatform
import Testing

/// Power cuts at every step of every operation of a journal, and at steps of every recovery.
struct CrashEnumerationTests {
  @Test func `Power cut: at any step, acknowledged events survive and none are invented`()
    async throws
  {
    let counts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (number, scenario) in Scenario.all.enumerated() {
        group.addTask {
          var enumeration = try CrashEnumeration(scenario, seed: UInt64(number))
          try enumeration.run()
          #expect(enumeration.momentCount > 1, "\(scenario.name)")
          #expect(enumeration.problems == [], "\(scenario.name)")
          let (steps, states) = (enumeration.momentCount, enumeration.stateCount)
          return (states, "\(scenario.name): \(states) states at \(steps) steps")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for line in counts.map(\.1).sorted() { print(line) }
    let stateCount = counts.reduce(0) { $0 + $1.0 }
    print("\(stateCount) states after power cuts")
    #expect(stateCount >= 100_000)
  }

  /// Flushes that a journal could omit, and a scenario that detects each omission.
  static let forgotten: [(name: String, scenario: String, isForgotten: @Sendable (Path) -> Bool)] =
    [
      ("events after earlier ones", "appending", { $0.name.hasSuffix(".gz") }),
      ("a file before it is renamed", "the first log", { $0.name.hasSuffix(".draft") }),
      ("a sealed file before it is renamed", "sealing", { $0.name.contains("-") }),
      ("the folder of a file", "sealing", { $0.parent.name == "logs" }),
      ("the folder of a log", "the first log", { $0.name == "logs" }),
      ("the folder of a received log", "another's log", { $0.parent.name == "logs" }),
    ]

  @Test(arguments: forgotten.indices)
  func `Power cut: a missing flush is detected`(number: Int) throws {
    let forgotten = Self.forgotten[number]
    var scenario = try #require(Scenario.all.first { $0.name == forgotten.scenario })
    scenario.recoveryCuts = 0
    var enumeration = try CrashEnumeration(scenario, seed: 1, lying: forgotten.isForgotten)
    try enumeration.run()
    #expect(!enumeration.problems.isEmpty, "\(forgotten.name)")
  }
}
