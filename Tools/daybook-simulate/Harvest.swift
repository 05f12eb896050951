import Glibc
import Simulating

/// Plants each fault there is, or the one that is asked for, and tells after how many worlds it was caught, and by
/// what.
struct Harvest {
  let most: UInt64

  /// Prints a table, one line for each fault.
  ///
  /// - Returns: Whether all were caught.
  func gather(_ request: ScenarioRequest) -> Bool {
    let plants = request.plant.map { [$0] } ?? Simulation.plants
    var missed = 0
    print("| fault | worlds | seed | what did not hold |")
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

  /// After how many worlds a fault was caught, and which one did it, by what did not hold in it.
  private func find(
    _ plant: String, _ request: ScenarioRequest
  ) -> (worlds: Int, failure: (seed: UInt64, invariant: Invariant))? {
    for (place, seed) in request.seeds.prefix(Int(most)).enumerated() {
      var scenario = request.scenario(seed)
      scenario.plant = plant
      guard let failure = Simulation.run(scenario).failure else { continue }
      // What fails without the fault says nothing of it.
      scenario.plant = nil
      if Simulation.run(scenario).failure == nil {
        return (place + 1, (seed, failure.invariant))
      }
    }
    return nil
  }
}
