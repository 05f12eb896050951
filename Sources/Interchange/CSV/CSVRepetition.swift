internal import Domain

/// Reads how a to-do repeats from the cells of a row.
struct CSVRepetition {
  private(set) var base: CSVRecordBuilder

  /// Continues a to-do whose dates and state have already been read.
  init(_ base: CSVRecordBuilder) { self.base = base }

  /// Reads a phrase that is written in place of a due date.
  ///
  /// - Returns: Whether there is a phrase. The due date is then the first date of its rule.
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
    guard base.layout.isOwn else { return readForeign() }
    if readOwn() { return }
    if let slot = day(.slot) { return takeSubtask(slot) }
    let place = base.record.place
    base.record.occurrences = stored().map { ForeignRecord(occurrence: $0, at: place) }
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
        let due = base.record.date(Field.Todo.due), due.isComplete,
        let told = rule(cell.text, due) ?? base.settings.repeatPhrase(cell.text, due)
      else {
        base.notes.append(.notActedOn("\(cell.header): \(cell.text)"))
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
  private mutating func day(_ column: CSVColumn) -> CivilDate? {
    guard let cell = base.row.cells(column).first, let day = ForeignDate.own(cell.text) else {
      return nil
    }
    base.take(cell)
    return day
  }

  private mutating func stored() -> [StoredSlot] {
    base.text(.occurrences).map(StoredSlot.list) ?? []
  }

  /// Reads a series; the user may have typed a phrase in place of its rule.
  private mutating func readOwn() -> Bool {
    guard let cell = base.row.cells(.repetition).first else { return false }
    let due = day(.firstDue) ?? base.record.date(Field.Todo.due)
    guard let due, due.isComplete,
      let told = RepeatRule(canonicalIfValid: cell.text).map({ ForeignRepeat($0, due: due) })
        ?? rule(cell.text, due) ?? base.settings.repeatPhrase(cell.text, due),
      let series = Series(
        rule: told.rule, due: due, start: base.record.date(Field.Todo.start),
        until: day(.until) ?? told.until)
    else {
      base.keepUnread(cell)
      return true
    }
    base.take(cell)
    let (slot, stored) = (day(.slot), stored())
    base.record.take(ToldSeries(series: series, slot: slot, stored: stored), base.settings)
    return true
  }

  private mutating func takeSubtask(_ slot: CivilDate) {
    let stored = stored()
    base.record.take(ToldSubtask(slot: slot, stored: stored), base.settings)
  }
}
