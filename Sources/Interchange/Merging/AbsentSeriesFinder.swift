internal import Domain

/// Finds the series of the book to which single dates in a file belong.
///
/// A file may contain only some tasks of a program, such as the open ones, and may lack the repeating tasks to which
/// its dates belong.
struct AbsentSeriesFinder {
  private let planner: OperationPlanner
  private let records: Records
  private let file: ForeignFile

  init(_ planner: OperationPlanner, _ records: Records, _ file: ForeignFile) {
    (self.planner, self.records, self.file) = (planner, records, file)
  }

  /// Returns the series of a date, with the date as its only occurrence.
  ///
  /// - Parameters:
  ///   - record: The date in the file.
  ///   - known: The to-do in the book that the file names, if any.
  /// - Returns: The series; nil if the record is a separate to-do.
  func series(
    of record: ForeignRecord, _ known: Document?
  ) -> (record: ForeignRecord, document: Document)? {
    let isTodo = known.map { $0.isAlive && !$0.isOccurrence } ?? false
    guard let absent = record.absentSeries, !isTodo,
      let key = planner.entity(.todo, absent.uid, in: records),
      let document = records.document(of: key), document.isAlive, let series = Series(document),
      let slot = absent.slot ?? slot(of: record, in: series)
    else { return nil }
    var told = ForeignRecord(.todo, uid: absent.uid, at: record.place)
    let occurrence = occurrence(record, at: slot, of: series, document)
    if occurrence.fields.count > 1 { told.occurrences = [occurrence] }
    return (told, document)
  }

  private func slot(of record: ForeignRecord, in series: Series) -> CivilDate? {
    guard let due = record.date(Field.Todo.due), due.isComplete,
      let slot = due.adding(days: -series.dueDistance), series.dates.contains(slot)
    else { return nil }
    return slot
  }

  /// Returns the state of a date, and the fields in which it differs from its series.
  private func occurrence(
    _ record: ForeignRecord, at slot: CivilDate, of series: Series, _ document: Document
  ) -> ForeignRecord {
    var occurrence = ForeignRecord(occurrenceAt: slot, at: record.place)
    if record.isClosed {
      occurrence = record.closing(at: slot, file.settings)
    }
    occurrence.uid = record.uid
    if let due = record.date(Field.Todo.due), due != series.due(of: slot) {
      for field in Field.dueFields { occurrence.fields[field] = record.fields[field] }
    }
    for field in [Field.Todo.title, .note] {
      guard case .value(let value)? = record.fields[field], !document.shows(value, field) else {
        continue
      }
      occurrence.fields[field] = .value(value)
    }
    return occurrence
  }
}
