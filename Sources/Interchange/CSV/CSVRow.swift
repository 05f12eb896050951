internal import Domain

/// A row of a table, as the record it stands for.
struct CSVRow {
  /// A column as its header tells.
  enum Column: Equatable {
    case known(CSVColumn)
    /// One of no known meaning, which is kept under its name.
    case other(String)
    /// One whose name is too long to be kept.
    case leftOut

    var known: CSVColumn? { if case .known(let column) = self { column } else { nil } }

    var name: String {
      switch self {
      case .known(let column): column.rawValue
      case .other(let name): name
      case .leftOut: "a cell"
      }
    }
  }

  private var cells: [CSVColumn: String] = [:]
  /// What stands in columns of no known meaning, by their names.
  private var others: [String: String] = [:]
  private let order: ForeignSettings.DateOrder?
  private let settings: ForeignSettings

  init(
    _ row: CSVTable.Row, _ columns: [Column], order: ForeignSettings.DateOrder?,
    _ settings: ForeignSettings
  ) {
    (self.order, self.settings) = (order, settings)
    for (column, cell) in zip(columns, row.cells) {
      // What is marked is exact, also in its blanks.
      let cell = FormulaGuard.unmarked(cell) ?? cell.trimmed
      guard !cell.isEmpty else { continue }
      switch column {
      case .known(let column): cells[column] = cell
      case .other(let name): others[name] = cell
      case .leftOut: continue
      }
    }
  }

  subscript(column: CSVColumn) -> String? { cells[column] }

  /// What the row is about; nil if nothing is in it.
  func kind() throws(ForeignFault) -> Kind? {
    if let word = self[.kind]?.lowercased() {
      guard let schema = Schema.schema(named: word), schema.kind != .pick else {
        throw .unreadable(field: CSVColumn.kind.rawValue, word)
      }
      return schema.kind
    }
    if self[.choice] != nil, self[.question] != nil { return .choice }
    if self[.question] != nil { return .question }
    if self[.title] != nil { return .todo }
    if self[.birthday] != nil || self[.firstName] != nil || self[.lastName] != nil {
      return .birthday
    }
    // A table of to-dos may call them names, and only then it says whether they are done.
    if self[.name] != nil {
      let isTask = self[.done] != nil || self[.priority] != nil || self[.due] != nil
      return isTask ? .todo : .birthday
    }
    if self[.list] != nil { return .list }
    if cells.isEmpty { return nil }
    throw .missing("a name or title")
  }

  /// The row as a record of a kind, and of a question if it is a choice.
  func record(
    _ kind: Kind, of question: String?, at place: ForeignPlace, _ names: inout ContentNames
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(kind, uid: "", at: place)
    record.set(.note, self[.note])
    if let tags = self[.tags] {
      let words = tags.split { $0 == "," || $0 == ";" || $0 == "\n" }.map { String($0).trimmed }
      record.set(.tags, .texts(words.filter { !$0.isEmpty }))
    }
    switch kind {
    case .birthday: try fillBirthday(&record)
    case .list: try fillList(&record)
    case .todo: try fillTodo(&record)
    case .question: record.set(Field.Question.content, self[.question] ?? self[.title])
    case .choice: try fillChoice(&record, of: question)
    default: break
    }
    record.uid = self[.id] ?? contentName(of: record, &names)
    if kind == .question, self[.id] == nil, let content = self[.question] {
      record.uid = Self.uid(ofQuestion: content)
    }
    for (name, text) in others { record.extra[name] = text }
    return record
  }

  static func uid(ofQuestion content: String) -> String { "question:" + content }

  /// What names a record that has no id: what people would know it by.
  private func contentName(of record: ForeignRecord, _ names: inout ContentNames) -> String {
    let kind = Schema.schema(of: record.kind)?.name
    return switch record.kind {
    case .birthday:
      names.name([kind, self[.name], self[.firstName], self[.lastName], self[.birthday]])
    case .choice: names.name([kind, self[.question], self[.choice]])
    case .list: "list:" + (self[.list] ?? "")
    default: names.name([kind, self[.title] ?? self[.name], self[.list], self[.createdAt]])
    }
  }
}

extension CSVRow {
  private func fillBirthday(_ record: inout ForeignRecord) throws(ForeignFault) {
    let (first, last) = self[.name].map(ForeignName.split) ?? (nil, nil)
    let hasParts = self[.firstName] != nil || self[.lastName] != nil
    record.set(Field.Birthday.firstName, hasParts ? self[.firstName] : first)
    record.set(Field.Birthday.lastName, hasParts ? self[.lastName] : last)
    record.set(Field.Birthday.birthdate, try date(.birthday).map(Value.date))
    if let rule = self[.leapRule] {
      let rules = ["28feb", "1mar"]
      let plain = rule.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let place = rules.firstIndex(where: { plain.hasPrefix($0) }) else {
        throw .unreadable(field: CSVColumn.leapRule.rawValue, rule)
      }
      record.set(Field.Birthday.leapRule, .integer(Int64(place)))
    }
    if let lead = self[.lead] {
      record.set(
        Field.Birthday.lead, .texts(lead.split(separator: ",").map { String($0).trimmed }))
    }
    if record.fields.keys.allSatisfy({ $0 < Field.Birthday.firstName }) {
      throw .missing("a name or a date")
    }
  }

  private func fillList(_ record: inout ForeignRecord) throws(ForeignFault) {
    record.set(Field.List.name, self[.list] ?? self[.name] ?? self[.title])
    guard let colour = self[.colour] else { return }
    guard colour.hasPrefix("#"), colour.utf8.count == 7,
      let number = Int64(colour.dropFirst(), radix: 16)
    else { throw .unreadable(field: CSVColumn.colour.rawValue, colour) }
    record.set(Field.List.colour, .integer(number))
  }

  private func fillTodo(_ record: inout ForeignRecord) throws(ForeignFault) {
    record.set(Field.Todo.title, self[.title] ?? self[.name])
    guard record.fields[Field.Todo.title] != nil else { throw .missing("a title") }
    if let list = self[.list] { record.fields[Field.Todo.list] = .list(named: list) }
    record.set(Field.Todo.done, try flag(.done).map(Value.boolean))
    record.set(Field.Todo.priority, try priority())
    record.set(Field.Todo.due, try date(.due).map(Value.date))
    record.set(Field.Todo.completedAt, try instant(.completedAt).map(Value.integer))
    record.time = try instant(.createdAt)
    record.set(Field.Todo.createdAt, record.time.map(Value.integer))
    record.set(Field.Todo.position, try number(.position))
  }

  private func fillChoice(
    _ record: inout ForeignRecord, of question: String?
  ) throws(ForeignFault) {
    guard let question else { throw .missing("a question") }
    record.set(Field.Choice.name, self[.choice] ?? self[.name])
    record.set(Field.Choice.weight, try number(.weight))
    record.fields[.owner] = .record(uid: question)
  }

  private func date(_ column: CSVColumn) throws(ForeignFault) -> CivilDate? {
    guard let text = self[column] else { return nil }
    return try ForeignDate.read(text, field: column.rawValue, order: order)
  }

  private func instant(_ column: CSVColumn) throws(ForeignFault) -> Int64? {
    guard let text = self[column] else { return nil }
    if let instant = Instant.parse(text) { return instant }
    let day = try ForeignDate.read(text, field: column.rawValue, order: order)
    guard let epochDay = day.epochDay else {
      throw .unreadable(field: column.rawValue, text)
    }
    let midnight = Int64(epochDay) * 86_400_000
    return midnight - Int64(settings.localOffset(midnight)) * 1000
  }

  private func number(_ column: CSVColumn) throws(ForeignFault) -> Value? {
    guard let text = self[column] else { return nil }
    guard let number = Int64(text) else { throw .unreadable(field: column.rawValue, text) }
    return .integer(number)
  }

  private func flag(_ column: CSVColumn) throws(ForeignFault) -> Bool? {
    guard let text = self[column] else { return nil }
    switch text.lowercased() {
    case "x", "yes", "y", "true", "1", "done", "completed", "complete", "checked", "finished":
      return true
    case "no", "n", "false", "0", "open", "pending", "needs-action", "unchecked", "todo":
      return false
    default: throw .unreadable(field: column.rawValue, text)
    }
  }

  private func priority() throws(ForeignFault) -> Value? {
    guard let text = self[.priority] else { return nil }
    switch text.lowercased() {
    case "high", "h", "a", "2", "!!!", "urgent": return .integer(2)
    case "normal", "medium", "m", "b", "1", "!!", "none": return .integer(1)
    case "low", "l", "c", "0", "!": return .integer(0)
    default: throw .unreadable(field: CSVColumn.priority.rawValue, text)
    }
  }
}
