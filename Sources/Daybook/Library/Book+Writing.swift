import Bytes
import Domain
import ReadModel

// Each of these methods performs one step. The step is durable when the method returns, and can be undone as a whole,
// however many records it changes. Each step is one command unless it is too large for a single command.

extension Book {
  /// Adds a to-do.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - list: The list to which the to-do is added, if any.
  ///   - priority: The priority.
  ///   - due: The day on which the to-do is due.
  ///   - start: The day until which the to-do is hidden.
  ///   - note: A free-form note.
  ///   - tags: The tags.
  ///   - parent: The parent to-do. Without `list`, the new to-do is added to the parent's list.
  ///   - others: Other fields, such as ``RecordEdit/dueTime(_:)`` and ``RecordEdit/repeatRule(_:)``.
  /// - Returns: The identifier of the to-do.
  /// - Throws: ``Failure`` if the title is blank, there is no such list or parent, or a field does not accept its
  ///   value.
  @discardableResult
  public func addTodo(
    _ title: String, on list: RecordID? = nil, priority: Priority = .normal, due: Day? = nil,
    start: Day? = nil, note: String? = nil, tags: [String] = [], under parent: RecordID? = nil,
    others: [RecordEdit] = []
  ) throws(Failure) -> RecordID {
    try add(
      .addTodo(
        title: title, list: list.map { .existing($0.id) } ?? .none,
        priority: priority == .normal ? nil : Int64(priority.rawValue), due: due?.date, note: note,
        tags: tags, start: start?.date, parent: parent?.id, others: others.map(\.assignment)))
  }

  /// Adds a list, with a color as `0xRRGGBB`; without a color, it gets whichever of six colors the fewest lists have.
  @discardableResult
  public func addList(_ name: String, colour: Int? = nil) throws(Failure) -> RecordID {
    try add(.addList(name: name, colour: colour.map(Int64.init)))
  }

  /// Adds a birthday.
  ///
  /// The names and the date may be unknown.
  @discardableResult
  public func addBirthday(
    firstName: String? = nil, lastName: String? = nil, date: Day? = nil
  ) throws(Failure) -> RecordID {
    try add(.addBirthday(firstName: firstName, lastName: lastName, birthdate: date?.date))
  }

  /// Adds a question with its choices and their weights.
  @discardableResult
  public func addQuestion(
    _ text: String, choices: KeyValuePairs<String, Int>
  ) throws(Failure) -> RecordID {
    try addQuestion(text, choices: choices.map { (name: $0.key, weight: $0.value) })
  }

  /// Adds a question with its choices and their weights.
  @discardableResult
  public func addQuestion(
    _ text: String, choices: [(name: String, weight: Int)]
  ) throws(Failure) -> RecordID {
    try add(
      .addQuestion(
        content: text, choices: choices.map { (name: $0.name, weight: Int64($0.weight)) }))
  }

  /// Changes fields of a record.
  public func edit(
    _ record: RecordID, _ edits: RecordEdit..., scope: RecordEdit.Scope = .automatic
  ) throws(Failure) { try edit(record, edits, scope: scope) }

  /// Changes fields of a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - edits: The fields and their values. If a field is given several values, the last one is used.
  ///   - scope: Which dates of a repeating to-do are changed.
  /// - Throws: ``Failure`` if there is no such record, or a field does not accept its value.
  public func edit(
    _ record: RecordID, _ edits: [RecordEdit], scope: RecordEdit.Scope = .automatic
  ) throws(Failure) {
    try carryOut(.edit(record.id, edits.map(\.assignment), scope: scope.scope))
  }

  /// Changes the same fields of several records.
  public func edit(
    _ records: [RecordID], _ edits: RecordEdit..., scope: RecordEdit.Scope = .automatic
  ) throws(Failure) { try edit(records, edits, scope: scope) }

  /// Changes the same fields of several records.
  ///
  /// - Parameters:
  ///   - records: The records. A record that is named twice is processed once.
  ///   - edits: The fields and their values. If a field is given several values, the last one is used.
  ///   - scope: Which dates of repeating to-dos are changed.
  /// - Throws: ``Failure`` if one of the records is unknown or deleted, or has a field that does not accept its value;
  ///   in that case, no record is changed.
  public func edit(
    _ records: [RecordID], _ edits: [RecordEdit], scope: RecordEdit.Scope = .automatic
  ) throws(Failure) { try edit(records.map { (record: $0, edits: edits) }, scope: scope) }

  /// Changes fields of several records, each in its own way.
  ///
  /// ```swift
  /// try book.edit([(eggos, [.due(friday)]), (sweep, [.list(home), .priority(.high)])])
  /// try book.undoLast()  // undoes both
  /// ```
  ///
  /// - Parameters:
  ///   - edits: The records, with the fields and values of each. If a field of a record is given several values, the
  ///     last one is used.
  ///   - scope: Which dates of repeating to-dos are changed.
  /// - Throws: ``Failure`` if one of the records is unknown or deleted, or has a field that does not accept its value;
  ///   in that case, no record is changed.
  public func edit(
    _ edits: [(record: RecordID, edits: [RecordEdit])], scope: RecordEdit.Scope = .automatic
  ) throws(Failure) {
    let edits = edits.map { (id: $0.record.id, assignments: $0.edits.map(\.assignment)) }
    try carryOut(.editEach(edits, scope: scope.scope))
  }

  /// Closes the current dates of repeating to-dos, without marking them as done.
  public func skip(_ records: RecordID...) throws(Failure) { try skip(records) }

  /// Closes the current dates of repeating to-dos, without marking them as done.
  ///
  /// - Parameter records: The to-dos, or their sub-tasks.
  /// - Throws: ``Failure`` if one of them is unknown, is deleted, or does not repeat; in that case, none is skipped.
  public func skip(_ records: [RecordID]) throws(Failure) {
    try carryOut(.skip(records.map(\.id)))
  }

  /// Closes to-dos without marking them as done.
  public func cancel(_ records: RecordID...) throws(Failure) { try cancel(records) }

  /// Closes to-dos without marking them as done.
  ///
  /// Their open sub-tasks are cancelled with them. A done to-do that is cancelled is no longer done. `setDone(_:to:)`
  /// with `false` opens a cancelled to-do again. A repeating to-do ends before its current date.
  ///
  /// - Parameter records: The to-dos.
  /// - Throws: ``Failure`` if one of them is unknown, deleted, or not a to-do; in that case, none is cancelled.
  public func cancel(_ records: [RecordID]) throws(Failure) {
    try carryOut(.cancel(records.map(\.id)))
  }

  /// Marks to-dos as done, or opens them again.
  public func setDone(_ records: RecordID..., to isDone: Bool = true) throws(Failure) {
    try setDone(records, to: isDone)
  }

  /// Marks to-dos as done, or opens them again.
  ///
  /// The open sub-tasks of a to-do are marked as done with it, and sub-tasks that were closed together with it are
  /// opened with it. Either way, a cancelled to-do is no longer cancelled. For a repeating to-do, the current date is
  /// marked as done, or the most recently closed date is opened again; a later end of the series is then removed.
  ///
  /// - Parameters:
  ///   - records: The to-dos.
  ///   - isDone: Whether the to-dos are to be marked as done.
  /// - Throws: ``Failure`` if one of them is unknown, deleted, or not a to-do; in that case, none is marked.
  public func setDone(_ records: [RecordID], to isDone: Bool = true) throws(Failure) {
    try carryOut(.setDone(records.map(\.id), isDone))
  }

  /// Deletes records.
  public func delete(_ records: RecordID...) throws(Failure) { try delete(records) }

  /// Deletes records.
  ///
  /// The to-dos of a deleted list and the choices of a deleted question are hidden with it. The sub-tasks of a to-do
  /// are deleted with it, as are the dates of a repeating to-do.
  ///
  /// - Parameter records: The records, of any kind.
  /// - Throws: ``Failure`` if one of them is unknown, or is a closed date of a repeating to-do; in that case, none is
  ///   deleted.
  public func delete(_ records: [RecordID]) throws(Failure) {
    try carryOut(.delete(records.map(\.id)))
  }

  /// Restores deleted records.
  public func restore(_ records: RecordID...) throws(Failure) { try restore(records) }

  /// Restores deleted records.
  ///
  /// Records that were hidden with the deleted records are shown again. The sub-tasks that were deleted together with a
  /// to-do are restored with it.
  ///
  /// - Parameter records: The records, of any kind.
  /// - Throws: ``Failure`` if one of them is unknown; in that case, none is restored.
  public func restore(_ records: [RecordID]) throws(Failure) {
    try carryOut(.restore(records.map(\.id)))
  }

  /// Settles a conflict with one of its values, on all devices.
  ///
  /// - Parameters:
  ///   - conflict: A conflict from ``BookReading/conflicts()``.
  ///   - side: The side to keep, one of ``BookConflict/sides``.
  /// - Throws: ``Failure`` if the conflict is already settled or has changed since it was read, the side is not one of
  ///   its sides, or its field cannot be changed. In that case, read the conflicts again.
  public func resolve(_ conflict: BookConflict, with side: BookConflict.Side) throws(Failure) {
    try failingAfterWriting { () throws(DaybookError) in try conflict.settle(with: side, in: self) }
  }

  /// Undoes the latest command of this device that has not been undone.
  ///
  /// - Returns: The records that were changed, and those that were kept because they are in use.
  /// - Throws: ``Failure`` if there is no such command, if another device has since edited what it changed, or if an
  ///   erasure or a change to devices prevents the undo.
  @discardableResult
  public func undoLast() throws(Failure) -> BookReversal {
    try failingAfterWriting { () throws(DaybookError) in BookReversal(try undoEngine.undo()) }
  }

  /// Undoes the latest command of this device that changed a record and has not been undone.
  ///
  /// The whole command is undone, with all records that it changed.
  ///
  /// - Parameter record: The record, which may be deleted.
  /// - Returns: The records that were changed, and those that were kept because they are in use.
  /// - Throws: ``Failure`` if there is no such record or command, or if another device has since edited what it
  ///   changed.
  @discardableResult
  public func undoLast(of record: RecordID) throws(Failure) -> BookReversal {
    try failingAfterWriting { () throws(DaybookError) in
      _ = try finder.key(of: record.id, try core.projector.view())
      return BookReversal(try undoEngine.undo(id: record.id))
    }
  }

  /// Redoes the most recently undone command.
  ///
  /// - Returns: The records that were changed, and those that were kept because they are in use.
  /// - Throws: ``Failure`` if there is no such command.
  @discardableResult
  public func redoLast() throws(Failure) -> BookReversal {
    try failingAfterWriting { () throws(DaybookError) in BookReversal(try undoEngine.redo(1)) }
  }

  /// Draws one of the choices of a question, in proportion to their weights.
  ///
  /// - Parameter question: The question.
  /// - Returns: The choice that was drawn.
  /// - Throws: ``Failure`` if there is no such question, or if none of its choices has a weight above 0.
  public func pick(_ question: RecordID) throws(Failure) -> Choice {
    try failingAfterWriting { () throws(DaybookError) in
      try Choice.drawn(from: question, in: self)
    }
  }

  func add(_ request: Request) throws(Failure) -> RecordID {
    let performed = try carryOut(request)
    guard let added = performed.changes.first else { preconditionFailure("an add adds something") }
    return RecordID(added.document.id)
  }

  @discardableResult
  private func carryOut(_ request: Request) throws(Failure) -> Performed {
    try failingAfterWriting { () throws(DaybookError) in try commands.perform(request) }
  }
}
