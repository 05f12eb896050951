internal import Domain

extension ForeignRecord {
  /// Returns the record without a parent that the book cannot give it, because the parent is missing or deleted there,
  /// or is a sub-task of this record.
  func withReachableParent(
    of document: Document?, _ planner: OperationPlanner, on records: Records
  ) -> ForeignRecord {
    guard let uid = parentUID else { return self }
    if let key = planner.entity(.todo, uid, in: records), let parent = records.document(of: key) {
      let isSame = document?.value(Field.Todo.parent).reference == key
      let isWithin = document.map { records.isPart(parent, of: $0) } ?? false
      if isSame || (parent.isAlive && !isWithin) { return self }
    }
    var record = self
    record.fields[Field.Todo.parent] = nil
    return record
  }
}

extension ForeignRecord {
  /// Returns the record with the book's values for fields that the file only implies.
  ///
  /// A first date that was computed from a rule would be different on each day of an import. Such a date is used only
  /// for a rule that the book does not have yet.
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

extension Records {
  /// Returns whether a to-do is the given to-do or, directly or indirectly, its sub-task.
  fileprivate func isPart(_ todo: Document, of other: Document) -> Bool {
    var known: Set<EventKey> = []
    var next: Document? = todo
    while let todo = next, known.insert(todo.key).inserted {
      if todo.key == other.key { return true }
      next = todo.value(Field.Todo.parent).reference.flatMap { document(of: $0) }
    }
    return false
  }
}

extension Operation {
  /// Removes the time of a to-do that would then have no due date, and the zone if there would be no time.
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
