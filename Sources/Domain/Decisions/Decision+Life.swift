/// One delete for each live member of each document.
func delete(
  _ keys: [EventKey], _ rule: Command.ChildRule, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let documents = try distinctDocuments(of: keys, on: shelf)
  var drafts: [Draft] = []
  for document in documents {
    // An edit behind its delete would bring a child back that goes in the same command.
    for orphan in try orphans(of: document, rule, on: shelf, besides: documents) {
      drafts += try edit(orphan, [Field.Todo.list: .null], on: shelf)
    }
    drafts += document.members.filter(shelf.isAlive).map { Draft(.delete, .entity($0)) }
  }
  return drafts
}

/// The children that are to stay without their parent.
///
/// Those that are hidden with it are not looked up: a fold would have to go through all it knows for them, for
/// each delete of an import.
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

/// One restore for each member, unless the document is alive and nobody disputes it.
func restore(_ key: EventKey, on shelf: some Shelf) throws(Refusal) -> [Draft] {
  guard let document = shelf.document(of: key) else { throw .unknown(key) }
  guard !document.isAlive || document.deleteAgainstEdit != nil else { return [] }
  return document.members.map { Draft(.restore, .entity($0)) }
}

/// Restores a document and writes what differs from the fields given; those not given are cleared.
///
/// What only the add writes, and what no record of a source can hold, stays as it is.
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
