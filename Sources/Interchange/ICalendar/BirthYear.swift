internal import Domain

/// The year of birth in an event, which may differ from the year of its first day.
struct BirthYear: Equatable {
  var year: Int?
  var note: ForeignNote?

  /// Finds the year in the properties of an event, otherwise in its summary, and otherwise in its first day.
  init(_ event: Component, from start: ContentLine, on day: CivilDate, _ context: CalendarContext) {
    let summary = EventSummary(event.first("SUMMARY")?.text ?? "")
    // Nextcloud starts its events in 1970 if the year is unknown, and writes a known year in a separate property.
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
  /// The flags of Nextcloud, Fossify Calendar and its predecessor.
  static let flags = [
    "X-NEXTCLOUD-BC-UNKNOWN-YEAR", "X-FOSSIFY-MISSING-YEAR", "X-SMT-MISSING-YEAR",
  ]

  /// Returns whether the event states that its first year is a placeholder.
  private static func isOmitted(_ year: Int, _ event: Component, _ start: ContentLine) -> Bool {
    if flags.contains(where: { event.first($0)?.value.trimmed == "1" }) { return true }
    // sabre writes the parameter in a separate property.
    let lines = [start, event.first("X-SABRE-BDAY")].compactMap(\.self)
    return omissions.contains { name in
      lines.flatMap { $0.values(name) }.contains { Int($0.trimmed) == year }
    }
  }

  /// Returns whether a date is in the year 0, which some programs write for an unknown year.
  static func meansNone(_ date: String) -> Bool { date.trimmed.hasPrefix("0000") }
}

extension CalendarContext {
  /// The only program whose feeds are known to start each birthday on its next date, and never to contain a year.
  private static let feed = "facebook"

  /// Returns whether an event starts with the next birthday instead of the first.
  ///
  /// The year of birth is neither later than the year in which the event was written nor in the future. A first year
  /// equal to the year of writing is ambiguous, and counts as the year of the next birthday.
  fileprivate func startsWithNext(_ event: Component, _ year: Int) -> Bool {
    if isOfFeed || event.first("UID")?.value.trimmed.hasSuffix("@\(Self.feed).com") ?? false {
      return true
    }
    let stamps = ["DTSTAMP", "CREATED"].compactMap { event.first($0) }
      .compactMap { BasicInstant.read($0.value)?.day.year }
    return year >= stamps.min() ?? settings.thisYear ?? .max
  }

  /// Returns whether the properties of a calendar name the feed that starts each birthday on its next date.
  static func isOfFeed(_ calendar: Component) -> Bool {
    ["PRODID", "X-ORIGINAL-URL", "SOURCE", "URL"].contains { name in
      calendar.first(name)?.value.lowercased().contains(feed) ?? false
    }
  }

  /// The number of birthdays from which a common year is no longer considered a coincidence.
  private static let manyStarts = 8

  /// Returns whether many events start within one year, as they do in a feed or in the calendar of a school class.
  static func isOfOneYear(_ calendar: Component) -> Bool {
    let days = calendar.children.filter { $0.name == "VEVENT" && $0.first("RRULE") != nil }
      .compactMap { $0.first("DTSTART").flatMap { BasicInstant.read($0.value)?.day.epochDay } }
    guard days.count >= manyStarts, let first = days.min(), let last = days.max() else {
      return false
    }
    return last - first <= 366
  }
}
