#if PLANTED
import Bytes
#endif
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

  /// The faults that can be planted in this program: none, unless it was built to have them.
  package static var plants: [String] {
    #if PLANTED
    Planted.allCases.map(\.rawValue)
    #else
    []
    #endif
  }

  /// Lives through a world; its last lines are kept, or all of them where they are wanted.
  package static func run(_ scenario: Scenario, tracing: Bool = false) -> Outcome {
    #if PLANTED
    Planted.plant(scenario.plant.flatMap(Planted.init))
    #endif
    KnownSignatures.remember()
    let world = World(scenario, tracing: tracing)
    var failure: Failure?
    do {
      try world.live()
    } catch let found as Failure {
      failure = found
    } catch {
      failure = Failure(.answers, "\(error)", step: world.step)
    }
    return Outcome(
      scenario: scenario, failure: failure, faults: world.faults, trace: world.trace)
  }
}
