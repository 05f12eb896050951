import Crypto

/// Runs simulated worlds.
package struct Simulation: Sendable {
  /// The result of a run.
  package struct Outcome: Sendable {
    package var scenario: Scenario
    package var failure: Failure?
    /// The number of times that each kind of weather has struck.
    package var faults: [WeatherKind: Int]
    package var trace: Trace
  }

  /// The names of the faults planted in the program.
  ///
  /// Only the copy that `Tools/harvest` builds contains such faults.
  package static var plants: [String] { [] }

  /// Runs a world.
  ///
  /// - Parameters:
  ///   - scenario: The world to run.
  ///   - tracing: Whether the outcome contains the whole trace rather than only its last lines.
  /// - Returns: The outcome, which contains the first failure, if any.
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
