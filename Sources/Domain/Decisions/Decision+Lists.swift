/// The events that add a list, and a to-do on it.
func addTodo(
  _ fields: [Field: Value], inNewList name: String, _ colour: Int64?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let list = try add(
    .list, [Field.List.name: .text(name), Field.List.colour: .optional(colour)], on: shelf)
  var fields = fields
  fields[Field.Todo.list] = .reference(Draft.entity(addedBy: 0))
  return [list, try add(.todo, fields, on: shelf)]
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
