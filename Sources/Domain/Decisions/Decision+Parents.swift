/// Checks that a user's command does not make a to-do a sub-task of itself or of one of its own sub-tasks.
///
/// The events of several devices can together create such a cycle, and an import of an exported book must be able to
/// repeat it.
package func checkParent(
  setBy command: Command, on shelf: some Shelf
) throws(Refusal) {
  switch command {
  case .edit(let key, let fields), .editSeries(let key, let fields),
    .setRepeat(let key, let fields):
    guard let document = shelf.document(of: key), document.kind == .todo,
      let parent = fields[Field.Todo.parent]?.reference
    else { return }
    try checkParent(parent, of: document, on: shelf)
  default: return
  }
}

private func checkParent(
  _ parent: EventKey, of document: Document, on shelf: some Shelf
) throws(Refusal) {
  var known: Set<EventKey> = []
  var next = shelf.document(of: parent)
  while let above = next, above.isAlive, known.insert(above.key).inserted {
    guard above.key != document.key else {
      throw .parentCycle(document.id, under: shelf.document(of: parent)?.id ?? document.id)
    }
    next = above.value(Field.Todo.parent).reference.flatMap(shelf.document(of:))
  }
}
