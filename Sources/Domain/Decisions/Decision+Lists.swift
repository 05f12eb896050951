/// The events that add a list and a to-do in it.
func addTodo(
  _ fields: [Field: Value], inNewList name: String, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let list = try add(.list, [Field.List.name: .text(name)], on: shelf)
  var fields = fields
  fields[Field.Todo.list] = .reference(Draft.entity(addedBy: 0))
  return [list, try add(.todo, fields, on: shelf)]
}

/// The edits that mark to-dos as done or as not done.
///
/// The time of completion follows from the event.
func setDone(
  _ keys: [EventKey], _ isDone: Bool, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  var drafts: [Draft] = []
  for document in try distinctDocuments(of: keys, on: shelf) {
    guard document.kind == .todo else {
      throw .notOfKind(expected: .todo, found: document.kind)
    }
    drafts += try edit(document, [Field.Todo.done: .boolean(isDone)], on: shelf)
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
