internal import Domain

/// Finds the names that to-dos have in the book if a file names them only by their content.
///
/// Such a name contains the to-do's list. If an earlier import did not read the list, the name without the list is
/// used.
///
/// An open to-do gets a new name if the to-do with its name is closed in the book, because a weekly to-do of another
/// program may have the same title each week. An unchanged file still means the closed to-do, so its values must differ
/// from those that were last read.
struct NamesInBook {
  private let file: ForeignFile
  /// The new names by the names in the file, for the parents of sub-tasks.
  private var names: [String: String] = [:]

  init(_ file: ForeignFile) { self.file = file }

  /// Returns a record under the name that it has in the book, or will have.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - records: The records of the book.
  ///   - planner: Finds the records by their uids.
  /// - Returns: The record, and what to say if it is added under a new name.
  mutating func named(
    _ record: ForeignRecord, in records: Records, _ planner: OperationPlanner
  ) -> (record: ForeignRecord, dispute: FieldDispute?) {
    var record = record
    if let name = record.parentUID.flatMap({ names[$0] }) {
      record.fields[Field.Todo.parent] = .record(uid: name)
    }
    if let former = former(record, in: records, planner) {
      names[record.uid] = former
      record.uid = former
    }
    guard record.kind == .todo, record.uid.first == "=", record.base == nil, !file.isPreferred,
      !record.isClosed
    else { return (record, nil) }
    let name = record.uid
    var closed: Document?
    var count = 1
    while let key = planner.entity(.todo, record.uid, in: records),
      let document = records.document(of: key), isClosed(document), differs(record, document)
    {
      (closed, count) = (document, count + 1)
      record.uid = "\(name)~\(count)"
    }
    guard let closed else { return (record, nil) }
    for (other, known) in names where known == name { names[other] = record.uid }
    names[name] = record.uid
    guard planner.entity(.todo, record.uid, in: records) == nil else { return (record, nil) }
    let dispute = FieldDispute(
      title: closed.name, kind: .todo, key: nil, field: Field.Todo.done, reason: .closed, own: nil,
      told: nil)
    return (record, dispute)
  }

  /// Returns the name without the list if the book has the to-do only under that name, and did not read another list.
  private func former(
    _ record: ForeignRecord, in records: Records, _ planner: OperationPlanner
  ) -> String? {
    guard let name = record.formerName, planner.entity(record.kind, record.uid, in: records) == nil,
      let document = planner.entity(record.kind, name, in: records)
        .flatMap({ records.document(of: $0) })
    else { return nil }
    let base = ForeignExtra(of: document, format: file.format).base
    let field = Field.Todo.list
    guard let base, base.fields.contains(field) else {
      return document.value(field) == .null ? name : nil
    }
    return base.isSame(field, record.fields[field], in: record.kind) ? name : nil
  }

  private func isClosed(_ document: Document) -> Bool {
    document.isAlive
      && [Field.Todo.done, Field.Todo.cancelled].contains { document.value($0) == .boolean(true) }
  }

  /// Returns whether the to-do was open in the file that was last read, and this file has different values.
  private func differs(_ record: ForeignRecord, _ document: Document) -> Bool {
    guard let base = ForeignExtra(of: document, format: file.format).base,
      base.isSame(Field.Todo.done, nil, in: .todo),
      base.isSame(Field.Todo.cancelled, nil, in: .todo)
    else { return false }
    // Another version of daybook may read more fields of the same file.
    let known = Set(base.fields + [Field.Todo.due])
    return record.fields.contains { field, content in
      known.contains(field) && !base.isSame(field, content, in: .todo)
    }
  }
}
