internal import Domain

extension ForeignFile {
  /// Leaves out the time zones and lead times that daybook cannot read, and notes them.
  ///
  /// A word that daybook itself wrote stays, because a newer version or another program of the book may know it.
  ///
  /// - Parameter settings: The settings for reading, which know the time zones.
  mutating func leaveUnreadWords(_ settings: ForeignSettings) {
    for place in records.indices {
      let record = records[place]
      for field in Self.fieldsOfWords {
        guard case .value(let value)? = record.fields[field], let schema = schema(field, record),
          !Self.isReadable(value, field, settings),
          !(record.base?.isSame(field, .value(value), in: record.kind) ?? false)
        else { continue }
        let words = value.text ?? value.texts?.joined(separator: ",") ?? ""
        leave(field, schema.name, words, of: place)
      }
    }
  }

  private static let fieldsOfWords = [Field.Todo.zone, Field.Todo.remind, Field.Birthday.lead]

  /// Returns the schema of a field with words that have a form, because kinds share the numbers of fields.
  private func schema(_ field: Field, _ record: ForeignRecord) -> FieldSchema? {
    let isOfKind = (field == Field.Birthday.lead) == (record.kind == .birthday)
    guard isOfKind, record.kind == .todo || record.kind == .birthday else { return nil }
    return Schema.field(field, of: record.kind)
  }

  private static func isReadable(
    _ value: Value, _ field: Field, _ settings: ForeignSettings
  ) -> Bool {
    switch field {
    case Field.Todo.zone: value.text.map(settings.isZone) ?? true
    case Field.Todo.remind: value.texts.map { $0.isEmpty || ReminderLeads($0) != nil } ?? true
    default: value.texts.map { $0.isEmpty || LeadTimes($0) != nil } ?? true
    }
  }

  /// Leaves out a field of a record; a table keeps its cell as text.
  private mutating func leave(_ field: Field, _ name: String, _ words: String, of place: Int) {
    records[place].unread.insert(field)
    records[place].fields[field] = nil
    // An occurrence that was moved has the time zone of its row.
    for other in records[place].occurrences.indices {
      records[place].occurrences[other].fields[field] = nil
    }
    let column: CSVColumn =
      switch field {
      case Field.Todo.zone: .zone
      case Field.Todo.remind: .reminder
      default: .lead
      }
    if format == .csv {
      records[place].extra[column.rawValue] = words
      remark(records[place].place, .keptAsWritten(field: column.rawValue, words))
    } else {
      remark(records[place].place, .unread(field: name, words))
    }
  }
}
