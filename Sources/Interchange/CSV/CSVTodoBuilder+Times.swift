internal import Domain

/// The due date with its time, the start, the reminders and the parent.
extension CSVTodoBuilder {
  /// The day and the time in a cell.
  private struct Due {
    var day: CivilDate
    var minute: Int64?
    /// Whether the time has no zone of its own; if so, a zone in another column applies to it.
    var isLocal = true
  }

  mutating func fillDue() throws(ForeignFault) {
    // A program that writes a repeating date as a phrase writes no other date for it.
    var repetition = CSVRepetition(base)
    let isRepeating = repetition.readPhraseForDue()
    base = repetition.base
    guard !isRepeating, var due = try due() else { return noteOtherDues() }
    if due.minute == nil, due.day.isComplete { due.minute = try time() }
    var zone: String?
    if due.minute != nil, due.day.isComplete, due.isLocal, let cell = base.row.cells(.zone).first {
      zone = base.layout.isOwn ? cell.text : CalendarZone.name(cell.text)
      if zone != nil { base.take(cell) }
    }
    base.record.setDue(due.day, minute: due.minute, zone: zone)
    noteOtherDues()
  }

  /// Notes the other days on which a table says that the to-do is due, such as its deadline; their cells are kept.
  private mutating func noteOtherDues() {
    guard let due = base.record.date(Field.Todo.due) else { return }
    for cell in base.row.cells(.due).dropFirst() {
      let moment = try? ForeignMoment(cell.text, field: cell.header, order: base.order)
      guard let day = ForeignDate.serial(cell.text) ?? moment?.day(base.settings), day != due else {
        continue
      }
      base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
    }
  }

  /// The settings for reading instants, which are in the time zone of the row if that differs from local time.
  private var clock: (settings: ForeignSettings, isZoned: Bool) {
    var settings = base.settings
    guard !base.layout.isOwn, let cell = base.row.cells(.zone).first,
      let offset = CalendarZone.name(cell.text).flatMap(settings.zoneOffset)
    else { return (settings, false) }
    // A program names the zone of its user in each row, which is usually that of this machine.
    let month: Int64 = 30 * 86_400_000
    let isLocal = (0..<12).map { (settings.now ?? 0) + $0 * month }
      .allSatisfy { offset($0) == settings.localOffset($0) }
    if isLocal { return (settings, false) }
    settings.localOffset = offset
    return (settings, true)
  }

  private mutating func due() throws(ForeignFault) -> Due? {
    let isWholeDay = base.row[.allDay].flatMap(base.words.state) == .done
    var told: [ForeignNote] = []
    let (order, isOwn) = (base.order, base.layout.isOwn)
    let (settings, isZoned) = clock
    let due = try base.first(.due) { cell throws(ForeignFault) -> CSVRecordBuilder.Read<Due>? in
      if isOwn, let date = ForeignDate.own(cell.text) {
        return CSVRecordBuilder.Read(content: Due(day: date))
      }
      if ForeignDate.isNone(cell.text) { return nil }
      if let day = ForeignDate.serial(cell.text) {
        told.append(.changed(field: cell.header, cell.text, to: day.iso))
        return CSVRecordBuilder.Read(content: Due(day: day))
      }
      let end = Self.range(cell.text)?.end ?? cell.text
      let moment = try ForeignMoment(end, field: cell.header, order: order)
      let (day, isCertain) =
        isWholeDay ? moment.dayOfMidnight(settings) : (moment.day(settings), true)
      // A month is accepted in the form that daybook writes; a year alone may be any number in a table of another
      // program.
      guard day.isComplete || (day.iso == cell.text && cell.text.contains("-")) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      let minute = isWholeDay ? nil : moment.minute(settings)
      let isInZone = moment.offset == nil || isZoned
      let isExact = minute == nil || (isInZone && (moment.clock ?? 0) % 60_000 == 0)
      let isWhole = isCertain && isExact && !ForeignMoment.isNumber(cell.text)
      if !isWhole {
        let time = minute.flatMap { TimeOfDay(minute: $0) }.map { " " + $0.text } ?? ""
        told.append(.changed(field: cell.header, cell.text, to: day.iso + time))
      }
      return CSVRecordBuilder.Read(
        content: Due(day: day, minute: minute, isLocal: isInZone), isWhole: isWhole)
    }
    base.notes += told
    if due != nil, isWholeDay { for cell in base.row.cells(.allDay) { base.take(cell) } }
    return due
  }

  /// Reads the time from a column of its own.
  private mutating func time() throws(ForeignFault) -> Int64? {
    try base.first(.time) { cell throws(ForeignFault) -> CSVRecordBuilder.Read<Int64>? in
      if let time = TimeOfDay(text: cell.text) {
        return CSVRecordBuilder.Read(content: time.minute)
      }
      let moment = try ForeignMoment("2000-01-01 " + cell.text, field: cell.header, order: nil)
      guard let clock = moment.clock, moment.offset == nil else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return CSVRecordBuilder.Read(
        content: clock / 60_000, isWhole: clock.isMultiple(of: 60_000))
    }
  }

  /// Returns the halves of a range such as `December 3, 2026 → December 5, 2026`.
  private static func range(_ text: String) -> (start: String, end: String)? {
    guard let arrow = text.lastIndex(of: "→") else { return nil }
    return (String(text[..<arrow]).trimmed, String(text[text.index(after: arrow)...]).trimmed)
  }

  mutating func fillStart() throws(ForeignFault) {
    let (order, settings, isOwn) = (base.order, clock.settings, base.layout.isOwn)
    let due: CivilDate? =
      if case .value(let value)? = base.record.fields[Field.Todo.due] { value.date } else { nil }
    let dueText = base.row[.due]
    let isWholeDay = base.row[.allDay].flatMap(base.words.state) == .done
    var told: [ForeignNote] = []
    var start = try base.first(.start) {
      cell throws(ForeignFault) -> CSVRecordBuilder.Read<CivilDate>? in
      if isOwn, let date = ForeignDate.own(cell.text) {
        return CSVRecordBuilder.Read(content: date)
      }
      // The start of a one-day task is the day on which it is due, so it adds nothing.
      if ForeignDate.isNone(cell.text) || (cell.text == dueText && !isOwn) { return nil }
      let moment = try ForeignMoment(cell.text, field: cell.header, order: order)
      let day = isWholeDay ? moment.dayOfMidnight(settings).day : moment.day(settings)
      guard day.isComplete else { throw .unreadable(field: cell.header, cell.text) }
      let isWhole = isWholeDay || !moment.isTimed
      if !isWhole { told.append(.changed(field: cell.header, cell.text, to: day.iso)) }
      return CSVRecordBuilder.Read(content: day, isWhole: isWhole)
    }
    base.notes += told
    if start == nil, let cell = base.row.cells(.due).first, let text = Self.range(cell.text)?.start
    {
      let moment = try? ForeignMoment(text, field: "", order: order)
      start = moment?.day(settings)
      if let moment, let start, moment.isTimed {
        base.notes.append(.changed(field: "the start of \(cell.header)", text, to: start.iso))
      } else if moment == nil {
        base.notes.append(.keptAsWritten(field: "the start of \(cell.header)", text))
        base.record.unread.insert(Field.Todo.start)
        base.record.extra[cell.header] = cell.text
      }
    }
    guard let start, isOwn || start != due else { return }
    base.record.set(Field.Todo.start, .date(start))
  }

  /// Reads the lead times of reminders; a reminder at a fixed time is kept and noted.
  mutating func fillReminders() {
    for cell in base.row.cells(.reminder) {
      let words = cell.text.split { $0 == "," || $0 == ";" || $0.isNewline }
        .map { String($0).trimmed }.filter { !$0.isEmpty }
      if base.layout.isOwn {
        base.take(cell)
        base.record.set(Field.Todo.remind, .texts(words))
        continue
      }
      if CSVWords.isNone(cell.text) { continue }
      let leads = words.compactMap(lead)
      guard leads.count == words.count, base.record.fields[Field.Todo.due] != nil else {
        base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
        continue
      }
      base.take(cell)
      base.record.set(Field.Todo.remind, .texts(leads.map(\.text)))
    }
  }

  /// Reads `30m`, or the trigger of an alarm, such as `TRIGGER:-PT30M`.
  private func lead(_ word: String) -> ReminderLead? {
    if let lead = ReminderLead(word) { return lead }
    let duration = word.hasPrefix("TRIGGER:") ? String(word.dropFirst(8)) : word
    guard let seconds = CalendarDuration.seconds(duration), seconds.isMultiple(of: 60) else {
      return nil
    }
    let isTimed = base.record.fields[Field.Todo.dueTime] != nil
    return ReminderLead(
      minutes: (isTimed ? 0 : ReminderLead.minuteOfUntimed) - seconds / 60)
  }

  /// Returns whether a column says that the to-do is cancelled; an unknown word is noted and kept.
  mutating func isCancelled() throws(ForeignFault) -> Bool {
    var isCancelled = false
    for cell in base.row.cells(.cancelled) where !CSVWords.isNone(cell.text) {
      guard let state = base.words.state(cell.text) else {
        base.keepUnread(cell)
        continue
      }
      base.take(cell)
      if state != .open { isCancelled = true }
    }
    return isCancelled
  }

  /// Reads the parent in a table that daybook wrote.
  ///
  /// In other tables, a parent can be found only after all rows have been read.
  mutating func takeParent() {
    guard base.layout.isOwn, let uid = base.text(.parent), !CSVWords.isNone(uid) else { return }
    base.record.fields[Field.Todo.parent] = .record(uid: uid)
  }
}

extension ForeignMoment {
  /// Returns the minute of the local day; nil if there is no time other than midnight.
  fileprivate func minute(_ settings: ForeignSettings) -> Int64? {
    guard isTimed, let clock, let instant = instant(settings) else { return nil }
    guard offset != nil else { return clock / 60_000 }
    let local = instant / 60_000 + Int64(settings.localOffset(instant)) / 60
    return (local % 1440 + 1440) % 1440
  }
}
