import Bytes
import Domain
import ReadModel

// Each of these is one command: it is durable when it returns, and one step for whoever undoes it.

extension Book {
  /// Adds a to-do.
  ///
  /// - Parameters:
  ///   - title: What is to be done.
  ///   - list: The list it is on, if it is on one.
  ///   - priority: How much it matters.
  ///   - due: When it is due.
  ///   - note: What else is to be known of it.
  ///   - tags: Words it is marked with.
  /// - Returns: What names it.
  /// - Throws: ``Failure`` where the title says nothing, or there is no such list.
  @discardableResult
  public func addTodo(
    _ title: String, on list: RecordID? = nil, priority: Priority = .normal, due: Day? = nil,
    note: String? = nil, tags: [String] = []
  ) throws(Failure) -> RecordID {
    try add(
      .addTodo(
        title: title, list: list.map { .existing($0.id) } ?? .none,
        priority: priority == .normal ? nil : Int64(priority.rawValue), due: due?.date, note: note,
        tags: tags))
  }

  /// Adds a list of to-dos, with a colour as `0xRRGGBB` if it is to have one.
  @discardableResult
  public func addList(_ name: String, colour: Int? = nil) throws(Failure) -> RecordID {
    try add(.addList(name: name, colour: colour.map(Int64.init)))
  }

  /// Adds a birthday, of which each part may be unknown.
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
    try add(
      .addQuestion(content: text, choices: choices.map { (name: $0.key, weight: Int64($0.value)) }))
  }

  /// Changes what a record says.
  public func edit(_ record: RecordID, _ edits: Edit...) throws(Failure) {
    try carryOut(.edit(record.id, edits.map(\.assignment)))
  }

  /// Marks to-dos as done, or as open again.
  public func setDone(_ todos: RecordID..., to isDone: Bool = true) throws(Failure) {
    try carryOut(.setDone(todos.map(\.id), isDone))
  }

  /// Deletes records; with a list go its to-dos, with a question its choices.
  public func delete(_ records: RecordID...) throws(Failure) {
    try carryOut(.delete(records.map(\.id)))
  }

  /// Brings deleted records back, with what went with them.
  public func restore(_ records: RecordID...) throws(Failure) {
    try carryOut(.restore(records.map(\.id)))
  }

  /// Takes back the last command of this machine that is not taken back yet.
  public func undoLast() throws(Failure) {
    try Self.failing { () throws(DaybookError) in _ = try undo(1) }
  }

  /// Does again what was taken back last.
  public func redoLast() throws(Failure) {
    try Self.failing { () throws(DaybookError) in _ = try redo(1) }
  }

  /// Draws one of a question's choices, in proportion to their weights.
  ///
  /// - Parameter question: What names the question.
  /// - Returns: What was drawn.
  /// - Throws: ``Failure`` where there is nothing to draw from.
  public func pick(_ question: RecordID) throws(Failure) -> Choice {
    let performed = try carryOut(.pick(question.id))
    let drawn = try Self.failing { () throws(DaybookError) -> UniqueID? in
      let model = try view()
      guard let key = performed.changes.first?.document.key,
        // With what its references lead to.
        let choice = try records(of: [key], in: model).document(of: key).flatMap(Pick.init)?.choice
      else { return nil }
      return try wrap(DaybookError.view) { () throws(ReadModelError) in
        try model.document(choice)?.id
      }
    }
    let choice = try questions().first { $0.id == question }?.choices.first { $0.id.id == drawn }
    guard let choice else { preconditionFailure("what was drawn is one of the choices") }
    return choice
  }

  private func add(_ request: Request) throws(Failure) -> RecordID {
    let performed = try carryOut(request)
    guard let added = performed.changes.first else { preconditionFailure("an add adds something") }
    return RecordID(added.document.id)
  }

  @discardableResult
  private func carryOut(_ request: Request) throws(Failure) -> Performed {
    try Self.failing { () throws(DaybookError) in try perform(request) }
  }
}
