internal import Domain

/// Reads how a VTODO repeats: its rule (RFC 5545 3.8.5.3), its exceptions, and the stored dates that daybook wrote.
struct TaskRepetition {
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private let task: Component
  private let exceptions: [Component]
  private let context: CalendarContext

  /// The property with the canonical text of the rule.
  static let rule = "X-DAYBOOK-REPEAT"
  /// The due date of the first slot.
  static let first = "X-DAYBOOK-FIRST"
  static let until = "X-DAYBOOK-UNTIL"
  /// The slot that was current when the task was written.
  static let slot = "X-DAYBOOK-SLOT"
  /// The RRULE that daybook wrote for the rule.
  static let written = "X-DAYBOOK-RRULE"

  /// Begins to read a task whose other fields have already been read.
  init(
    _ task: Component, _ exceptions: [Component], _ record: ForeignRecord,
    _ context: CalendarContext
  ) {
    (self.task, self.exceptions, self.record, self.context) = (task, exceptions, record, context)
  }

  mutating func read() {
    // A book stores the day on which an occurrence was closed.
    if record.isTrue(Field.Todo.done), record.fields[Field.Todo.closedOn] == nil,
      isPartOfBook, let day = completionDay(of: record)
    {
      record.set(Field.Todo.closedOn, .date(day))
    }
    if let told = ownSeries {
      takeOwn(told)
    } else if task.first(Self.rule) == nil, let slot = day(Self.slot) {
      takeOwnSubtask(slot)
    } else {
      takeForeign()
    }
  }

  private func day(_ name: String) -> CivilDate? {
    task.first(name).flatMap { BasicInstant.read($0.value)?.day }
  }

  /// Returns the local day on which a record was completed.
  private func completionDay(of record: ForeignRecord) -> CivilDate? {
    guard case .value(.integer(let instant))? = record.fields[Field.Todo.completedAt] else {
      return nil
    }
    return context.settings.localDay(of: instant)
  }
}

// MARK: Properties that daybook wrote

extension TaskRepetition {
  /// Whether daybook wrote the state of single dates.
  private var isPartOfBook: Bool { task.first(Self.slot) != nil }

  private var stored: [StoredSlot] {
    task.first(KeptComponent.slots).map { StoredSlot.list($0.value) } ?? []
  }

  /// The series that daybook wrote, unless another program has changed its rule since then.
  private var ownSeries: Series? {
    guard let text = task.first(Self.rule)?.text.trimmed, let first = day(Self.first),
      let rule = RepeatRule(canonicalIfValid: text), hasWrittenRule
    else { return nil }
    return Series(
      rule: rule, due: first, start: day("X-DAYBOOK-START"), until: day(Self.until))
  }

  /// Whether the task still has the rule that daybook wrote.
  ///
  /// Programs may add default parts, and lower the number of dates as dates pass.
  private var hasWrittenRule: Bool {
    let written = task.first(Self.written)?.text ?? ""
    return Self.meaning(written) == Self.meaning(task.first("RRULE")?.value ?? "")
  }

  private static func meaning(_ rule: String) -> [String: Set<Substring>] {
    var parts: [String: Set<Substring>] = [:]
    for part in rule.trimmed.uppercased().split(separator: ";") where part != "INTERVAL=1" {
      let halves = part.split(separator: "=", maxSplits: 1)
      guard let name = halves.first, !["COUNT", "UNTIL", "WKST"].contains(name) else { continue }
      parts[String(name)] = Set(halves.last?.split(separator: ",") ?? [])
    }
    return parts
  }

  private mutating func takeOwn(_ series: Series) {
    let told = ToldSeries(series: series, slot: day(Self.slot), stored: stored)
    // A program that completes the current date also moves DTSTART, which daybook writes as the slot.
    let begin = task.first("DTSTART").flatMap { CalendarMoment($0, context)?.day }
    let isMoved = begin == nil || begin != told.slot
    if !isMoved { record.fields[Field.Todo.start] = nil }
    record.noteOpening(of: told)
    record.occurrences = told.occurrences(of: record, takesLaterDateAsDone: isMoved)
    record.set(series)
    takeExceptions(of: series, isOwn: true)
  }

  /// Reads a sub-task that repeats with its parent.
  private mutating func takeOwnSubtask(_ slot: CivilDate) {
    record.occurrences = ToldSubtask(slot: slot, stored: stored).occurrences(of: record)
    record.reopen()
  }
}

// MARK: Properties that other programs wrote

extension TaskRepetition {
  private mutating func takeForeign() {
    record.occurrences = stored.map { ForeignRecord(occurrence: $0, at: record.place) }
    guard let line = task.first("RRULE") else { return noteExceptions() }
    guard task.all("RRULE").count == 1, task.first("RDATE") == nil, task.first("EXRULE") == nil,
      !record.isTrue(Field.Todo.done), !record.isTrue(Field.Todo.cancelled),
      let series = series(line.value)
    else {
      notes.append(.notActedOn("RRULE:\(line.value)"))
      return noteExceptions()
    }
    record.set(series)
    takeExceptions(of: series, isOwn: false)
    keepMissedDates(of: series)
  }

  /// Returns the series of a rule; nil if daybook has no rule with the same dates.
  ///
  /// The first date is the start (RFC 5545 3.8.2.4). Without a due date, the to-do is due on its start date.
  private mutating func series(_ rule: String) -> Series? {
    let start = task.first("DTSTART").flatMap { CalendarMoment($0, context) }
    if record.fields[Field.Todo.due] == nil, let start {
      record.setDue(start.day, minute: start.minute, zone: start.zone)
      record.fields[Field.Todo.start] = nil
    }
    guard let due = record.date(Field.Todo.due) else { return nil }
    let anchor = start?.day ?? due
    let basis: RepeatRule.Basis = anchor == due ? .due : .start
    guard
      let reading = RecurrenceReading(rule, anchor: anchor)?
        .replacing(basis: basis, keepsMissed: false)
    else { return nil }
    return Series(
      rule: reading.rule, due: due,
      start: basis == .start ? anchor : record.date(Field.Todo.start),
      until: reading.until.flatMap { lastDay($0, start) })
  }

  /// Returns the day on which a rule ends or, if the to-do's time of day is after the end, the day before it.
  ///
  /// An end in UTC cannot be compared with a time in a zone that is unknown here, so only an end at midnight counts as
  /// earlier than that time.
  private func lastDay(_ end: BasicInstant.Reading, _ start: CalendarMoment?) -> CivilDate? {
    let end = context.reading(end, in: start.map(\.zone) ?? dueZone)
    guard let day = context.day(of: end), let seconds = context.seconds(of: end) else {
      return context.day(of: end)
    }
    let (minute, zone) = (start?.minute ?? dueMinute ?? 0, start?.zone)
    let isBefore = Int64(seconds) < minute * 60
    let isCertain = zone == nil || !end.isUTC || seconds == 0
    return isBefore && isCertain ? day.adding(days: -1) : day
  }

  private var dueZone: String? {
    if case .value(let zone)? = record.fields[Field.Todo.zone] { zone.text } else { nil }
  }

  private var dueMinute: Int64? {
    if case .value(.integer(let time))? = record.fields[Field.Todo.dueTime] { time } else { nil }
  }

  /// Lets the series keep its missed dates if a date later than an open date is closed.
  ///
  /// Otherwise, the series would pass over the open date.
  private mutating func keepMissedDates(of series: Series) {
    let closed = Set(record.occurrences.filter(\.isClosed).compactMap(\.slot))
    guard let last = closed.max(), !series.rule.keepsMissed,
      let open = series.dates.first(where: { !closed.contains($0) }), open < last,
      let rule = series.rule.keepingMissed
    else { return }
    record.set(Field.Todo.repeat, .text(rule.text))
  }

  /// Notes the exceptions of a task that does not repeat here.
  private mutating func noteExceptions() {
    for exception in exceptions {
      let day = exception.first("RECURRENCE-ID")?.value ?? ""
      notes.append(.notActedOn("RECURRENCE-ID:" + day))
    }
  }
}

// MARK: Exceptions

extension TaskRepetition {
  private mutating func takeExceptions(of series: Series, isOwn: Bool) {
    for exception in exceptions {
      guard let line = exception.first("RECURRENCE-ID"), line.values("RANGE").isEmpty,
        let slot = CalendarMoment(line, context)?.day, series.dates.contains(slot),
        let occurrence = occurrence(exception, at: slot, of: series)
      else {
        let day = exception.first("RECURRENCE-ID")?.value ?? ""
        notes.append(.notActedOn("RECURRENCE-ID:" + day))
        continue
      }
      let isKnown = record.occurrences.contains { $0.slot == slot && $0.isClosed }
      guard occurrence.fields.count > 1, !isKnown else { continue }
      record.occurrences.removeAll { $0.slot == slot }
      record.occurrences.append(occurrence)
    }
    // The exceptions that daybook wrote are also among its listed dates.
    guard !isOwn else { return }
    for line in task.all("EXDATE") {
      for value in line.value.split(separator: ",") {
        takeExclusion(String(value), line, of: series)
      }
    }
  }

  private mutating func takeExclusion(_ value: String, _ line: ContentLine, of series: Series) {
    guard let slot = CalendarMoment(ContentLine("EXDATE", value), context)?.day,
      series.dates.contains(slot)
    else { return notes.append(.notActedOn("EXDATE:\(value)")) }
    guard !record.occurrences.contains(where: { $0.slot == slot && $0.isClosed }) else { return }
    record.occurrences.removeAll { $0.slot == slot }
    record.occurrences.append(
      ForeignRecord(occurrence: StoredSlot(slot, .skipped), at: record.place))
  }

  /// Returns the fields in which a single date differs from the series; nil if the exception cannot be read.
  private mutating func occurrence(
    _ exception: Component, at slot: CivilDate, of series: Series
  ) -> ForeignRecord? {
    var part = exception
    if part.first("SUMMARY") == nil { part.lines += task.all("SUMMARY").prefix(1) }
    // The caller notes an exception that cannot be read, and keeps it.
    guard let reading = try? TaskReading(part, context) else { return nil }
    let told = reading.record
    notes += reading.notes.filter { $0.fault != nil }
    var occurrence = ForeignRecord(occurrenceAt: slot, at: exception.place)
    (occurrence.base, occurrence.unread) = (told.base, told.unread)
    if told.isClosed {
      occurrence.fields[Field.Todo.done] = told.fields[Field.Todo.done]
      occurrence.fields[Field.Todo.cancelled] = told.fields[Field.Todo.cancelled]
      occurrence.fields[Field.Todo.completedAt] = told.fields[Field.Todo.completedAt]
      let day = told.date(Field.Todo.closedOn) ?? completionDay(of: told)
      occurrence.set(Field.Todo.closedOn, day.map(Value.date))
    }
    for field in [Field.Todo.title, .note] where told.fields[field] != record.fields[field] {
      occurrence.fields[field] = told.fields[field]
    }
    takeDue(told, into: &occurrence, at: slot, of: series)
    let start = told.date(Field.Todo.start)
    if let start, series.rule.basis != .start || start != series.start(of: slot) {
      occurrence.set(Field.Todo.start, .date(start))
    }
    return occurrence
  }

  /// Sets the due date, its time and its zone if any of them differs from the series.
  private func takeDue(
    _ told: ForeignRecord, into occurrence: inout ForeignRecord, at slot: CivilDate,
    of series: Series
  ) {
    let times = [Field.Todo.dueTime, Field.Todo.zone]
    guard let due = told.date(Field.Todo.due),
      due != series.due(of: slot) || times.contains(where: { told.fields[$0] != record.fields[$0] })
    else { return }
    for field in [Field.Todo.due] + times { occurrence.fields[field] = told.fields[field] }
  }
}
