package import Domain

extension CivilDate {
  package static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The month and day, with the year if it is known, such as `10 December 1815`; the ISO form if the month is unknown.
  package var words: String {
    guard let month else { return iso }
    let name = Self.monthNames[month - 1]
    let start = day.map { "\($0) \(name)" } ?? name
    return year.map { "\(start) \($0)" } ?? start
  }

  /// The day and month without the year, such as `10 December`.
  package var dayWords: String {
    guard let month, let day else { return words }
    return "\(day) \(Self.monthNames[month - 1])"
  }

  private static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The ISO form, preceded by the weekday if the date is complete: `Thu 2026-12-10`.
  package var dated: String {
    weekday.map { "\(Self.weekdayNames[$0.rawValue - 1]) \(iso)" } ?? iso
  }

  /// The distance from a day: `today`, `tomorrow`, `in 20 days`, `3 days ago`; nil if either date is incomplete.
  package func distanceWords(from today: CivilDate?) -> String? {
    guard let today, let days = days(since: today) else { return nil }
    return Self.words(inDays: days)
  }

  /// The distance to a day, in days up to 60, in months up to 24 months, and in years beyond that.
  ///
  /// Months and years are rounded to the nearest number.
  package static func words(inDays days: Int) -> String {
    switch days {
    case 0: return "today"
    case 1: return "tomorrow"
    case -1: return "yesterday"
    default:
      let span = span(ofDays: Int(days.magnitude))
      return days > 0 ? "in \(span)" : "\(span) ago"
    }
  }

  private static func span(ofDays days: Int) -> String {
    // The average lengths of a month and a year in the Gregorian calendar, in hundredths of a day.
    let (month, year) = (3044, 36525)
    let months = (days * 100 + month / 2) / month
    if days <= 60 { return "\(days) days" }
    if months <= 24 { return "\(months) months" }
    return "\((days * 100 + year / 2) / year) years"
  }
}

extension UpcomingBirthday {
  /// The age and the distance: `turns 211 in 20 days`; the distance alone if the age is unknown.
  package var words: String {
    let when = CivilDate.words(inDays: inDays)
    guard let turns else { return when }
    return turns == 0 ? "is born \(when)" : "turns \(turns) \(when)"
  }
}
