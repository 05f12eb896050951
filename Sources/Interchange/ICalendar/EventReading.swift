internal import Domain

/// Reads a yearly event as a birthday.
struct EventReading {
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private let event: Component
  private let exceptions: [Component]

  /// Whether the event is a birthday; otherwise only the notes and ``otherwise`` are valid.
  private(set) var isBirthday = false
  /// What the event is if it is not imported as a birthday.
  private(set) var otherwise = ForeignMatter.eventThatIsNoBirthday

  /// Reads an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - exceptions: The components for single years.
  ///   - context: The calendar of the event.
  /// - Throws: ``ForeignFault`` for a birthday that a book cannot contain.
  init(
    _ event: Component, exceptions: [Component] = [], _ context: CalendarContext
  ) throws(ForeignFault) {
    (self.event, self.exceptions) = (event, exceptions)
    record = ForeignRecord(.birthday, uid: CalendarUID.read(event), at: event.place)
    if event.first("STATUS")?.value.uppercased() == "CANCELLED" { otherwise = .cancelledEvent }
    if event.first("X-DAYBOOK-AGE") != nil { otherwise = .birthdayOfOneYear }
    let isAlone = event.first("RECURRENCE-ID") != nil
    guard !isAlone, otherwise == .eventThatIsNoBirthday else { return }
    let evidence = context.isOwn ? .birthday : EventEvidence(event)
    if case .no(let occasion) = evidence, !context.settings.takesEventsAsBirthdays {
      guard event.first("RRULE") != nil else { return }
      notes = [.noBirthday(event.first("SUMMARY")?.text.trimmed ?? "", occasion)]
      return
    }
    guard evidence == .birthday || context.isOfBirthdays else {
      let title = event.first("SUMMARY")?.text.trimmed ?? ""
      // An event that is a birthday only according to its title may be a party. `--birthdays` imports it.
      if isYearly(context), CalendarContext.speaksOfBirthdays(title) {
        notes = [.perhapsBirthday(title)]
      }
      return
    }
    guard let rule = event.first("RRULE") else {
      if evidence == .birthday { throw .missing("RRULE") }
      return
    }
    isBirthday = true
    try read(rule, context)
  }

  private mutating func read(
    _ rule: ContentLine, _ context: CalendarContext
  ) throws(ForeignFault) {
    guard let start = event.first("DTSTART"), let day = Self.day(start, context) else {
      throw .unreadable(field: "DTSTART", event.first("DTSTART")?.value ?? "")
    }
    guard event.all("RRULE").count == 1, event.first("RDATE") == nil else {
      throw .unsupported("RDATE")
    }
    let yearly = try YearlyRule(rule.value, from: day)
    // The name of the person cannot be guessed.
    if event.first("SUMMARY") == nil,
      case .characterSet(let field, let set) = event.fault(of: "SUMMARY")
    {
      throw .characterSet(field: field, set)
    }
    readNames()
    record.set(Field.Birthday.birthdate, birthdate(start, day, context).map(Value.date))
    readLeapRule(yearly)
    readRest(context)
  }

  /// Returns whether the event recurs each year like a birthday.
  private func isYearly(_ context: CalendarContext) -> Bool {
    guard let rule = event.first("RRULE"), event.all("RRULE").count == 1,
      event.first("RDATE") == nil, let start = event.first("DTSTART"),
      let day = Self.day(start, context)
    else { return false }
    return (try? YearlyRule(rule.value, from: day)) != nil
  }

  /// Returns the first day; a day in the placeholder year 0 is read in a leap year, which has every day.
  private static func day(_ start: ContentLine, _ context: CalendarContext) -> CivilDate? {
    let isYearless = BirthYear.meansNone(start.value)
    let words = isYearless ? "2000" + start.value.trimmed.dropFirst(4) : start.value
    return BasicInstant.read(words).flatMap(context.day)
  }

  private mutating func readNames() {
    let summary = EventSummary(event.first("SUMMARY")?.text ?? "")
    let own = event.first("X-DAYBOOK-N").map { VCardName($0, nil) }
    let fullName = event.first("X-FNAME")?.text
    if let own, summary.isOf(own.full) {
      record.set(Field.Birthday.firstName, own.first)
      record.set(Field.Birthday.lastName, own.last)
      return
    }
    // sabre writes the name in a parameter.
    let said = fullName ?? event.first("X-SABRE-BDAY")?.values("X-SABRE-VCARD-FN").first
    // If the other names are still as this program wrote them, only the summary can have been changed.
    let name = said == own?.full ? summary.name : said ?? summary.name
    let (first, last) = ForeignName.split(name)
    record.set(Field.Birthday.firstName, first)
    record.set(Field.Birthday.lastName, last)
  }

  /// Returns the date of birth, which need not be the first day, because some feeds start with the next birthday.
  private mutating func birthdate(
    _ start: ContentLine, _ day: CivilDate, _ context: CalendarContext
  ) -> CivilDate? {
    for name in ["X-DAYBOOK-BIRTHDAY", "X-BIRTHDAY"] {
      guard let line = event.first(name), let parts = ForeignDate.iso(line.value),
        parts.month == day.month, parts.day == day.day,
        // A date that does not exist is ignored.
        let date = try? CivilDate(year: parts.year, month: parts.month, day: parts.day)
      else { continue }
      return date
    }
    let told = BirthYear(event, from: start, on: day, context)
    if let note = told.note { notes.append(note) }
    // The year in a summary may be a common year, which has no 29 February.
    return (try? CivilDate(year: told.year, month: day.month, day: day.day)) ?? day
  }

  private mutating func readLeapRule(_ yearly: YearlyRule) {
    // The value DEFAULT marks a birthday without a leap rule of its own.
    if event.first("X-DAYBOOK-LEAP-RULE")?.value == "DEFAULT" { return }
    record.set(Field.Birthday.leapRule, yearly.leapRule.map { .integer($0.rawValue) })
  }

  private mutating func readRest(_ context: CalendarContext) {
    record.set(.note, event.first("DESCRIPTION")?.text)
    let lead = event.first("X-DAYBOOK-LEAD")?.items ?? []
    record.set(Field.Birthday.lead, lead.isEmpty ? nil : .texts(lead))
    let tags = event.all("CATEGORIES").flatMap(\.items).map(\.trimmed).filter { tag in
      !EventEvidence.birthdayCategories.contains(tag.uppercased())
    }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
    let zones = Set(event.lines.flatMap { $0.values("TZID") }).sorted()
    KeptComponent.keep(
      event, zones: zones.compactMap { context.zones[$0] }, exceptions: exceptions, in: &record,
      &notes)
    KeptComponent.tellAlarms(of: event, &notes)
    for exception in exceptions {
      let day = exception.first("RECURRENCE-ID")?.value ?? ""
      notes.append(.notActedOn("RECURRENCE-ID:" + day))
    }
  }
}
