/// The limit for a figure, beyond which a check fails, and optionally a goal.
///
/// Limits on durations are generous, because other processes affect durations. Limits on CPU times are tighter, and
/// limits on counts and sizes are exact.
struct Threshold {
  private enum Side {
    case least, most
  }

  private let side: Side
  private let bound: Double
  private let aim: Double?

  private static func atLeast(_ bound: Double, aim: Double? = nil) -> Threshold {
    Threshold(side: .least, bound: bound, aim: aim)
  }

  private static func atMost(_ bound: Double, aim: Double? = nil) -> Threshold {
    Threshold(side: .most, bound: bound, aim: aim)
  }

  func isMissed(by value: Double) -> Bool {
    switch side {
    case .least: value < bound
    case .most: value > bound
    }
  }

  func text(_ number: (Double) -> String) -> String {
    let words = "at \(side == .least ? "least" : "most") \(number(bound))"
    return aim.map { "\(words), aim \(number($0))" } ?? words
  }

  /// The thresholds, by the names of the figures.
  static let all: [String: Threshold] = [
    "append-ratio": .atLeast(90, aim: 110),
    "append-bulk": .atLeast(300_000, aim: 1_000_000),
    "append-bulk-import": .atLeast(50_000, aim: 1_000_000),
    "size": .atMost(12.5, aim: 11.6),
    "size-uids": .atMost(19.5, aim: 18.3),
    "size-large": .atMost(20, aim: 18.3),
    "size-commit": .atMost(141),
    "size-unsealed": .atMost(65_536),
    "list": .atMost(6, aim: 3),
    "list-working": .atMost(5),
    "list-large": .atMost(6, aim: 3),
    "add": .atMost(6, aim: 2.5),
    "add-p99": .atMost(25, aim: 5),
    "add-working": .atMost(6),
    "add-large": .atMost(6, aim: 2.5),
    "add-p99-large": .atMost(25, aim: 5),
    "command-add": .atMost(4, aim: 2.5),
    "command-page": .atMost(4),
    "command-done": .atMost(5),
    "command-today": .atMost(5),
    "command-undo": .atMost(6),
    "command-all": .atMost(20),
    "apply": .atMost(10),
    "merge-warm": .atMost(5, aim: 1.5),
    "merge-bytes": .atMost(8_192, aim: 5_000),
    "merge-cold": .atMost(60),
    "rebuild": .atLeast(400_000, aim: 2_500_000),
    "rebuild-working": .atMost(400),
    "rebuild-peak": .atMost(40, aim: 24),
    "rebuild-large": .atLeast(400_000, aim: 4_000_000),
    "rebuild-peak-large": .atMost(200, aim: 120),
    "view": .atLeast(100_000, aim: 700_000),
    "view-large": .atLeast(100_000, aim: 700_000),
    "verify": .atLeast(300_000, aim: 1_500_000),
    "verify-working": .atMost(200),
    "verify-large": .atLeast(300_000, aim: 1_500_000),
    "sync-bytes": .atMost(2_000_000, aim: 1_900_000),
  ]
}
