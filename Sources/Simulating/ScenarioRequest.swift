/// The worlds to run, as specified by command-line options.
package struct ScenarioRequest: Sendable {
  package private(set) var seeds: Range<UInt64> = 0..<100
  private var weather: Set<WeatherKind>?
  private var strength: Int?
  private var devices: Int?
  private var steps: Int?
  private var omitted: Set<Int> = []
  package private(set) var plant: String?

  package init() {}

  /// Parses an option and its value, and returns false if either is invalid.
  package mutating func take(_ word: String, _ value: String) -> Bool {
    switch word {
    case "--seeds":
      let ends = value.split(separator: ".").compactMap { UInt64($0.drop { $0 == "<" }) }
      guard ends.count == 2, ends[0] <= ends[1] else { return false }
      seeds = ends[0]..<ends[1]
    case "--weather":
      let names = value == "none" ? [] : value.split(separator: ",").map(String.init)
      let kinds = names.compactMap(WeatherKind.init)
      guard kinds.count == names.count else { return false }
      weather = Set(kinds)
    case "--strength":
      guard let number = Int(value), number > 0 else { return false }
      strength = number
    case "--devices":
      guard let number = Int(value), number > 0 else { return false }
      devices = number
    case "--steps":
      guard let number = Int(value), number >= 0 else { return false }
      steps = number
    case "--omit":
      guard let numbers = Ranges.numbers(in: value) else { return false }
      omitted = numbers
    case "--plant":
      guard Simulation.plants.contains(value) else { return false }
      plant = value
    default: return false
    }
    return true
  }

  /// The scenario for a seed, with the parsed options.
  package func scenario(_ seed: UInt64) -> Scenario {
    var scenario = Scenario(seed: seed, weather: weather)
    scenario.strength = strength ?? scenario.strength
    scenario.devices = devices ?? scenario.devices
    scenario.steps = steps ?? scenario.steps
    (scenario.omitted, scenario.plant) = (omitted, plant)
    return scenario
  }
}

extension Scenario {
  /// Parses text in the format of ``words``; nil if it is invalid or its range of seeds is empty.
  ///
  /// If the range contains several seeds, the first one is used.
  package init?(parsing words: String) {
    var request = ScenarioRequest()
    var rest = words.split(separator: " ").map(String.init)[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), request.take(word, value) else { return nil }
    }
    guard let seed = request.seeds.first else { return nil }
    self = request.scenario(seed)
  }
}
