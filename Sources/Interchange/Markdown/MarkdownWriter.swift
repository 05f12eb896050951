internal import Domain

/// Writes to-dos as check lists under the names of their lists; to-dos without a list come first.
enum MarkdownWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    let todos = contents.documents(.todo).sorted { $0.key < $1.key }
    var passages: [String] = []
    let owned = Dictionary(grouping: todos) { todo in
      contents.listName(of: todo) == nil ? nil : contents.document(Field.Todo.list, of: todo)?.key
    }
    if let loose = owned[nil] { passages.append(items(loose, on: nil, contents, &written)) }
    for list in lists(of: todos, contents) {
      guard let name = list.text(Field.List.name) else { continue }
      let own = owned[list.key] ?? []
      let heading = "# " + name.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
      if MarkdownLine(heading.dropLast()) != .heading(name) {
        written.lose("exact name of a list", "exact names of lists")
      }
      let items = own.isEmpty ? "" : "\n" + items(own, on: name, contents, &written)
      passages.append(heading + items)
    }
    written.loseTimes(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    written.bytes = Array(passages.joined(separator: "\n").utf8)
    written.count = todos.count
    return written
  }

  /// Returns the lists in the order in which they were added, including lists of which only the to-dos are exported.
  private static func lists(of todos: [Document], _ contents: ExportContents) -> [Document] {
    var lists = contents.documents(.list)
    var known = Set(lists.map(\.key))
    for todo in todos {
      guard let list = contents.document(Field.Todo.list, of: todo),
        known.insert(list.key).inserted
      else { continue }
      lists.append(list)
    }
    return lists.sorted { $0.key < $1.key }
  }

  private static func items(
    _ todos: [Document], on list: String?, _ contents: ExportContents,
    _ written: inout ForeignText.Written
  ) -> String {
    todos.compactMap { Todo($0) == nil ? nil : item($0, on: list, contents, &written) }.joined()
  }

  private static func item(
    _ document: Document, on list: String?, _ contents: ExportContents,
    _ written: inout ForeignText.Written
  ) -> String? {
    guard let todo = Todo(document) else { return nil }
    let kept = ForeignExtra(of: document, format: .markdown)
    let uid = document.uid(from: .markdown).flatMap { $0.hasPrefix("=") ? nil : $0 }
    var item = MarkdownItem(
      isDone: todo.isDone, title: todo.title,
      indent: min(kept.properties["indent"].flatMap { Int($0) } ?? 0, 64),
      id: uid ?? document.id.uuid, base: nil)
    // The mark describes the record that a later import finds in the item if the item is unchanged.
    if case .item(let found) = MarkdownLine(item.text[...]) {
      item.base = contents.mark(
        of: document, as: found.record(on: list, at: .line(0)), in: .markdown)
    }
    if todo.due != nil {
      written.lose("day on which something is due", "days on which something is due")
    }
    if document.value(Field.Todo.priority) != .null { written.lose("priority", "priorities") }
    if !document.tags.isEmpty { written.lose("to-do's tags", "to-dos' tags") }
    if document.note != nil { written.lose("note", "notes") }
    if todo.position != nil { written.lose("position", "positions") }
    if contents.writtenCreation(of: document) != nil {
      written.lose("time of creation", "times of creation")
    }
    if contents.toldCompletion(of: document) != nil {
      written.lose("time of completion", "times of completion")
    }
    return item.text + "\n"
  }
}
