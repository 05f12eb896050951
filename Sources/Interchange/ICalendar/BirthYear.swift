internal import Domain

/// The year of birth that an event tells, for which that of its first day need not be taken.
struct BirthYear: Equatable {
  var year: Int?
  var note: ForeignNote?

  /// Weighs what an event says of the year: its own properties, its summary, and its first day last of all.
  init(_ event: Component, from start: ContentLine, on day: CivilDate, _ context: CalendarContext) {
    let summary = EventSummary(event.first("SUMMARY")?.text ?? "")
    // Nextcloud starts its events in 1970 where a year is unknown, and tells those that it knows.
    let told = event.first("X-NEXTCLOUD-BC-YEAR").flatMap { Int($0.value.trimmed) } ?? summary.year
    if let told {
      year = told
      return
    }
    guard let first = day.year, !Self.isOmitted(first, event, start), !summary.isYearless else {
      return
    }
    if Self.meansNone(start.value) {
      note = .yearLeftOut(0)
    } else if first == VCardBirthday.yearMeaningNone || context.startsWithNext(event, first) {
      note = .yearLeftOut(first)
    } else {
      year = first
      if VCardBirthday.oddYears.contains(first) || context.isOfOneYear { note = .oddYear(first) }
    }
  }

  static let omissions = ["X-APPLE-OMIT-YEAR", "X-SABRE-OMIT-YEAR"]
  /// Of Nextcloud, of Fossify Calendar, and of that before it.
  static let flags = [
    "X-NEXTCLOUD-BC-UNKNOWN-YEAR", "X-FOSSIFY-MISSING-YEAR", "X-SMT-MISSING-YEAR",
  ]

  /// Whether the event says that its first year is none.
  private static func isOmitted(_ year: Int, _ event: Component, _ start: ContentLine) -> Bool {
    if flags.contains(where: { event.first($0)?.value.trimmed == "1" }) { return true }
    // sabre has the parameter in a property of its own.
    let lines = [start, event.first("X-SABRE-BDAY")].compactMap(\.self)
    return omissions.contains { name in
      lines.flatMap { $0.values(name) }.contains { Int($0.trimmed) == year }
    }
  }

  /// Whether a date is of the year 0, in which nobody was born.
  static func meansNone(_ date: String) -> Bool { date.trimmed.hasPrefix("0000") }
}

extension CalendarContext {
  /// The one program whose feeds are known to start each birthday with the next, and never to tell a year.
  private static let feed = "facebook"

  /// Whether an event of a feed starts with the next birthday and not with the first.
  ///
  /// Nobody was born after the event was written, nor in a year that has not come; and who is born in the year in which
  /// it was written cannot be told from whoever is older.
  fileprivate func startsWithNext(_ event: Component, _ year: Int) -> Bool {
    if isOfFeed || event.first("UID")?.value.trimmed.hasSuffix("@\(Self.feed).com") ?? false {
      return true
    }
    let stamps = ["DTSTAMP", "CREATED"].compactMap { event.first($0) }
      .compactMap { BasicInstant.read($0.value)?.day.year }
    return year >= stamps.min() ?? settings.thisYear ?? .max
  }

  /// Whether what a calendar says of itself names such a feed.
  static func isOfFeed(_ calendar: Component) -> Bool {
    ["PRODID", "X-ORIGINAL-URL", "SOURCE", "URL"].contains { name in
      calendar.first(name)?.value.lowercased().contains(feed) ?? false
    }
  }

  /// How many birthdays do not fall into one year by chance.
  private static let manyStarts = 8

  /// Whether many events all start within a year, as those of a feed do, and of a class at school.
  static func isOfOneYear(_ calendar: Component) -> Bool {
    let days = calendar.children.filter { $0.name == "VEVENT" && $0.first("RRULE") != nil }
      .compactMap { $0.first("DTSTART").flatMap { BasicInstant.read($0.value)?.day.epochDay } }
    guard days.count >= manyStarts, let first = days.min(), let last = days.max() else {
      return false
    }
    return last - first <= 366
  }
}
