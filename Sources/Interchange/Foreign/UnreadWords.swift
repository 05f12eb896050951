internal import Domain

/// Leaves out the time zones and lead times of a file that daybook cannot read, and notes them.
///
/// A word that daybook itself wrote stays, because another version of daybook may know it.
struct UnreadWords {
  private let format: FileFormat
  private let settings: ForeignSettings

  /// Prepares the check of a file.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - settings: The settings for reading, which include the time zones.
  init(_ format: FileFormat, _ settings: ForeignSettings) {
    (self.format, self.settings) = (format, settings)
  }

  /// Leaves out the unreadable words of all records of a file.
  func leave(in file: inout ForeignFile) {
    for place in file.records.indices {
      let record = file.records[place]
      for field in fields(of: record.kind) {
        guard case .value(let value)? = record.fields[field],
          let schema = Schema.field(field, of: record.kind), !isReadable(value, field, record.kind),
          !(record.base?.isSame(field, .value(value), in: record.kind) ?? false)
        else { continue }
        Self.leave(field, of: &file.records[place])
        let words = value.text ?? value.texts?.joined(separator: ",") ?? ""
        file.remark(record.place, note(field, schema.name, words, &file.records[place]))
      }
    }
  }

  /// Returns the fields of a kind whose words must have a certain form, and which people type into files of the format.
  ///
  /// In a calendar or in Taskwarrior's tasks, only programs write the words for to-dos. Unknown words there come from a
  /// device with another version of daybook.
  private func fields(of kind: Kind) -> [Field] {
    switch kind {
    case .birthday: [Field.Birthday.lead]
    case .todo where [.csv, .todoTxt, .markdown].contains(format):
      [Field.Todo.zone, Field.Todo.remind]
    default: []
    }
  }

  private func isReadable(_ value: Value, _ field: Field, _ kind: Kind) -> Bool {
    if kind == .birthday { return value.texts.map { $0.isEmpty || LeadTimes($0) != nil } ?? true }
    if field == Field.Todo.zone { return value.text.map(settings.isZone) ?? true }
    return value.texts.map { $0.isEmpty || ReminderLeads($0) != nil } ?? true
  }

  private static func leave(_ field: Field, of record: inout ForeignRecord) {
    record.unread.insert(field)
    record.fields[field] = nil
    // An occurrence that was moved has the time zone of its row.
    for place in record.occurrences.indices { record.occurrences[place].fields[field] = nil }
  }

  /// Returns the note about a field that was left out; a table keeps its cell as text.
  private func note(
    _ field: Field, _ name: String, _ words: String, _ record: inout ForeignRecord
  ) -> ForeignNote {
    guard format == .csv else { return .unread(field: name, words) }
    let column: CSVColumn =
      if record.kind == .birthday { .lead } else if field == Field.Todo.zone { .zone } else {
        .reminder
      }
    record.extra[column.rawValue] = words
    return .keptAsWritten(field: column.rawValue, words)
  }
}
