internal import Domain

/// Writes records as a table with the columns they need.
enum CSVWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    let kinds: [Kind] = [.birthday, .list, .todo, .question, .choice]
    var written = ForeignText.Written()
    var rows: [[CSVColumn: String]] = []
    var others: [[String: String]] = []
    for kind in kinds {
      for document in contents.documents(kind) {
        rows.append(row(document, contents))
        others.append(ForeignExtra(of: document, format: .csv).properties)
      }
    }
    for _ in contents.documents(.pick) { written.lose("draw", "draws") }
    let columns = CSVColumn.written.filter { column in
      column == .kind || column == .id || rows.contains { $0[column] != nil }
    }
    let names = Set(others.flatMap(\.keys)).sorted()
    var lines = [line(columns.map(\.rawValue) + names, settings)]
    for (row, other) in zip(rows, others) {
      lines.append(
        line(columns.map { row[$0] ?? "" } + names.map { other[$0] ?? "" }, settings))
    }
    written.bytes = Array(lines.joined().utf8)
    written.count = rows.count
    return written
  }

  private static func line(_ cells: [String], _ settings: ExportSettings) -> String {
    cells.map { cell(settings.isRaw ? $0 : FormulaGuard.marked($0)) }.joined(separator: ",")
      + "\r\n"
  }

  /// A cell in quotes, if it needs them.
  private static func cell(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { "\",;\t\r\n".unicodeScalars.contains($0) }
    guard needsQuotes || text != text.trimmed else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func row(
    _ document: Document, _ contents: ExportContents
  ) -> [CSVColumn: String] {
    var row: [CSVColumn: String] = [:]
    row[.kind] = Schema.schema(of: document.kind)?.name
    row[.id] = document.uid(from: .csv).flatMap { $0.hasPrefix("=") ? nil : $0 } ?? document.id.uuid
    row[.note] = document.note
    if !document.tags.isEmpty { row[.tags] = document.tags.joined(separator: ",") }
    if let birthday = Birthday(document) { fill(&row, birthday) }
    if let todo = Todo(document) { fill(&row, todo, document) }
    row[.list] = contents.listName(of: document)
    if let list = TodoList(document) {
      row[.list] = list.name
      row[.colour] = list.colour.map(FieldSchema.text(ofColour:))
    }
    if let question = Question(document) { row[.question] = question.content }
    if let choice = Choice(document) {
      row[.question] = contents.document(.owner, of: document)?.text(Field.Question.content)
      row[.choice] = choice.name
      row[.weight] = String(choice.weight)
    }
    return row
  }

  private static func fill(_ row: inout [CSVColumn: String], _ birthday: Birthday) {
    row[.firstName] = birthday.firstName
    row[.lastName] = birthday.lastName
    row[.birthday] = birthday.birthdate?.iso
    row[.leapRule] = birthday.leapRule.map { $0 == .march1 ? "1 March" : "28 February" }
    if !birthday.lead.isEmpty { row[.lead] = birthday.lead.joined(separator: ",") }
  }

  private static func fill(_ row: inout [CSVColumn: String], _ todo: Todo, _ document: Document) {
    row[.title] = todo.title
    row[.done] = todo.isDone ? "yes" : "no"
    row[.completedAt] = todo.isDone ? todo.completedAt.flatMap(Instant.text) : nil
    row[.priority] = ["low", "normal", "high"][Int(todo.priority.rawValue)]
    row[.createdAt] = todo.createdAt.flatMap(Instant.text)
    row[.due] = todo.due?.iso
    row[.position] = todo.position.map { String($0) }
  }
}
