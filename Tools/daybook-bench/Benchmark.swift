import Bytes
import Platform
import PosixPlatform

/// Something measured against a probe, in turn with it.
struct Benchmark: Sendable {
  let name: String
  let unit: String
  /// How many there are per second, and at how many the probe arrives.
  let measure: @Sendable (Path) throws -> (value: Double, probe: Double)

  static let all = [append, appendGroup]

  struct Result {
    let name: String
    let unit: String
    let median: Double
    /// From the smallest to the largest, in hundredths of the median.
    let spread: Double
    /// To the probe, the median of the rounds.
    let ratio: Double

    var line: String {
      "\(name)  \(Self.round(median)) \(unit)  ±\(Self.round(spread)) %  "
        + "\(Self.round(ratio * 100)) % of the probe"
    }

    var json: JSON {
      .object(
        ("name", .string(name)), ("unit", .string(unit)),
        ("median", .integer(Self.round(median))), ("spreadPercent", .integer(Self.round(spread))),
        ("probePercent", .integer(Self.round(ratio * 100))))
    }

    private static func round(_ number: Double) -> Int64 { Int64(number.rounded()) }
  }

  func run(in folder: Path, rounds: Int) throws -> Result {
    var values: [Double] = []
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let (value, probe) = try measure(folder)
      values.append(value)
      ratios.append(value / probe)
    }
    values.sort()
    ratios.sort()
    let median = values[values.count / 2]
    return Result(
      name: name, unit: unit, median: median,
      spread: ((values.last ?? 0) - (values.first ?? 0)) * 100 / median,
      ratio: ratios[ratios.count / 2])
  }
}

/// How long something takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try body()
  let (seconds, attoseconds) = (clock.now - start).components
  return Double(seconds) + Double(attoseconds) * 1e-18
}
