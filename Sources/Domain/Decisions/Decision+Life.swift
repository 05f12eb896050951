/// The deletes of all live members of the documents, with edits for the to-dos that remain.
func delete(
  _ keys: [EventKey], _ rule: Command.ChildRule, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let documents = try distinctDocuments(of: keys, on: shelf)
  var drafts: [Draft] = []
  for document in documents {
    // If a child is deleted in the same command, an edit after its delete would bring it back.
    for orphan in try orphans(of: document, rule, on: shelf, besides: documents) {
      drafts += try edit(orphan, [Field.Todo.list: .null], on: shelf)
    }
    drafts += document.members.filter(shelf.isAlive).map { Draft(.delete, .entity($0)) }
  }
  return drafts
}

/// The children that remain without their parent.
///
/// Children that are hidden with their parent are not looked up, because a fold would have to search all of its records
/// for each delete of an import.
private func orphans(
  of parent: Document, _ rule: Command.ChildRule, on shelf: some Shelf, besides others: [Document]
) throws(Refusal) -> [Document] {
  guard rule != .hide else { return [] }
  let known = Set(others.map(\.key))
  let todos = shelf.children(of: parent.key, .todo).filter { !known.contains($0.key) }
  let choices = shelf.children(of: parent.key, .choice).filter { !known.contains($0.key) }
  guard rule == .keep else {
    let count = todos.count + choices.count
    guard count == 0 else { throw .notEmpty(parent.kind, parent.id, children: count) }
    return []
  }
  guard choices.isEmpty else { throw .childrenNeedParent(parent.kind, parent.id) }
  return todos
}

/// The restores of all members, or none if the document is alive and its life is not in conflict.
func restore(_ key: EventKey, on shelf: some Shelf) throws(Refusal) -> [Draft] {
  guard let document = shelf.document(of: key) else { throw .unknown(key) }
  guard !document.isAlive || document.deleteAgainstEdit != nil else { return [] }
  return document.members.map { Draft(.restore, .entity($0)) }
}

/// Restores a document, writes the given fields that differ, and clears all other fields.
///
/// Fields written only by adds, and quiet fields that are not given, remain unchanged.
func revive(
  _ key: EventKey, _ fields: [Field: Value], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let document = shelf.document(of: key) else { throw .unknown(key) }
  guard let schema = Schema.schema(of: document.kind) else { throw .unknownKind(document.kind) }
  var wanted = fields.filter { schema.field($0.key)?.isFixed != true }
  for shown in document.fields where wanted[shown.field] == nil && shown.value != .null {
    guard let field = schema.field(shown.field), !field.isFixed, !field.isQuiet else { continue }
    wanted[shown.field] = .null
  }
  return try restore(key, on: shelf) + edit(document, wanted, on: shelf)
}
