internal import Domain

extension Records {
  /// Returns the time of the last write to a record or to the list that it is on; within one book, this time never
  /// decreases.
  func position(of document: Document) -> Int64 {
    let list = document.kind == .todo ? document.value(Field.Todo.list).reference : nil
    let documents = [document, list.flatMap { self.document(of: $0) }].compactMap(\.self)
    return documents.flatMap(\.members).compactMap { entity(of: $0) }.reduce(0) { latest, entity in
      max(latest, entity.birth?.time ?? 0, entity.writes.map(\.time).max() ?? 0)
    }
  }
}
