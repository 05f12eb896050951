/// One delete for each live member of each document.
func delete(
  _ keys: [EventKey], _ rule: Command.ChildRule, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  var drafts: [Draft] = []
  for document in try distinctDocuments(of: keys, on: shelf) {
    for orphan in try orphans(of: document, rule, on: shelf) {
      drafts += try edit(orphan, [Field.Todo.list: .null], on: shelf)
    }
    drafts += document.members.filter(shelf.isAlive).map { Draft(.delete, .entity($0)) }
  }
  return drafts
}

/// The children that are to stay without their parent.
private func orphans(
  of document: Document, _ rule: Command.ChildRule, on shelf: some Shelf
) throws(Refusal) -> [Document] {
  switch rule {
  case .hide: return []
  case .deny:
    let children =
      shelf.children(of: document.key, .todo).count
      + shelf.children(of: document.key, .choice).count
    guard children == 0 else { throw .notEmpty(document.kind, document.id, children: children) }
    return []
  case .keep:
    guard shelf.children(of: document.key, .choice).isEmpty else {
      throw .childrenNeedParent(document.kind, document.id)
    }
    return shelf.children(of: document.key, .todo)
  }
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
