internal import Domain

/// A yearly recurrence rule.
///
/// A rule for 29 February may contain the leap rule.
struct YearlyRule: Equatable {
  var leapRule: LeapRule?

  /// Reads the value of an RRULE.
  ///
  /// - Parameters:
  ///   - rule: The value.
  ///   - start: The first day of the event.
  /// - Throws: ``ForeignFault/unsupported(_:)`` for a rule that does not simply repeat that day each year.
  init(_ rule: String, from start: CivilDate) throws(ForeignFault) {
    var parts: [String: String] = [:]
    for part in rule.trimmed.uppercased().split(separator: ";") {
      let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2, parts.updateValue(halves[1], forKey: halves[0]) == nil else {
        throw .unsupported("RRULE:" + rule)
      }
    }
    let isLeapBorn = start.month == 2 && start.day == 29
    guard parts.removeValue(forKey: "FREQ") == "YEARLY",
      parts.removeValue(forKey: "INTERVAL") ?? "1" == "1",
      parts.removeValue(forKey: "RSCALE") ?? "GREGORIAN" == "GREGORIAN"
    else { throw .unsupported("RRULE:" + rule) }
    // The first day of the week has no meaning here.
    parts["WKST"] = nil
    switch (parts.removeValue(forKey: "SKIP"), parts) {
    case ("BACKWARD"?, [:]): leapRule = .february28
    case ("FORWARD"?, [:]): leapRule = .march1
    case (nil, [:]), ("OMIT"?, [:]): break
    case (nil, ["BYMONTH": "2", "BYMONTHDAY": "-1"]) where isLeapBorn: leapRule = .february28
    case (nil, ["BYYEARDAY": "60"]) where isLeapBorn: leapRule = .march1
    case (nil, let days) where Self.names(days, start): break
    default: throw .unsupported("RRULE:" + rule)
    }
    if !isLeapBorn { leapRule = nil }
  }

  /// Returns whether the parts of a rule only state the day on which the event begins.
  private static func names(_ parts: [String: String], _ start: CivilDate) -> Bool {
    parts.allSatisfy { name, value in
      switch name {
      case "BYMONTH": Int(value) == start.month
      case "BYMONTHDAY": Int(value) == start.day && parts["BYMONTH"] != nil
      default: false
      }
    }
  }

  /// Returns the recurrence rule of a birthday.
  ///
  /// For 29 February, the recurrence rule depends on the leap rule.
  static func line(for date: CivilDate, _ rule: LeapRule) -> ContentLine {
    guard date.month == 2, date.day == 29 else { return ContentLine("RRULE", "FREQ=YEARLY") }
    return switch rule {
    case .february28: ContentLine("RRULE", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1")
    case .march1: ContentLine("RRULE", "FREQ=YEARLY;BYYEARDAY=60")
    }
  }
}
