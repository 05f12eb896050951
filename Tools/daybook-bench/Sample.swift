/// What measuring one thing many times came to.
struct Sample {
  let median: Double
  /// Where all of it lies but the least and the greatest tenth; where it was measured less than ten times, all of it.
  let spread: ClosedRange<Double>

  init(_ values: [Double]) {
    let sorted = values.sorted()
    let edge = sorted.count / 10
    median = sorted[sorted.count / 2]
    spread = sorted[edge]...sorted[sorted.count - 1 - edge]
  }

  /// The median of the part in which the machine did least else, with the spread of all parts.
  init(leastOf parts: [[Double]]) {
    median = parts.map { Sample($0).median }.min() ?? 0
    spread = Sample(parts.flatMap(\.self)).spread
  }

  /// What so many things come to in a second that take so many milliseconds.
  static func rate(of count: UInt64, taking milliseconds: [Double]) -> Sample {
    Sample(milliseconds.map { Double(count) * 1_000 / $0 })
  }
}

func median(_ numbers: [Double]) -> Double { Sample(numbers).median }
