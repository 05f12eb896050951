internal import Bytes
internal import Domain

/// Writes records as a table with the columns that they need.
enum CSVWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    let documents = documents(contents)
    var rows = documents.map { row($0, contents) }
    let others = documents.map { ForeignExtra(of: $0, format: .csv).properties }
    written.lose(
      "comma in tags", "commas in tags",
      count: documents.count { $0.tags.contains { $0.contains(",") } })
    written.loseClosingDays(of: contents)
    written.loseFormerOccurrences(of: contents)
    written.loseDetailsOfOccurrences(of: contents)
    for _ in contents.documents(.pick) { written.lose("pick", "picks") }
    if contents.book != nil {
      for (place, mark) in marks(contents, of: documents, text(rows, others, settings)) {
        rows[place][.base] = mark
      }
    }
    written.bytes = Array(text(rows, others, settings).utf8)
    written.count = rows.count
    return written
  }

  /// Returns the table with the columns that have content.
  private static func text(
    _ rows: [[CSVColumn: String]], _ others: [[String: String]], _ settings: ExportSettings
  ) -> String {
    let names = Set(others.flatMap(\.keys)).sorted()
    let columns = CSVColumn.written.filter { column in
      column == .kind || column == .id || rows.contains { $0[column] != nil }
        || (column.isYoung && names.contains(column.rawValue))
    }
    var lines = [line(columns.map(\.rawValue) + names, settings)]
    for (row, other) in zip(rows, others) {
      lines.append(
        line(columns.map { row[$0] ?? "" } + names.map { other[$0] ?? "" }, settings))
    }
    return lines.joined()
  }

  /// Returns the marks of the rows, by row index; each mark names the book that wrote the row.
  ///
  /// The marks describe the records as the reader finds them in the table, because an import compares them with that
  /// form.
  private static func marks(
    _ contents: ExportContents, of documents: [Document], _ table: String
  ) -> [(place: Int, mark: String)] {
    var settings = ForeignSettings()
    settings.takesAll = true
    // A table without a header has no rows.
    guard let header = try? CSVHeader.find(in: table, settings) else { return [] }
    var reading = CSVRows(header, settings)
    var next = header.table
    var marks: [(Int, String)] = []
    for (place, document) in documents.enumerated() {
      guard let row = next.next() else { break }
      reading.take(row)
      // The reader may add a choice's question before the choice itself.
      if let told = reading.file.records.last, told.kind == document.kind {
        marks.append((place, contents.mark(of: document, as: told, in: .csv)))
      }
      reading.file.records = []
    }
    return marks
  }

  /// Returns the records in the order of their rows.
  private static func documents(_ contents: ExportContents) -> [Document] {
    [.birthday, .list, .todo, .question, .choice].flatMap(contents.documents)
  }

  private static func line(_ cells: [String], _ settings: ExportSettings) -> String {
    cells.map { cell(settings.isRaw ? $0 : FormulaGuard.marked($0)) }.joined(separator: ",")
      + "\r\n"
  }

  /// Returns a cell, quoted if necessary.
  private static func cell(_ text: String) -> String {
    let needsQuotes = text.contains(scalarOf: "\",;\t\r\n")
    guard needsQuotes || text != text.trimmed else { return text }
    return "\"" + text.replacing(scalars: ["\"": "\"\""]) + "\""
  }

  private static func row(
    _ document: Document, _ contents: ExportContents
  ) -> [CSVColumn: String] {
    var row: [CSVColumn: String] = [:]
    row[.kind] = Schema.schema(of: document.kind)?.name
    row[.id] = id(of: document)
    row[.note] = document.note
    if !document.tags.isEmpty { row[.tags] = document.tags.joined(separator: ",") }
    if let birthday = Birthday(document) { fill(&row, birthday) }
    if let todo = Todo(document) { fill(&row, todo, contents.state(of: todo, document)) }
    fillRepetition(&row, document, contents)
    row[.list] = contents.listName(of: document)
    if document.kind == .todo {
      row[.parent] = contents.parent(of: document).map(id)
    }
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

  private static func id(of document: Document) -> String {
    document.uid(from: .csv).flatMap { $0.hasPrefix("=") ? nil : $0 } ?? document.id.uuid
  }

  private static func fill(_ row: inout [CSVColumn: String], _ birthday: Birthday) {
    row[.firstName] = birthday.firstName
    row[.lastName] = birthday.lastName
    row[.birthday] = birthday.birthdate?.iso
    row[.leapRule] = birthday.leapRule.map { $0 == .march1 ? "1 March" : "28 February" }
    if !birthday.lead.isEmpty { row[.lead] = birthday.lead.joined(separator: ",") }
  }

  private static func fill(
    _ row: inout [CSVColumn: String], _ todo: Todo, _ state: ExportedState
  ) {
    row[.title] = todo.title
    row[.done] = state.isDone ? "yes" : "no"
    row[.completedAt] = state.isDone ? state.completedAt.flatMap(Instant.text) : nil
    row[.priority] = ["low", "normal", "high"][Int(todo.priority.rawValue)]
    row[.createdAt] = todo.createdAt.flatMap(Instant.text)
    row[.due] = todo.due?.iso
    let time = todo.due?.isComplete ?? false ? todo.dueTime : nil
    row[.time] = time.flatMap { TimeOfDay(minute: $0) }?.text
    row[.zone] = time == nil ? nil : todo.zone
    row[.start] = todo.start?.iso
    if !todo.remind.isEmpty { row[.reminder] = todo.remind.joined(separator: ",") }
    row[.cancelled] = state.isCancelled ? "yes" : nil
    row[.position] = todo.position.map { String($0) }
  }

  /// Writes the repeats of a to-do: the current due date, and the data from which a reader computes the others.
  private static func fillRepetition(
    _ row: inout [CSVColumn: String], _ document: Document, _ contents: ExportContents
  ) {
    if let subtask = ExportedSubtask(document, in: contents) {
      row[.slot] = subtask.slot?.iso
      let stored = subtask.stored.map(\.text).joined(separator: ",")
      if !stored.isEmpty { row[.occurrences] = stored }
    }
    guard let series = ExportedSeries(document, in: contents) else { return }
    let told = series.state.series
    row[.repetition] = told.rule.text
    row[.until] = told.until?.iso
    row[.slot] = series.state.current?.slot.iso
    row[.due] = (series.due ?? told.due).iso
    row[.firstDue] = told.due.iso
    let listed = (series.listed + [series.movedCurrent].compactMap(\.self)).map(\.text)
    if !listed.isEmpty { row[.occurrences] = listed.joined(separator: ",") }
  }
}
