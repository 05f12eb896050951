import SimulatedPlatform
import Testing

/// Power cuts at every step of all that a journal does, and at the steps of every recovery.
struct CrashEnumerationTests {
  @Test func `no power cut loses what was acknowledged or invents what was not`() async throws {
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
}
