internal import Domain

/// The parent of a sub-task in a file, if the book can give the to-do that parent.
struct ForeignParent {
  /// The record, without a parent that the book cannot give it.
  private(set) var record: ForeignRecord
  /// What to say about a parent that the book cannot give to the to-do.
  private(set) var dispute: FieldDispute?

  /// Finds the parent of a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - document: The record in the book; nil if the book does not have it.
  ///   - format: The format of the file.
  ///   - planner: Finds the records by their uids.
  ///   - records: The records of the book.
  init(
    of record: ForeignRecord, _ document: Document?, in format: FileFormat,
    _ planner: OperationPlanner, _ records: Records
  ) {
    self.record = record
    guard let uid = record.parentUID, !record.unread.contains(Field.Todo.parent) else { return }
    var reason = FieldDispute.Reason.noParent
    if let key = planner.entity(.todo, uid, in: records), let parent = records.document(of: key) {
      if document?.value(Field.Todo.parent).reference == key { return }
      let isWithin = document.map { records.isPart(parent, of: $0) } ?? false
      if parent.isAlive, !isWithin { return }
      if parent.isAlive { reason = .ownPart }
    }
    self.record.fields[Field.Todo.parent] = nil
    self.record.unread.insert(Field.Todo.parent)
    guard document?.isAlive ?? ![.deleted, .incidental].contains(record.standing) else { return }
    let own = document?.value(Field.Todo.parent).reference.flatMap { records.document(of: $0) }
    guard record.saysParentAnew(document, hasParent: own != nil, in: format) else { return }
    dispute = FieldDispute(
      title: document?.name ?? record.name, kind: .todo, key: document?.key,
      field: Field.Todo.parent, reason: reason, own: own.map { .value(.text($0.name)) },
      told: .record(uid: uid))
  }
}

extension ForeignRecord {
  /// Returns whether a parent that the book cannot give to the to-do is news.
  ///
  /// The parent may be outside the file, as in a calendar with some of the tasks. If so, each import finds the same
  /// parent again, and nothing was lost.
  fileprivate func saysParentAnew(
    _ document: Document?, hasParent: Bool, in format: FileFormat
  ) -> Bool {
    let (field, told) = (Field.Todo.parent, fields[Field.Todo.parent])
    if let base { return !base.isSame(field, told, in: .todo) }
    // A calendar keeps the relation of a new task as it is.
    guard let document else { return format != .iCalendar }
    let kept = ForeignExtra(of: document, format: format)
    let last = kept.known[KnownState.file]?.digests ?? kept.base
    return hasParent || last?.fields.contains(field) ?? true
  }

  /// The title of the to-do.
  fileprivate var name: String {
    if case .value(let value)? = fields[Field.Todo.title] { value.text ?? "" } else { "" }
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
