/// The median and the spread of repeated measurements.
struct Sample {
  let median: Double
  /// The range of the values without the lowest and highest tenths or, if there are fewer than ten values, of all
  /// values.
  let spread: ClosedRange<Double>

  init(_ values: [Double]) {
    let sorted = values.sorted()
    let edge = sorted.count / 10
    median = sorted[sorted.count / 2]
    spread = sorted[edge]...sorted[sorted.count - 1 - edge]
  }

  /// Creates a sample with the lowest of the parts' medians, and the spread of all values.
  init(leastOf parts: [[Double]]) {
    median = parts.map { Sample($0).median }.min() ?? 0
    spread = Sample(parts.flatMap(\.self)).spread
  }

  /// Returns the rates per second if `count` items take the given numbers of milliseconds.
  static func rate(of count: UInt64, taking milliseconds: [Double]) -> Sample {
    Sample(milliseconds.map { Double(count) * 1_000 / $0 })
  }
}

func median(_ numbers: [Double]) -> Double { Sample(numbers).median }
