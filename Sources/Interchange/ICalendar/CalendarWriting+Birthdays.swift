internal import Domain

extension CalendarWriting {
  /// The first year from which programs can be relied on to read dates correctly.
  private static let firstSafeYear = 1583
  /// A leap year, for birthdays whose year is unknown or too early.
  private static let yearForNone = 2000

  mutating func addBirthday(_ document: Document) {
    guard let birthday = Birthday(document) else { return }
    guard let date = birthday.birthdate, let month = date.month, let day = date.day else {
      return lost.lose("birthday without a day", "birthdays without a day")
    }
    let year = date.year == VCardBirthday.yearMeaningNone ? nil : date.year
    if settings.ageYears > 0, year != nil, addAges(of: birthday, document) { return }
    let isSafe = year.map { $0 >= Self.firstSafeYear } ?? false
    let first = CivilDate.known(isSafe ? year ?? 0 : Self.yearForNone, month, day)
    guard let first else { return }
    let kept = ForeignExtra(of: document, format: .iCalendar)
    let own = event(of: birthday, document, from: first, isSafe: isSafe)
    let lines = ContentLine.lines(of: kept.properties[KeptComponent.lines])
    let event: [ContentLine]
    if lines.isEmpty {
      event = own
    } else {
      // An earlier version of this program kept only the properties that no field represents.
      let missing = lines.contains { $0.name == "DTSTART" } ? [] : own
      let changes = contents.changes(of: document, since: kept.base, in: .iCalendar)
      var revision = EventRevision(missing + lines, birthday, changes)
      event = revision.lines(
        own, tags: document.tags, isNamedAnew: CalendarUID.isNamedAnew(document), context)
    }
    // Without digests of the fields, a later import could not determine which fields have changed.
    let told = try? EventReading(Component(name: "VEVENT", place: .line(0), lines: event), context)
    append(
      "VEVENT", event, told?.record, alarms(of: birthday, kept), kept,
      exceptions: Component.all(in: kept.properties[KeptComponent.exceptions]), of: document)
  }

  /// Returns a new event, without kept properties.
  private func event(
    of birthday: Birthday, _ document: Document, from first: CivilDate, isSafe: Bool
  ) -> [ContentLine] {
    guard let date = birthday.birthdate else { return [] }
    let year = date.year == VCardBirthday.yearMeaningNone ? nil : date.year
    let rule = birthday.leapRule ?? settings.leapRule
    var event = [
      Self.text("UID", CalendarUID.text(of: document)), stamp, .day("DTSTART", first),
      YearlyRule.line(for: date, rule),
      Self.text("SUMMARY", EventSummary.text(birthday.name, date)),
      ContentLine("TRANSP", "TRANSPARENT"), ContentLine("CLASS", "PRIVATE"),
    ]
    event += categories(["BIRTHDAY"] + document.tags) + common(document)
    if let year, let month = date.month, let day = date.day,
      let whole = CivilDate.known(year, month, day)
    {
      // A program that supports X-BIRTHDAY reads the name from X-FNAME instead of the summary.
      event += [
        ContentLine("X-BIRTHDAY", BasicInstant.text(whole)), Self.text("X-FNAME", birthday.name),
      ]
    }
    return event + own(birthday, isExact: isSafe)
  }

  /// Returns properties that only this program reads, so that no data is lost when the file is imported again.
  private func own(_ birthday: Birthday, isExact: Bool) -> [ContentLine] {
    var lines: [ContentLine] = []
    let name = VCardName(first: birthday.firstName, last: birthday.lastName)
    lines.append(ContentLine("X-DAYBOOK-N", name.structured))
    if !isExact, let date = birthday.birthdate {
      lines.append(ContentLine("X-DAYBOOK-BIRTHDAY", date.iso))
    }
    let isLeapBorn = birthday.birthdate?.month == 2 && birthday.birthdate?.day == 29
    if isLeapBorn, birthday.leapRule == nil {
      lines.append(ContentLine("X-DAYBOOK-LEAP-RULE", "DEFAULT"))
    }
    if !birthday.lead.isEmpty {
      lines.append(
        ContentLine(
          "X-DAYBOOK-LEAD", birthday.lead.map(ContentLine.escaped).joined(separator: ",")))
    }
    return lines
  }

  /// Returns the original alarms of the event or, if it had none, alarms at nine in the morning if requested.
  private func alarms(of birthday: Birthday, _ kept: ForeignExtra) -> [ContentLine] {
    if let text = kept.properties[KeptComponent.parts] { return ContentLine.lines(of: text) }
    guard settings.hasAlarms else { return [] }
    // An empty list of lead times means no alarms; unreadable lead times are ignored.
    let lead = LeadTimes(birthday.lead) ?? settings.lead
    return lead.days.flatMap { days in
      [
        ContentLine("BEGIN", "VALARM"), ContentLine("ACTION", "DISPLAY"),
        Self.text("DESCRIPTION", birthday.name),
        ContentLine("TRIGGER", Self.trigger(daysBefore: days)),
        ContentLine(KeptComponent.ownAlarm, "1"), ContentLine("END", "VALARM"),
      ]
    }
  }

  /// Returns the trigger for nine in the morning, the given number of days before a day that begins at midnight.
  static func trigger(daysBefore days: Int) -> String {
    if days == 0 { return "PT9H" }
    return days == 1 ? "-PT15H" : "-P\(days - 1)DT15H"
  }

  /// Writes an event for each of the next birthdays, with the age.
  ///
  /// - Parameters:
  ///   - birthday: The birthday.
  ///   - document: The document of the birthday.
  /// - Returns: Whether any events were written.
  private mutating func addAges(of birthday: Birthday, _ document: Document) -> Bool {
    guard var day = settings.today else { return false }
    for number in 0..<min(settings.ageYears, 100) {
      guard let next = birthday.next(from: day, rule: settings.leapRule), let turns = next.turns,
        let year = next.date.year, let later = next.date.adding(days: 1)
      else { return number > 0 }
      lines += [
        ContentLine("BEGIN", "VEVENT"),
        ContentLine("UID", "\(document.id.uuid)-\(year)@daybook"), stamp,
        .day("DTSTART", next.date),
        Self.text("SUMMARY", "\(birthday.name) turns \(turns)"),
        ContentLine("TRANSP", "TRANSPARENT"), ContentLine("CLASS", "PRIVATE"),
        ContentLine("CATEGORIES", "BIRTHDAY"), ContentLine("X-DAYBOOK-AGE", "\(turns)"),
      ]
      lines += alarms(of: birthday, ForeignExtra(format: .iCalendar, [:], nil))
      lines.append(ContentLine("END", "VEVENT"))
      if number == 0 { count += 1 }
      day = later
    }
    return true
  }
}

extension CivilDate {
  /// Returns a date, if the numbers form one.
  fileprivate static func known(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    // A date such as 29 February of a common year cannot be written.
    try? CivilDate(year: year, month: month, day: day)
  }
}
