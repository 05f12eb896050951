internal import Domain

/// Writes to-dos as a todo.txt file, in the order in which they were added.
enum TodoTxtWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    var lines: [String] = []
    for document in contents.documents(.todo).sorted(by: { $0.key < $1.key }) {
      guard let todo = Todo(document) else { continue }
      var line = line(document, todo, contents, settings)
      // The base describes the record that a later import finds in the line if the line is unchanged.
      line.base = TodoTxtBase.nothing
      let found = TodoTxtLine(line.text)
      let told = found.record(reading, at: .line(0))
      line.base = TodoTxtBase.word(told) + origin(of: document, as: told, contents)
      if found.title != todo.title {
        written.lose(
          "title with words that mean something else there",
          "titles with words that mean something else there")
      }
      if found.contexts != line.contexts
        || found.projects.dropFirst() != line.projects.dropFirst()
      {
        written.lose("blank in tags", "blanks in tags")
      }
      if document.note != nil { written.lose("note", "notes") }
      if todo.position != nil { written.lose("position", "positions") }
      let instants = [
        line.created.flatMap { _ in contents.writtenCreation(of: document) },
        line.completed.flatMap { _ in contents.toldCompletion(of: document) },
      ]
      if instants.compactMap(\.self).contains(where: settings.isWithinDay) {
        written.lose(
          "time of day when something was added or done",
          "times of day when something was added or done")
      }
      if line.isDone, line.completed == nil, line.created != nil {
        written.lose(
          "creation day of a to-do with an unknown completion day",
          "creation days of to-dos with unknown completion days")
      }
      lines.append(line.text + "\n")
    }
    written.losePartialDues(of: contents)
    written.loseTimes(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    written.bytes = Array(lines.joined().utf8)
    written.count = lines.count
    return written
  }

  private static func origin(
    of document: Document, as told: ForeignRecord, _ contents: ExportContents
  ) -> String {
    let base = FieldDigests(told.fields, of: .todo)
    let kept = ForeignExtra(of: document, format: .todoTxt)
    return contents.origin(of: document, as: base, kept)?.text(beside: base) ?? ""
  }

  private static func line(
    _ document: Document, _ todo: Todo, _ contents: ExportContents, _ settings: ExportSettings
  ) -> TodoTxtLine {
    let extra = ForeignExtra(of: document, format: .todoTxt)
    var line = TodoTxtLine()
    line.isDone = todo.isDone
    line.title = todo.title
    line.created = contents.toldCreation(of: document).flatMap(settings.localDay)
    line.completed = contents.toldCompletion(of: document).flatMap(settings.localDay)
    line.due = todo.due.flatMap { $0.isComplete ? $0 : nil }
    line.priority = priority(document, todo, extra.properties["priority"])
    if let list = contents.listName(of: document) {
      line.projects = [TodoTxtName.word(list)]
      line.listName = TodoTxtName.word(list) == list ? nil : list
    }
    // The first project is the list, so without a list all tags are contexts.
    let isOnList = !line.projects.isEmpty
    let projects = document.tags.filter { isOnList && $0.hasPrefix("+") && $0.count > 1 }
    line.contexts = document.tags.filter { !projects.contains($0) }
    line.projects += projects.map { String($0.dropFirst()) }
    line.others = extra.properties.filter { TodoTxtLine.otherKeys.contains($0.key) }
    let uid = document.uid(from: .todoTxt).flatMap { $0.hasPrefix("=") ? nil : $0 }
    line.uuid = uid ?? document.id.uuid
    return line
  }

  /// Returns the original letter if it still has the same meaning; none if the priority was never set.
  private static func priority(_ document: Document, _ todo: Todo, _ letter: String?) -> String? {
    if let letter, TodoTxtLine.meaning(of: letter) == todo.priority { return letter }
    if document.value(Field.Todo.priority) == .null { return nil }
    return TodoTxtLine.letter(for: todo.priority)
  }
}
