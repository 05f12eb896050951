internal import Domain

/// A yearly event as the birthday it is.
struct EventReading {
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private let event: Component

  /// Reads an event; nil for one that is no birthday.
  init?(_ event: Component, _ context: CalendarContext) throws(ForeignFault) {
    self.event = event
    record = ForeignRecord(.birthday, uid: CalendarUID.read(event), at: event.place)
    let categories = event.all("CATEGORIES").flatMap(\.items).map { $0.trimmed.uppercased() }
    let isMarked =
      !Set(categories).isDisjoint(with: ["BIRTHDAY", "BIRTHDAYS", "ANNIVERSARY", "GEBURTSTAG"])
      || ["X-BIRTHDAY", "X-DAYBOOK-BIRTHDAY", "X-SABRE-BDAY"].contains { event.first($0) != nil }
    let isOfOneYear = event.first("X-DAYBOOK-AGE") != nil || event.first("RECURRENCE-ID") != nil
    let isCancelled = event.first("STATUS")?.value.uppercased() == "CANCELLED"
    guard isMarked || context.isOfBirthdays, !isOfOneYear, !isCancelled else { return nil }
    guard let rule = event.first("RRULE") else {
      if isMarked { throw .missing("RRULE") }
      return nil
    }
    guard let start = event.first("DTSTART"), let reading = BasicInstant.read(start.value),
      let day = context.day(of: reading)
    else {
      throw .unreadable(field: "DTSTART", event.first("DTSTART")?.value ?? "")
    }
    guard event.all("RRULE").count == 1, event.first("RDATE") == nil else {
      throw .unsupported("RDATE")
    }
    let yearly = try YearlyRule(rule.value, from: day)
    readNames(of: context)
    readDate(start, day)
    readLeapRule(yearly)
    readRest()
  }

  private mutating func readNames(of context: CalendarContext) {
    let summary = EventSummary(event.first("SUMMARY")?.text ?? "")
    let own = event.first("X-DAYBOOK-N").map { VCardName($0, nil) }
    if let own, own.full == summary.name {
      record.set(Field.Birthday.firstName, own.first)
      record.set(Field.Birthday.lastName, own.last)
      return
    }
    let name = event.first("X-FNAME")?.text ?? summary.name
    let (first, last) = ForeignName.split(name)
    record.set(Field.Birthday.firstName, first)
    record.set(Field.Birthday.lastName, last)
  }

  private mutating func readDate(_ start: ContentLine, _ day: CivilDate) {
    record.set(Field.Birthday.birthdate, birthdate(start, day).map(Value.date))
  }

  /// The date of birth, for which the first day need not be taken: some feeds begin with the next birthday.
  private mutating func birthdate(_ start: ContentLine, _ day: CivilDate) -> CivilDate? {
    for name in ["X-DAYBOOK-BIRTHDAY", "X-BIRTHDAY"] {
      guard let line = event.first(name), let parts = ForeignDate.iso(line.value),
        parts.month == day.month, parts.day == day.day,
        // A date that does not exist counts for nothing.
        let date = try? CivilDate(year: parts.year, month: parts.month, day: parts.day)
      else { continue }
      return date
    }
    var year = day.year
    let summary = EventSummary(event.first("SUMMARY")?.text ?? "")
    let omitted = start.values("X-APPLE-OMIT-YEAR").first.flatMap { Int($0) }
    let stamp = event.first("DTSTAMP").flatMap { BasicInstant.read($0.value) }?.day.year
    if let told = summary.year {
      year = told
    } else if omitted == year || event.first("X-NEXTCLOUD-BC-UNKNOWN-YEAR")?.value == "1" {
      year = nil
    } else if let told = year, told == VCardBirthday.yearMeaningNone || told >= stamp ?? .max {
      notes.append(.yearLeftOut(told))
      year = nil
    }
    // The 29 February of a summary's common year is none.
    return (try? CivilDate(year: year, month: day.month, day: day.day)) ?? day
  }

  private mutating func readLeapRule(_ yearly: YearlyRule) {
    // What is written for someone without a rule of their own says so.
    if event.first("X-DAYBOOK-LEAP-RULE")?.value == "DEFAULT" { return }
    record.set(Field.Birthday.leapRule, yearly.leapRule.map { .integer($0.rawValue) })
  }

  private static let known: Set<String> = [
    "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "RRULE", "SUMMARY", "TRANSP", "CLASS",
    "LAST-MODIFIED", "X-BIRTHDAY", "X-FNAME", "SEQUENCE", "DESCRIPTION",
  ]

  private mutating func readRest() {
    record.set(.note, event.first("DESCRIPTION")?.text)
    if let base = event.first("X-DAYBOOK-BASE") { record.base = FieldDigests(base.value) }
    let lead = event.first("X-DAYBOOK-LEAD")?.items ?? []
    record.set(Field.Birthday.lead, lead.isEmpty ? nil : .texts(lead))
    let tags = event.all("CATEGORIES").flatMap(\.items).map(\.trimmed).filter { tag in
      !["BIRTHDAY", "BIRTHDAYS", "ANNIVERSARY", "GEBURTSTAG"].contains(tag.uppercased())
    }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
    CalendarRest.keep(event, except: Self.known, in: &record, &notes)
  }
}
