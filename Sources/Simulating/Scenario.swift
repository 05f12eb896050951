import SimulatedPlatform

/// What a simulated world is made of: everything that happens in it follows from this.
package struct Scenario: Hashable, Sendable {
  package var seed: UInt64
  package var weather: Set<WeatherKind>
  /// How much more often the weather strikes, beside what else happens, than in a world of strength 1.
  package var strength = 1
  /// How many machines there are at first.
  package var devices: Int
  /// How many things happen by themselves; others follow from them.
  package var steps: Int
  /// The steps that are left out, while a failure is made smaller.
  package var omitted: Set<Int> = []
  /// The fault that is planted in the program, where it was built to have some.
  package var plant: String?

  /// Draws a world from a seed, or one with a given weather, which is of strength 1.
  package init(seed: UInt64, weather: Set<WeatherKind>? = nil) {
    let dice = Seeded(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    self.seed = seed
    devices = 2 + dice.below(3)
    steps = 30 + dice.below(100)
    // Drawn in any case, so that the rest of the world is the same with another weather.
    let drawn = WeatherKind.allCases.filter { _ in dice.chance(40) }
    self.weather = weather ?? Set(drawn)
    if weather == nil { strength = 1 + 2 * dice.below(4) }
  }

  /// The words by which the program lives through it again.
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

/// Numbers as people write them: `3-5,9`.
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

  /// Reads what ``text(of:)`` has written; nil where it is something else.
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
  /// A number from 0 up to the limit, which it does not reach.
  func below(_ limit: Int) -> Int { Int(number() % UInt64(max(1, limit))) }

  func chance(_ percent: Int) -> Bool { below(100) < percent }

  func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
