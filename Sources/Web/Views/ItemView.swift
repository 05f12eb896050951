import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the details of one record.
struct ItemView {
  let page: PageSnapshot

  private static let stepsShown = 200

  /// Returns a record with its fields and its latest events.
  func item(_ id: UniqueID) throws -> [JSON.Member] {
    guard let key = try page.model.documents.document(id: id)?.key,
      let document = try page.snapshot.document(key)
    else { throw DaybookError.unknown(id.uuid, kind: nil) }
    return [
      JSON.Member("id", .string(document.id.uuid)),
      JSON.Member("kind", .string(document.kind.name)),
      JSON.Member("kindWords", .string(document.kind.title)),
      JSON.Member("title", .string(document.title.visible)),
      JSON.Member("deleted", .boolean(!document.isAlive)),
      JSON.Member("fields", .array(try fields(of: document))),
      JSON.Member("conflict", .boolean(page.unsettled.contains(document.key))),
      JSON.Member("state", state(document)),
      JSON.Member("parent", try page.parent(of: document.key)),
      JSON.Member("subtasks", try subtasks(of: document)),
      JSON.Member("move", try move(document)),
      JSON.Member("history", .array(try history(of: document))),
    ]
  }

  private func fields(of document: Document) throws -> [JSON] {
    try (Schema.schema(of: document.kind)?.fields ?? []).compactMap { field in
      guard let input = field.inputName, !["done", "cancelled"].contains(field.name) else {
        return nil
      }
      let birth = document.value(Field.Birthday.birthdate).date
      // The leap rule applies only to a birth on 29 February.
      if input == "leap", birth?.month != 2 || birth?.day != 29 { return nil }
      let value = field.meaning(of: document.value(field.field))
      // Without a due time, a zone has no meaning.
      if field.name == "zone", value == .null, document.value(Field.Todo.dueTime) == .null {
        return nil
      }
      let isParent = input == "todo"
      return .object(
        ("name", .string(field.name)), ("label", .string(field.label)),
        ("type", .string(input)),
        ("value", .string(try isParent ? title(of: value) : text(value, field))),
        ("options", .array(isParent ? try possibleParents(of: document) : page.options(of: field))),
        ("hint", .words(hint(field, input))))
    }
  }

  /// Returns the title of the living to-do that a value refers to; empty if there is none.
  private func title(of value: Value) throws -> String {
    guard let key = value.reference, let document = try page.snapshot.document(key),
      document.isAlive
    else { return "" }
    return document.title.visible
  }

  /// Returns the titles of the most urgent open to-dos of the same list, without the to-do and its sub-tasks.
  ///
  /// A title can also be typed, so not all need to be read.
  private func possibleParents(of document: Document) throws -> [JSON] {
    guard page.isNow, let todo = try page.model.todos.todo(document.key) else { return [] }
    var filter = TodoFilter.visible(on: page.today)
    filter.place = todo.list.map { .list($0) } ?? .withoutList
    let own = Set([todo.head.key] + (try page.model.subtasks.descendants(of: [todo.head.key])))
    var known: Set<String> = []
    return try page.model.todos.todos(filter, page: Page(count: Self.parentsOffered))
      .filter { !own.contains($0.head.key) }.compactMap(\.title)
      .filter { known.insert($0).inserted }.map { .object(("value", .string($0))) }
  }

  private static let parentsOffered = 100

  /// Returns the id of a to-do, and the words of the link to its sub-tasks; null for other and for deleted records.
  private func subtasks(of document: Document) throws -> JSON {
    guard document.kind == .todo, document.isAlive else { return .null }
    let count = try page.model.subtasks.children(of: document.key).count
    let words = count == 0 ? "Sub-tasks" : counted(count, "sub-task", "sub-tasks")
    return .object(("id", .string(document.id.uuid)), ("words", .string(words)))
  }

  /// Returns an example of what the input of a field accepts.
  private func hint(_ field: FieldSchema, _ input: String) -> String? {
    switch field.name {
    case "zone": "Europe/Berlin, or empty for local time everywhere"
    case "parent": "the title of a to-do, or empty for none"
    case "remind": "1d, 2h, 0 for the due time itself, or none"
    default: input == "day" ? "10 dec 1815, or 10 dec" : nil
    }
  }

  /// Returns the text of a value in the form that the input of the field accepts.
  func text(_ value: Value, _ field: FieldSchema) throws -> String {
    switch (field.type, value) {
    case (_, .null): return ""
    case (.date, _):
      return value.date.map { field.inputName == "date" ? $0.iso : $0.shortWords } ?? ""
    case (.boolean, .boolean(let flag)): return flag ? "yes" : "no"
    case (_, .texts(let texts)): return texts.joined(separator: ", ")
    case (_, .text(let text)): return text
    case (_, .reference(let key)): return try page.snapshot.id(of: key)?.uuid ?? ""
    default: return try page.snapshot.words(value, field.type)
    }
  }

  /// Returns whether a to-do is open, done or cancelled; null for other records.
  private func state(_ document: Document) -> JSON {
    guard let todo = Todo(document) else { return .null }
    return .string(todo.isDone ? "done" : todo.isCancelled ? "cancelled" : "open")
  }

  /// Returns whether a to-do can move up and down; null if the record cannot be moved.
  private func move(_ document: Document) throws -> JSON {
    guard page.isNow, document.kind == .todo, document.isAlive else { return .null }
    let order = try neighbours(of: document.key)
    guard let place = order.firstIndex(where: { $0.head.key == document.key }) else { return .null }
    return .object(
      ("up", .boolean(place > 0)), ("down", .boolean(place < order.count - 1)))
  }

  /// Returns the open to-dos of the same list that are not hidden, with the same priority, due date and parent, in the
  /// order of the user; nothing for a to-do that is hidden or closed.
  func neighbours(of key: EventKey) throws -> [TodoRow] {
    guard let todo = try page.model.todos.todo(key) else { return [] }
    var filter = TodoFilter.visible(on: page.today)
    filter.place = todo.list.map { .list($0) } ?? .withoutList
    let todos = try page.model.todos.todos(filter)
    let alike = todos.alike(key)
    guard alike.contains(where: { $0.parent != nil }) else { return alike }
    // A sub-task moves only below its parent, if the parent is shown.
    let shown = Set(todos.map(\.head.key))
    let parents = try page.model.subtasks.parents(of: alike.map(\.head.key))
      .filter { shown.contains($0.value) }
    return alike.filter { parents[$0.head.key] == parents[key] }
  }

  private func history(of document: Document) throws -> [JSON] {
    let wish = HistoryWish(id: document.id, limit: Self.stepsShown)
    let history = try page.book.historyReader.history(wish, at: page.moment)
    let past = Snapshot(book: page.book, model: page.model, loaded: history.documents)
    return try history.entries.map { entry in
      .object(
        ("instant", .string(Instant.text(entry.fact.effectiveTime))),
        ("when", .string(page.momentWords(entry.fact.effectiveTime))),
        ("words", .string(try EntryWords(past, page).sentence(entry))),
        ("device", .string(entry.device.visible)), ("restore", try restoring(entry, past)))
    }
  }

  /// Returns the fields to write to give the record its values at an event again; null if it has these values.
  private func restoring(_ entry: HistoryEntry, _ past: Snapshot) throws -> JSON {
    guard page.isNow, !entry.isErased, let kind = entry.document?.kind else { return .null }
    var members = try entry.fact.body.fieldWrites.compactMap { write -> JSON.Member? in
      guard let field = Schema.field(write.field, of: kind), field.inputName != nil else {
        return nil
      }
      return JSON.Member(field.name, .string(try text(field.meaning(of: write.value), field)))
    }
    let tags = TagChanges(entry)
    if !tags.isEmpty, let document = entry.document {
      let wanted = tags.applied(to: document.tags).joined(separator: ", ")
      members.append(JSON.Member("tags", .string(wanted)))
    }
    let isSo = try entry.document.map { try shows($0, members) } ?? false
    return members.isEmpty || isSo ? .null : .object(members)
  }

  /// Whether a record has the given field values.
  private func shows(_ document: Document, _ members: [JSON.Member]) throws -> Bool {
    let schema = Schema.schema(of: document.kind)
    return try members.allSatisfy { member in
      guard let field = schema?.field(named: member.name) else { return false }
      return try text(field.meaning(of: document.value(field.field)), field) == member.value.string
    }
  }
}
