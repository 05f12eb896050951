internal import Domain

/// A series as described in a file that daybook wrote: its fields, the date that was current, and its stored dates.
struct ToldSeries {
  let series: Series
  /// The slot that was current when the file was written; nil in a finished series.
  var slot: CivilDate?
  let stored: [StoredSlot]
  /// Occurrences that another program has closed or opened in entries of their own.
  var changed: [ForeignRecord] = []

  init(series: Series, slot: CivilDate?, stored: [StoredSlot]) {
    (self.series, self.slot, self.stored) = (series, slot, stored)
  }

  /// Whether no date was open when the file was written.
  var wasFinished: Bool { SeriesState(series, told: stored).isFinished }

  /// Reads the occurrences of the series, with the changes that another program made to the current occurrence.
  ///
  /// - Parameters:
  ///   - record: The to-do as seen by a program that does not support series.
  ///   - takesLaterDateAsDone: Whether a due date that is a later date of the rule means that the current date is done.
  ///   Calendars move a repeating to-do to its next date when it is completed.
  /// - Returns: The occurrences. The fields of the record that contain their states do not belong to the series.
  func occurrences(
    of record: ForeignRecord, takesLaterDateAsDone: Bool
  ) -> [ForeignRecord] {
    var occurrences = stored.filter { !$0.isMoved }.map { $0.occurrence(in: record) }
    let current = currentChange(record, takesLaterDateAsDone)
    for var occurrence in changed + [current].compactMap(\.self) {
      if occurrence.base == nil { occurrence.base = record.base.map { _ in FieldDigests() } }
      occurrences.removeAll { $0.slot == occurrence.slot }
      occurrences.append(occurrence)
    }
    return occurrences
  }

  /// Returns the current occurrence if a program has closed or moved it.
  private func currentChange(
    _ record: ForeignRecord, _ takesLaterDateAsDone: Bool
  ) -> ForeignRecord? {
    guard let slot else { return nil }
    let written = stored.first { $0.slot == slot && $0.isMoved }
    if record.isClosed {
      // When the file was written, nothing was stored about the current date.
      return record.closing(at: slot)
    }
    let expected = series.due(of: slot)
    guard let day = record.date(Field.Todo.due), day.isComplete,
      day != expected || written != nil
    else { return nil }
    let distance = series.due.days(since: series.anchor) ?? 0
    if takesLaterDateAsDone, day > expected, let other = day.adding(days: -distance),
      series.dates.contains(other)
    {
      let done = StoredSlot(slot, .done, on: closingDay(of: slot, before: other))
      return ForeignRecord(occurrence: done, at: record.place)
    }
    return moved(record, at: slot, to: day, written)
  }

  /// Returns an occurrence with its own due date, or without the due date that it had when the file was written.
  private func moved(
    _ record: ForeignRecord, at slot: CivilDate, to day: CivilDate, _ written: StoredSlot?
  ) -> ForeignRecord {
    var moved = ForeignRecord(occurrenceAt: slot, at: record.place)
    for field in Field.dueFields { moved.fields[field] = record.fields[field] }
    var before = written == nil ? ForeignRecord(occurrenceAt: slot, at: record.place) : moved
    if let day = written?.day { before.set(Field.Todo.due, .date(day)) }
    moved.base = record.base.map { _ in FieldDigests(before.fields, of: .todo) }
    if day == series.due(of: slot) { for field in Field.dueFields { moved.fields[field] = nil } }
    return moved
  }

  /// Returns the day of closing that makes the other date the next one; nil if that date is the next in any case.
  private func closingDay(of slot: CivilDate, before other: CivilDate) -> CivilDate? {
    guard let morrow = slot.adding(days: 1), series.dates.first(onOrAfter: morrow) != other else {
      return nil
    }
    return series.due(of: other)
  }
}

/// A sub-task of a series, as described in a file that daybook wrote.
struct ToldSubtask {
  /// The slot whose state the file states as the state of the to-do.
  let slot: CivilDate
  let stored: [StoredSlot]

  /// Reads the occurrences of the to-do, with the changes that another program made to the shown occurrence.
  ///
  /// The fields of the record that contain the state of that occurrence do not belong to the to-do itself.
  func occurrences(of record: ForeignRecord) -> [ForeignRecord] {
    let written = stored.first { $0.slot == slot }
    let others = stored.filter { $0.slot != slot }.map { $0.occurrence(in: record) }
    if (written?.state ?? .open) == record.state {
      return others + [written?.occurrence(in: record)].compactMap(\.self)
    }
    var current = record.closing(at: slot)
    current.base = record.base.map { _ in written?.occurrence(in: record).base ?? FieldDigests() }
    return others + [current]
  }
}

extension StoredSlot {
  /// Whether the slot is open and has a due date of its own.
  fileprivate var isMoved: Bool { isOpen && day != nil }

  /// Returns the occurrence as daybook wrote it to the file of a record.
  fileprivate func occurrence(in record: ForeignRecord) -> ForeignRecord {
    var occurrence = ForeignRecord(occurrence: self, at: record.place)
    if record.base != nil { occurrence.base = FieldDigests(occurrence.fields, of: .todo) }
    return occurrence
  }
}
