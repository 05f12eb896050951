internal import Domain

/// An event from a calendar, which is written back with the changes made since it was read.
struct EventRevision {
  private let birthday: Birthday
  private let changes: Set<Field>
  private var event: RevisedLines

  init(_ kept: [ContentLine], _ birthday: Birthday, _ changes: Set<Field>) {
    (self.birthday, self.changes) = (birthday, changes)
    event = RevisedLines(kept)
  }

  private func hasChanged(_ fields: Field...) -> Bool { !changes.isDisjoint(with: fields) }

  /// Returns the properties, including the changes.
  ///
  /// - Parameters:
  ///   - own: The event as this program writes it, from which new properties are taken.
  ///   - tags: The tags of the birthday.
  ///   - isNamedAnew: Whether the uid of the event belongs to another record.
  ///   - context: The context with which a reader reads the file; the original calendar may have had a different name.
  /// - Returns: The properties in their original order, followed by new properties.
  mutating func lines(
    _ own: [ContentLine], tags: [String], isNamedAnew: Bool, _ context: CalendarContext
  ) -> [ContentLine] {
    if isNamedAnew || !event.has("UID") { take("UID", from: own) }
    if hasChanged(Field.Birthday.birthdate) {
      reviseDate(own)
    } else if year(in: context) != birthday.birthdate?.year {
      tellDay()
    }
    if hasChanged(Field.Birthday.birthdate, Field.Birthday.leapRule) { reviseRule(own) }
    let isRenamed = hasChanged(Field.Birthday.firstName, Field.Birthday.lastName)
    if isRenamed { reviseName(own) }
    if isRenamed || hasChanged(Field.Birthday.birthdate) { reviseSummary(own) }
    if hasChanged(.note) {
      event.revise("DESCRIPTION", with: own.first { $0.name == "DESCRIPTION" })
    }
    if hasChanged(.tags) { reviseCategories(tags) }
    if hasChanged(Field.Birthday.lead) { take("X-DAYBOOK-LEAD", from: own) }
    if !changes.isEmpty {
      take("DTSTAMP", from: own)
      take("LAST-MODIFIED", from: own)
    }
    return event.lines
  }

  /// Returns the year of birth that a reader finds in the event.
  private func year(in context: CalendarContext) -> Int? {
    let event = Component(name: "VEVENT", place: .line(0), lines: event.lines)
    guard let told = try? EventReading(event, context).record,
      case .value(let value)? = told.fields[Field.Birthday.birthdate]
    else { return nil }
    return value.date?.year
  }

  /// Replaces a property with the property that this program writes, or adds it at the end.
  private mutating func take(_ name: String, from own: [ContentLine]) {
    event.replace(name, with: own.first { $0.name == name })
  }

  /// Adds the exact date, in case a reader does not find it in the first day, as in an event from a feed.
  private mutating func tellDay() {
    let line = birthday.birthdate.map { ContentLine("X-DAYBOOK-BIRTHDAY", $0.iso) }
    event.replace("X-DAYBOOK-BIRTHDAY", with: line)
  }

  private mutating func reviseDate(_ own: [ContentLine]) {
    // The old end is meaningless for the new day, so the event gets no end.
    let start = own.first { $0.name == "DTSTART" }
    event.replace(event.places("DTSTART", "DTEND", "DURATION"), with: [start].compactMap(\.self))
    tellDay()
    if event.has("X-BIRTHDAY") { take("X-BIRTHDAY", from: own) }
    let year = birthday.birthdate?.year
    for name in BirthYear.flags { event.edit(name) { $0.value = year == nil ? "1" : "0" } }
    if event.has("X-NEXTCLOUD-BC-YEAR") {
      let line = year.map { ContentLine("X-NEXTCLOUD-BC-YEAR", "\($0)") }
      event.replace("X-NEXTCLOUD-BC-YEAR", with: line)
    }
    event.edit("X-SABRE-BDAY") { line in
      line.parameters.removeAll { BirthYear.omissions.contains($0.name) }
    }
  }

  /// Replaces the recurrence rule unless it also fits the new day.
  private mutating func reviseRule(_ own: [ContentLine]) {
    take("X-DAYBOOK-LEAP-RULE", from: own)
    let isLeapBorn = birthday.birthdate?.month == 2 && birthday.birthdate?.day == 29
    if !isLeapBorn, let rule = event.first("RRULE"), let date = birthday.birthdate,
      // An error only means that the rule does not fit the new day and is replaced.
      (try? YearlyRule(rule.value, from: date)) != nil
    {
      return
    }
    take("RRULE", from: own)
  }

  private mutating func reviseName(_ own: [ContentLine]) {
    take("X-DAYBOOK-N", from: own)
    event.edit("X-FNAME") { $0.value = ContentLine.escaped(birthday.name) }
    event.edit("X-SABRE-BDAY") { line in
      for place in line.parameters.indices where line.parameters[place].name == "X-SABRE-VCARD-FN" {
        line.parameters[place].values = [birthday.name]
      }
    }
  }

  private mutating func reviseSummary(_ own: [ContentLine]) {
    guard let line = event.first("SUMMARY"), let date = birthday.birthdate else {
      return take("SUMMARY", from: own)
    }
    let hasNewDate = hasChanged(Field.Birthday.birthdate)
    let text = EventSummary.revised(line.text, birthday.name, date, hasNewDate: hasNewDate)
    if text != line.text { event.edit("SUMMARY") { $0.value = ContentLine.escaped(text) } }
  }

  /// Replaces the tags among the categories, and keeps the categories that mark the event as a birthday.
  private mutating func reviseCategories(_ tags: [String]) {
    let old = event.lines.filter { $0.name == "CATEGORIES" }.flatMap(\.items).map(\.trimmed)
    let marks = old.filter { EventEvidence.birthdayCategories.contains($0.uppercased()) }
    let items = (marks + tags).map(ContentLine.escaped).joined(separator: ",")
    let line = items.isEmpty ? [] : [ContentLine("CATEGORIES", items)]
    event.replace(event.places("CATEGORIES"), with: line)
  }
}
