/// The events that add a list and a to-do in it.
func addTodo(
  _ fields: [Field: Value], inNewList name: String, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let list = try add(.list, [Field.List.name: .text(name)], on: shelf)
  var fields = fields
  fields[Field.Todo.list] = .reference(Draft.entity(addedBy: 0))
  return [list, try add(.todo, fields, on: shelf)]
}

/// The edits that mark to-dos as done, or open them again.
///
/// The time of completion follows from the event. A to-do that was cancelled is no longer cancelled afterwards.
func setDone(
  _ keys: [EventKey], _ isDone: Bool, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  try editTodos(keys, on: shelf) { _ in
    [
      Field.Todo.done: .boolean(isDone), Field.Todo.cancelled: .null,
      Field.Todo.closedOn: .null,
    ]
  }
}

/// The edits that close to-dos without marking them as done.
func cancel(
  _ keys: [EventKey], on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  try editTodos(keys, on: shelf) { document in
    // A to-do that is cancelled already keeps its day.
    guard Todo(document)?.isCancelled == false || document.isInConflict(Field.Todo.cancelled) else {
      return [Field.Todo.done: .boolean(false)]
    }
    return [
      Field.Todo.done: .boolean(false), Field.Todo.cancelled: .boolean(true),
      Field.Todo.closedOn: day.map(Value.date) ?? .null,
    ]
  }
}

/// The edits of several to-dos, each with its own fields.
private func editTodos(
  _ keys: [EventKey], on shelf: some Shelf, _ fields: (Document) -> [Field: Value]
) throws(Refusal) -> [Draft] {
  var drafts: [Draft] = []
  for document in try distinctDocuments(of: keys, on: shelf) {
    guard document.kind == .todo else {
      throw .notOfKind(expected: .todo, found: document.kind)
    }
    drafts += try edit(document, fields(document), on: shelf)
  }
  return drafts
}

/// The live documents of the given entities, each once, in the order of the keys.
func distinctDocuments(
  of keys: [EventKey], on shelf: some Shelf
) throws(Refusal) -> [Document] {
  var known: Set<EventKey> = []
  var documents: [Document] = []
  for key in keys {
    let document = try shelf.liveDocument(of: key)
    if known.insert(document.key).inserted { documents.append(document) }
  }
  return documents
}
