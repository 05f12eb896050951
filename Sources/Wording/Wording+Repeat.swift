package import Domain

extension RepeatRuleError {
  /// Returns the reason in complete sentences.
  package var text: String {
    switch self {
    case .unreadable(let part):
      return
        "'\(part.visible)' is not a part of a repeat rule. Write parts such as FREQ=WEEKLY;BYDAY=MO."
    case .noFrequency:
      return "the repeat rule has no FREQ. Begin with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY."
    case .unsupported(let part):
      return
        "\(part.visible) is not supported in a repeat rule. Use only FREQ, INTERVAL, BYMONTH, "
        + "BYMONTHDAY, BYDAY, COUNT, SKIP, FROM and MISSED."
    case .badValue(let part, let value):
      return "\(part)=\(value.visible) is not supported in a repeat rule. \(Self.advice(part))"
    case .repeated(let part):
      return "the repeat rule contains \(part.visible) twice. Remove one of them."
    case .ordinalOutsideMonth:
      return
        "a day such as the first Monday requires a monthly rule. Use FREQ=MONTHLY, and add BYMONTH "
        + "to select certain months."
    case .monthDayInWeek:
      return "a weekly rule cannot name days of the month. Use a monthly rule instead."
    case .notCanonical(let text): return "the repeat rule is not in canonical form. Write \(text)."
    }
  }

  private static func advice(_ part: String) -> String {
    switch part {
    case "FREQ": "Use DAILY, WEEKLY, MONTHLY or YEARLY."
    case "INTERVAL", "COUNT": "Use a number from 1 to \(RepeatRule.most)."
    case "BYMONTH": "Use months from 1 to 12."
    case "BYMONTHDAY": "Use days from 1 to 31, or from -1 to -31 to count from the end."
    case "BYDAY":
      "Use MO, TU, WE, TH, FR, SA or SU; in a monthly rule, a number from 1 to 5 or from -1 to -5 may precede the day."
    case "WKST": "Leave it out, because weeks always begin on Monday."
    case "RSCALE": "Use GREGORIAN, or leave it out."
    case "SKIP": "Use BACKWARD, or leave it out."
    case "FROM": "Use START or DONE, or leave it out."
    default: "Use KEEP, or leave it out."
    }
  }
}
