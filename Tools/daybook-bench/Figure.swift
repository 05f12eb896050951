import Bytes

/// A measured value, with its limit if there is one.
struct Figure {
  let name: String
  let value: Double
  let spread: ClosedRange<Double>?
  let unit: String
  /// What was measured, and how.
  let meaning: String

  init(_ name: String, _ sample: Sample, _ unit: String, _ meaning: String) {
    (self.name, self.unit, self.meaning) = (name, unit, meaning)
    (value, spread) = (sample.median, sample.spread)
  }

  /// Creates a figure that is the same in each run, or has been measured only once.
  init(_ name: String, _ value: Double, _ unit: String, _ meaning: String) {
    (self.name, self.unit, self.meaning) = (name, unit, meaning)
    (self.value, spread) = (value, nil)
  }

  private var threshold: Threshold? { Threshold.all[name] }

  var isMissed: Bool { threshold?.isMissed(by: value) ?? false }

  var line: String {
    let range = spread.map { " [\(Self.text($0.lowerBound)) – \(Self.text($0.upperBound))]" } ?? ""
    let wanted = threshold.map { "  (\($0.text(Self.text)))" } ?? ""
    let missed = isMissed ? "  MISSED" : ""
    return "\(name)  \(Self.text(value)) \(unit)\(range), \(meaning)\(wanted)\(missed)"
  }

  /// The figure in the JSON format of the scripts in `Tools/peers`.
  var json: JSON {
    var members = [
      JSON.Member("value", .number(Self.rounded(value))), JSON.Member("unit", .string(unit)),
      JSON.Member("note", .string(meaning)),
    ]
    if let spread {
      let ends = [spread.lowerBound, value, spread.upperBound]
      members.append(JSON.Member("runs", .array(ends.map { .number(Self.rounded($0)) })))
    }
    return .object(members)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

  private static func text(_ number: Double) -> String {
    if number >= 100 || number.rounded() == number { return "\(Int64(number.rounded()))" }
    let hundredths = Int64((number * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

extension [Figure] {
  /// All figures as JSON, under the names that the scripts in `Tools/peers` use or, for other figures, under their own
  /// names.
  var json: JSON {
    let metrics = map { JSON.Member(PeerMetric.name(of: $0.name), $0.json) }
    return .object(
      ("peer", "daybook"), ("notes", .array([.string(PeerMetric.note)])),
      ("metrics", .object(metrics)))
  }
}
