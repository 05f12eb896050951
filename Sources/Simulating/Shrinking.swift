extension Simulation {
  /// Makes a failing world smaller while it still violates the same invariant.
  ///
  /// The method first shortens the world to the steps up to the failure, and then tries to remove weather, devices and
  /// steps.
  ///
  /// - Parameters:
  ///   - outcome: The outcome with the failure. If it contains no failure, it is returned unchanged.
  ///   - most: The maximum number of worlds to run.
  /// - Returns: The outcome of the smallest failing world found.
  package static func shrink(_ outcome: Outcome, most: Int = 120) -> Outcome {
    guard let failure = outcome.failure else { return outcome }
    var (best, left) = (outcome, most)
    func isBetter(_ scenario: Scenario) -> Bool {
      guard left > 0, scenario != best.scenario else { return false }
      left -= 1
      let tried = run(scenario)
      guard tried.failure?.invariant == failure.invariant else { return false }
      best = tried
      return true
    }
    // Steps after the failure are not needed.
    var shorter = best.scenario
    shorter.steps = min(shorter.steps, failure.step + 1)
    _ = isBetter(shorter)
    for kind in best.scenario.weather.sorted() {
      var calmer = best.scenario
      calmer.weather.remove(kind)
      _ = isBetter(calmer)
    }
    while best.scenario.devices > 2 {
      var fewer = best.scenario
      fewer.devices -= 1
      guard isBetter(fewer) else { break }
    }
    var size = max(1, best.scenario.steps / 2)
    while size > 0, left > 0 {
      var start = 0
      while start < best.scenario.steps {
        var fewer = best.scenario
        fewer.omitted.formUnion(start..<min(fewer.steps, start + size))
        _ = isBetter(fewer)
        start += size
      }
      size /= 2
    }
    return best
  }
}
