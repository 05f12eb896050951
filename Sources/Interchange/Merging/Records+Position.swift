internal import Domain

extension Records {
  /// Returns the time of the last write to a record, to the list that it is on, or to one of its occurrences; within one
  /// book, this time never decreases, even if an occurrence is deleted.
  ///
  /// Files state this position, so every position that is compared with one from a file is computed here.
  func position(of document: Document) -> Int64 {
    let occurrences =
      document.kind == .todo ? RecurrenceFinder(self).occurrenceMembers(of: document) : []
    return max(lastWrite(to: document), lastWrite(to: occurrences))
  }

  /// Returns the time of the last write to a record or to the list that it is on.
  func lastWrite(to document: Document) -> Int64 {
    let list = document.kind == .todo ? document.value(Field.Todo.list).reference : nil
    let documents = [document, list.flatMap { self.document(of: $0) }].compactMap(\.self)
    return lastWrite(to: documents.flatMap(\.members))
  }

  private func lastWrite(to members: [EventKey]) -> Int64 {
    members.compactMap { entity(of: $0) }.reduce(0) { latest, entity in
      max(latest, entity.birth?.time ?? 0, entity.writes.map(\.time).max() ?? 0)
    }
  }
}
