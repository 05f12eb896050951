package import Domain

extension Int64 {
  /// The colour as `#rrggbb`.
  package var colourWords: String {
    let digits = String(self, radix: 16)
    return "#" + String(repeating: "0", count: Swift.max(0, 6 - digits.count)) + digits
  }
}

extension Priority {
  package var words: String {
    switch self {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    }
  }

  /// The mark for the priority in lists; the normal priority needs no mark.
  package var mark: String {
    switch self {
    case .low: "!"
    case .normal: ""
    case .high: "!!!"
    }
  }
}

extension LeapRule {
  /// Parses a rule in its full or short form; nil if there is no such rule.
  package init?(words: String) {
    switch words.lowercased() {
    case "february-28", "feb28", "feb-28": self = .february28
    case "march-1", "mar1", "mar-1": self = .march1
    default: return nil
    }
  }

  package var words: String {
    switch self {
    case .february28: "february-28"
    case .march1: "march-1"
    }
  }
}
