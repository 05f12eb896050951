internal import Domain

extension ForeignRecord {
  /// Returns the record with the values of the book for fields that the file only implies.
  ///
  /// A first date that was computed from a rule depends on the day of the import. Such a date is used only for a rule
  /// that the book does not have yet.
  func keepingSupposed(of document: Document) -> ForeignRecord {
    guard !supposed.isEmpty,
      fields[Field.Todo.repeat] == .value(document.value(Field.Todo.repeat))
    else { return self }
    var record = self
    for field in supposed where document.value(field) != .null {
      record.fields[field] = .value(document.value(field))
    }
    return record
  }
}

extension ForeignRecord {
  /// Returns the record without the fields that cannot be read, for which a record of the book keeps its values.
  func leavingUnread() -> ForeignRecord {
    guard !unread.isEmpty else { return self }
    var record = self
    for field in unread { record.fields[field] = nil }
    return record
  }
}

extension Operation {
  /// Splits off the completion of a to-do that was completed after its creation, so that its history is correct.
  ///
  /// If the file has no completion time, the to-do is done as of the import and has no completion time.
  mutating func takeCompletion() -> Operation? {
    let done = Assignment(Field.Todo.done, .value(.boolean(true)))
    guard kind == .todo, assignments.contains(done) else { return nil }
    let completion = assignments.first { $0.field == Field.Todo.completedAt }
    let unknown = Assignment(Field.Todo.completedAt, .value(.null))
    guard let time else {
      if completion == nil { assignments.append(unknown) }
      return nil
    }
    var edit = Operation(.edit, kind, id: id, [done])
    switch completion?.content {
    case .value(.integer(let completed))?:
      guard completed > time else { return nil }
      edit.time = completed
    default: edit.assignments.append(unknown)
    }
    assignments.removeAll { [Field.Todo.done, Field.Todo.completedAt].contains($0.field) }
    return edit
  }

  /// Leaves out the time of a to-do that has no due date afterwards, and the zone if it has no time.
  ///
  /// A file may change one of these fields while another field is in dispute, or cannot be in the file.
  mutating func keepDueWhole(in document: Document?) {
    guard kind == .todo else { return }
    if !hasAfterwards(Field.Todo.due, in: document) { clear(Field.Todo.dueTime, in: document) }
    if !hasAfterwards(Field.Todo.dueTime, in: document) { clear(Field.Todo.zone, in: document) }
  }

  private func hasAfterwards(_ field: Field, in document: Document?) -> Bool {
    if let assignment = assignments.last(where: { $0.field == field }) {
      return assignment.content != .value(.null)
    }
    return document.map { $0.value(field) != .null } ?? false
  }

  private mutating func clear(_ field: Field, in document: Document?) {
    assignments.removeAll { $0.field == field }
    if let document, document.value(field) != .null {
      assignments.append(Assignment(field, .value(.null)))
    }
  }
}
