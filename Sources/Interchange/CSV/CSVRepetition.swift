internal import Domain

/// Reads how a to-do repeats from the cells of a row.
struct CSVRepetition {
  private(set) var base: CSVRecordBuilder

  /// Continues a to-do whose dates and state have already been read.
  init(_ base: CSVRecordBuilder) { self.base = base }

  /// Reads a phrase that is written in place of a due date.
  ///
  /// - Returns: Whether there is a phrase. If so, the due date becomes the first date of its rule.
  mutating func readPhraseForDue() -> Bool {
    guard base.layout.program?.hasPhrasesForDue ?? false, let cell = base.row.cells(.due).first,
      let told = base.settings.repeatPhrase(cell.text, nil)
    else { return false }
    base.take(cell)
    take(told)
    let zone = base.row.cells(.zone).first
    base.record.setDue(
      told.due, minute: told.minute,
      zone: told.minute == nil ? nil : zone.flatMap { CalendarZone.name($0.text) })
    if let zone, base.record.fields[Field.Todo.zone] != nil { base.take(zone) }
    base.record.supposed = [Field.Todo.due]
    return true
  }

  mutating func read() {
    if base.layout.isOwn { readOwn() } else { readForeign() }
  }

  private mutating func take(_ told: ForeignRepeat) {
    base.record.set(Field.Todo.repeat, .text(told.rule.text))
    base.record.set(Field.Todo.until, told.until.map(Value.date))
  }
}

// MARK: Tables of other programs

extension CSVRepetition {
  /// Reads an RFC 5545 rule or a phrase; anything else is noted and kept.
  private mutating func readForeign() {
    for cell in base.row.cells(.repetition) where !CSVWords.isNone(cell.text) {
      guard base.record.fields[Field.Todo.repeat] == nil, !base.record.isClosed,
        let due = base.record.date(Field.Todo.due), due.isComplete
      else {
        base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
        continue
      }
      guard let told = rule(cell.text, due) ?? base.settings.repeatPhrase(cell.text, due) else {
        base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
        base.record.unread.formUnion([Field.Todo.repeat, Field.Todo.until])
        continue
      }
      base.take(cell)
      take(told)
    }
  }

  /// Returns the rule, counted from the to-do's start or, if there is no complete start, from the due date.
  private func rule(_ text: String, _ due: CivilDate) -> ForeignRepeat? {
    let text = text.uppercased().hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
    let start = base.record.date(Field.Todo.start)
    let anchor = start?.isComplete ?? false ? start ?? due : due
    guard
      let reading = RecurrenceReading(text, anchor: anchor)?
        .replacing(basis: anchor == due ? .due : .start, keepsMissed: false)
    else { return nil }
    let until = reading.until.map { end in
      end.instant.flatMap { base.settings.localDay(of: $0) } ?? end.day
    }
    return ForeignRepeat(reading.rule, due: due, until: until)
  }
}

// MARK: Tables that daybook wrote

extension CSVRepetition {
  /// Reads a day; a spreadsheet may have written it in another form.
  ///
  /// - Returns: The day; nil if the cell is empty.
  /// - Throws: ``ForeignFault`` if the cell is not a single day. The cell is then noted and kept.
  private mutating func day(_ column: CSVColumn) throws(ForeignFault) -> CivilDate? {
    guard let cell = base.row.cells(column).first else { return nil }
    do throws(ForeignFault) {
      let day = try CSVDay.read(cell, base)
      base.take(cell)
      return day
    } catch {
      base.keepUnread(cell, error)
      throw error
    }
  }

  /// Reads the stored data about other slots; entries that cannot be read are noted, and the cell is kept.
  private mutating func stored() -> [StoredSlot] {
    guard let cell = base.row.cells(.occurrences).first else { return [] }
    let entries = cell.text.split(separator: ",").map(String.init)
    let slots = StoredSlot.list(cell.text)
    if slots.count == entries.count {
      base.take(cell)
    } else {
      base.notes += entries.filter { StoredSlot($0) == nil }
        .map { .keptAsWritten(field: cell.header, $0) }
    }
    return slots
  }

  private mutating func readOwn() {
    do throws(ForeignFault) {
      if try readSeries() { return }
      if let slot = try day(.slot) { return takeSubtask(slot) }
      let place = base.record.place
      base.record.occurrences = stored().map { ForeignRecord(occurrence: $0, at: place) }
    } catch {
      // The fault is noted. The dates and the state of the row belong to a date of the series, which is unknown.
      base.record.unread.formUnion(Field.seriesFields)
    }
  }

  /// Reads a series; the user may have typed a phrase in place of its rule.
  ///
  /// - Returns: Whether the row has a rule.
  /// - Throws: ``ForeignFault`` if the rule or a day of the series cannot be read.
  private mutating func readSeries() throws(ForeignFault) -> Bool {
    guard let cell = base.row.cells(.repetition).first else { return false }
    let (first, until, slot) = (try day(.firstDue), try day(.until), try day(.slot))
    guard let due = first ?? base.record.date(Field.Todo.due), !hasUnreadStart else {
      // Without its first date, or with an unreadable start, a rule has no dates.
      base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
      throw .missing("a date")
    }
    guard due.isComplete,
      let told = RepeatRule(canonicalIfValid: cell.text).map({ ForeignRepeat($0, due: due) })
        ?? rule(cell.text, due) ?? base.settings.repeatPhrase(cell.text, due),
      let series = Series(
        rule: told.rule, due: due, start: base.record.date(Field.Todo.start),
        until: until ?? told.until)
    else {
      base.keepUnread(cell)
      throw .unreadable(field: cell.header, cell.text)
    }
    base.take(cell)
    let stored = stored()
    base.record.take(ToldSeries(series: series, slot: slot, stored: stored), base.settings)
    return true
  }

  /// Whether the row has a start that could not be read; such a start has already been noted.
  private var hasUnreadStart: Bool {
    guard let text = base.row[.start], base.record.date(Field.Todo.start) == nil else {
      return false
    }
    return !CSVWords.isNone(text) && !ForeignDate.isNone(text)
  }

  private mutating func takeSubtask(_ slot: CivilDate) {
    let stored = stored()
    base.record.take(ToldSubtask(slot: slot, stored: stored), base.settings)
  }
}

/// Reads days in a table that daybook wrote.
private enum CSVDay {
  /// Returns the day in a cell, in the form that daybook or a spreadsheet writes; nil if the cell says that there is
  /// none.
  static func read(
    _ cell: CSVRow.Cell, _ base: CSVRecordBuilder
  ) throws(ForeignFault) -> CivilDate? {
    if let day = ForeignDate.own(cell.text) { return day }
    if CSVWords.isNone(cell.text) || ForeignDate.isNone(cell.text) { return nil }
    if let day = ForeignDate.serial(cell.text) { return day }
    let day = try ForeignMoment(cell.text, field: cell.header, order: base.order).day(base.settings)
    guard day.isComplete else { throw .unreadable(field: cell.header, cell.text) }
    return day
  }
}
