import Crypto

/// One run of a simulated world.
package struct Simulation: Sendable {
  /// What a run has come to.
  package struct Outcome: Sendable {
    package var scenario: Scenario
    package var failure: Failure?
    /// How often something was done to the world, by its kind.
    package var faults: [WeatherKind: Int]
    package var trace: Trace
  }

  /// The faults that can be planted in this program: none but in the copy that `Tools/harvest` builds.
  package static var plants: [String] { [] }

  /// Lives through a world; its last lines are kept, or all of them where they are wanted.
  package static func run(_ scenario: Scenario, tracing: Bool = false) -> Outcome {
    KnownSignatures.remember()
    let world = World(scenario, tracing: tracing)
    var failure: Failure?
    do {
      try WorldRun(world: world).live()
    } catch let found as Failure {
      failure = found
    } catch {
      failure = Failure(.answers, "\(error)", step: world.step)
    }
    return Outcome(
      scenario: scenario, failure: failure, faults: world.faults, trace: world.trace)
  }
}
