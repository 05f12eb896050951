import Glibc
import Simulating

/// Plants each fault, or the requested one, and reports how many worlds it took to catch the fault, and which invariant
/// caught it.
struct Harvest {
  let most: UInt64

  /// Prints a table with one line for each fault.
  ///
  /// - Returns: Whether all faults were caught.
  func gather(_ request: ScenarioRequest) -> Bool {
    let plants = request.plant.map { [$0] } ?? Simulation.plants
    var missed = 0
    print("| fault | worlds | seed | violated invariant |")
    print("|---|---|---|---|")
    for plant in plants {
      if let (worlds, failure) = find(plant, request) {
        print("| \(plant) | \(worlds) | \(failure.seed) | \(failure.invariant) |")
      } else {
        missed += 1
        print("| \(plant) | \(most) | | not caught |")
      }
      fflush(nil)
    }
    print("\n\(plants.count - missed) of \(plants.count) were caught.")
    return missed == 0 && !plants.isEmpty
  }

  /// Finds the first world that catches a fault, and returns the number of worlds run, the seed of that world, and the
  /// violated invariant.
  private func find(
    _ plant: String, _ request: ScenarioRequest
  ) -> (worlds: Int, failure: (seed: UInt64, invariant: Invariant))? {
    for (place, seed) in request.seeds.prefix(Int(most)).enumerated() {
      var scenario = request.scenario(seed)
      scenario.plant = plant
      guard let failure = Simulation.run(scenario).failure else { continue }
      // If a world also fails without the fault, the failure does not show that the fault was caught.
      scenario.plant = nil
      if Simulation.run(scenario).failure == nil {
        return (place + 1, (seed, failure.invariant))
      }
    }
    return nil
  }
}
