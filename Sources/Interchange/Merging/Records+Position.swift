internal import Domain

extension Records {
  /// When a record was written to last, also by a change of the name of its list; in one book this only grows.
  func position(of document: Document) -> Int64 {
    let list = document.kind == .todo ? document.value(Field.Todo.list).reference : nil
    let documents = [document, list.flatMap { self.document(of: $0) }].compactMap(\.self)
    return documents.flatMap(\.members).compactMap { entity(of: $0) }.reduce(0) { latest, entity in
      max(latest, entity.birth?.time ?? 0, entity.writes.map(\.time).max() ?? 0)
    }
  }
}
