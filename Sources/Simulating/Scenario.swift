import SimulatedPlatform

/// The parameters of a world, which determine everything that happens in it.
package struct Scenario: Hashable, Sendable {
  package var seed: UInt64
  package var weather: Set<WeatherKind>
  /// A factor for the frequency of weather relative to other steps.
  package var strength = 1
  /// The number of stations at the start.
  package var devices: Int
  /// The number of steps.
  ///
  /// All other events result from the steps.
  package var steps: Int
  /// The steps to omit in order to make a failing world smaller.
  package var omitted: Set<Int> = []
  /// The planted fault to activate; nil for none.
  package var plant: String?

  /// Draws a scenario from a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed of the world.
  ///   - weather: The weather to use, with strength 1; nil to draw both the weather and the strength.
  package init(seed: UInt64, weather: Set<WeatherKind>? = nil) {
    let dice = Seeded(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    self.seed = seed
    devices = 2 + dice.below(3)
    steps = 30 + dice.below(100)
    // The weather is always drawn, so that a seed always yields the same numbers.
    var drawn = Set(WeatherKind.allCases.filter { $0 != .sealing && dice.chance(40) })
    let strength = 1 + 2 * dice.below(4)
    if dice.chance(40) { drawn.insert(.sealing) }
    self.weather = weather ?? drawn
    if weather == nil { self.strength = strength }
  }

  /// The command-line options that run the scenario again.
  package var words: String {
    var words = "--seeds \(seed)..<\(seed + 1)"
    let kinds = weather.sorted().map(\.rawValue).joined(separator: ",")
    words += " --weather \(kinds.isEmpty ? "none" : kinds) --devices \(devices) --steps \(steps)"
    if strength > 1 { words += " --strength \(strength)" }
    if !omitted.isEmpty { words += " --omit \(Ranges.text(of: omitted))" }
    if let plant { words += " --plant \(plant)" }
    return words
  }
}

/// Sets of numbers as text, such as `3-5,9`.
package enum Ranges {
  static func text(of numbers: Set<Int>) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Parses the output of ``text(of:)``; nil if it is invalid.
  package static func numbers(in text: String) -> Set<Int>? {
    var numbers: Set<Int> = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { Int($0) }
      switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
      case (1, let first?, _): numbers.insert(first)
      case (2, let first?, let last?) where first <= last: numbers.formUnion(first...last)
      default: return nil
      }
    }
    return numbers
  }
}

extension Seeded {
  /// A number from 0 up to, but not including, `limit`.
  func below(_ limit: Int) -> Int { Int(number() % UInt64(max(1, limit))) }

  func chance(_ percent: Int) -> Bool { below(100) < percent }

  func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
