package import Domain

extension RepeatRule {
  /// The rule in words, such as `every 2 weeks on Mon and Thu until 2027-01-01`.
  ///
  /// ``RepeatWords`` parses these words into the same rule.
  ///
  /// - Parameters:
  ///   - anchor: The first date of the series, which determines whether dates can be missing; nil if it is not known.
  ///   - until: The last day on which the rule may fall.
  /// - Returns: The words, which begin with a lowercase letter.
  package func words(from anchor: CivilDate?, until: CivilDate? = nil) -> String {
    var words = keepsMissed ? "each" : "every"
    if basis == .done { words += "!" }
    words += " " + core
    if !months.isEmpty, !isDayOfYear {
      words += " in " + Self.list(months.map { CivilDate.monthNames[$0 - 1] })
    }
    if let anchor = anchor ?? Self.commonDay, canMissDays(anchor: anchor), !skipsBackward {
      words += ", omitting missing days"
    }
    if basis == .start { words += ", counted from the start" }
    if let count { words += ", \(count) \(count == 1 ? "time" : "times")" }
    if let until { words += " until \(until.iso)" }
    return words
  }

  /// A day that every month has.
  private static let commonDay = try? CivilDate(year: 2000, month: 1, day: 1)

  private var core: String {
    let weekdays = days.map { day in
      day.ordinal.map { "the \($0.placeWord) \(day.weekday.shortName)" } ?? day.weekday.shortName
    }
    if frequency == .weekly, interval == 1, !days.isEmpty {
      let isWorkweek = days == (1...5).compactMap(Weekday.init).map { Day($0) }
      return isWorkweek ? "weekday" : Self.list(weekdays)
    }
    let unit =
      switch frequency {
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    let period = interval == 1 ? unit : "\(interval) \(unit)s"
    if isDayOfYear { return "\(period) on \(monthDays[0]) \(CivilDate.monthNames[months[0] - 1])" }
    guard !monthDays.isEmpty else {
      return days.isEmpty ? period : "\(period) on \(Self.list(weekdays))"
    }
    let numbers = monthDays.map { $0 > 0 ? $0.ordinal : "\($0.placeWord) day" }
    let fall = days.isEmpty ? "" : " falling on \(Self.list(weekdays))"
    return "\(period) on the \(Self.list(numbers))\(fall)"
  }

  /// Whether the rule is one day of each year, such as 24 December; 30 February is not such a day.
  private var isDayOfYear: Bool {
    guard frequency == .yearly, months.count == 1, monthDays.count == 1, days.isEmpty
    else { return false }
    return (1...CivilDate.days(inMonth: months[0], of: nil)).contains(monthDays[0])
  }

  private static func list(_ words: [String]) -> String {
    guard words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }
}

extension Weekday {
  var shortName: String {
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][rawValue - 1]
  }
}

extension Int {
  /// The number as an ordinal: `1st`, `22nd`, `13th`.
  var ordinal: String {
    let ending =
      switch (self / 10 % 10, self % 10) {
      case (1, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(self)\(ending)"
  }

  /// The number as an ordinal word: `first` to `fifth`, `last`, `2nd-last`.
  fileprivate var placeWord: String {
    if self == -1 { return "last" }
    if self < 0 { return "\((-self).ordinal)-last" }
    let names = ["first", "second", "third", "fourth", "fifth"]
    return names.indices.contains(self - 1) ? names[self - 1] : ordinal
  }
}
