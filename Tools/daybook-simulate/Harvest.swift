import Simulating

/// Plants each fault there is, and tells after how many worlds it was caught, and by what.
struct Harvest {
  let most: UInt64

  /// Prints a table, one line for each fault.
  ///
  /// - Returns: Whether all were caught.
  func gather(_ request: ScenarioRequest) -> Bool {
    var missed = 0
    print("| fault | worlds | what did not hold |")
    print("|---|---|---|")
    for plant in Simulation.plants {
      let (worlds, failure) = find(plant, request)
      if failure == nil { missed += 1 }
      let told = failure.map { "\($0.invariant)" } ?? "not caught"
      print("| \(plant) | \(worlds) | \(told) |")
    }
    let count = Simulation.plants.count
    print("\n\(count - missed) of \(count) were caught.")
    return missed == 0 && count > 0
  }

  private func find(
    _ plant: String, _ request: ScenarioRequest
  ) -> (worlds: UInt64, failure: Failure?) {
    var worlds: UInt64 = 0
    for seed in request.seeds.prefix(Int(most)) {
      worlds += 1
      var scenario = request.scenario(seed)
      scenario.plant = plant
      guard let failure = Simulation.run(scenario).failure else { continue }
      // What fails without the fault says nothing of it.
      scenario.plant = nil
      if Simulation.run(scenario).failure == nil { return (worlds, failure) }
    }
    return (worlds, nil)
  }
}
