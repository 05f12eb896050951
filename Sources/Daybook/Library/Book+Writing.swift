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
  public func setDone(_ records: RecordID..., to isDone: Bool = true) throws(Failure) {
    try carryOut(.setDone(records.map(\.id), isDone))
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
    try Self.failing { () throws(DaybookError) in _ = try undoEngine.undo() }
  }

  /// Does again what was taken back last.
  public func redoLast() throws(Failure) {
    try Self.failing { () throws(DaybookError) in _ = try undoEngine.redo(1) }
  }

  /// Draws one of a question's choices, in proportion to their weights.
  ///
  /// - Parameter question: What names the question.
  /// - Returns: What was drawn.
  /// - Throws: ``Failure`` where there is nothing to draw from.
  public func pick(_ question: RecordID) throws(Failure) -> Choice {
    let performed = try carryOut(.pick(question.id))
    let choice = try Self.failing { () throws(DaybookError) -> Choice? in
      let model = try core.projector.view()
      guard let key = performed.changes.first?.document.key,
        // With what its references lead to.
        let drawn = try conflictReader.records(of: [key], in: model).document(of: key).flatMap(
          Pick.init)?.choice
      else { return nil }
      let asked = try finder.key(of: question.id, model)
      return try wrap(DaybookError.view) { () throws(ReadModelError) in
        let id = try model.documents.document(drawn)?.id
        return try model.questions.choices(of: asked).first { $0.head.id == id }.map(Choice.init)
      }
    }
    guard let choice else { preconditionFailure("what was drawn is one of the choices") }
    return choice
  }

  func add(_ request: Request) throws(Failure) -> RecordID {
    let performed = try carryOut(request)
    guard let added = performed.changes.first else { preconditionFailure("an add adds something") }
    return RecordID(added.document.id)
  }

  @discardableResult
  private func carryOut(_ request: Request) throws(Failure) -> Performed {
    try Self.failing { () throws(DaybookError) in try commands.perform(request) }
  }
}

extension Book {
  /// What a record shall say from now on; what a record of its kind does not say is refused.
  public enum Edit: Hashable, Sendable {
    /// What is to be done.
    case title(String)
    /// The list a to-do is on; nil takes it off.
    case list(RecordID?)
    /// How much a to-do matters.
    case priority(Priority)
    /// When a to-do is due; nil for no day.
    case due(Day?)
    /// What a list is called.
    case listName(String)
    /// The colour of a list as `0xRRGGBB`; nil for none.
    case colour(Int?)
    /// The first name of somebody; nil for none.
    case firstName(String?)
    /// The last name of somebody; nil for none.
    case lastName(String?)
    /// When somebody was born; nil for unknown.
    case birthdate(Day?)
    /// What a question asks.
    case question(String)
    /// What a choice is called.
    case choiceName(String)
    /// How often a choice is to be drawn, in proportion to the others.
    case weight(Int)
    /// What else is to be known of it; nil for nothing.
    case note(String?)
    /// Words it is marked with.
    case tags([String])
  }
}

extension Book.Edit {
  var assignment: Request.Assignment {
    switch self {
    case .title(let text): .init(Field.Todo.title, .value(.text(text)))
    case .list(let list):
      .init(Field.Todo.list, list.map { .record($0.id) } ?? .value(.null))
    case .priority(let priority):
      .init(Field.Todo.priority, .value(.integer(Int64(priority.rawValue))))
    case .due(let day): .init(Field.Todo.due, .value(day.map { .date($0.date) } ?? .null))
    case .listName(let text): .init(Field.List.name, .value(.text(text)))
    case .colour(let colour): .init(Field.List.colour, .value(.optional(colour.map(Int64.init))))
    case .firstName(let text):
      .init(Field.Birthday.firstName, .value(text.map(Value.text) ?? .null))
    case .lastName(let text): .init(Field.Birthday.lastName, .value(text.map(Value.text) ?? .null))
    case .birthdate(let day):
      .init(Field.Birthday.birthdate, .value(day.map { .date($0.date) } ?? .null))
    case .question(let text): .init(Field.Question.content, .value(.text(text)))
    case .choiceName(let text): .init(Field.Choice.name, .value(.text(text)))
    case .weight(let weight): .init(Field.Choice.weight, .value(.integer(Int64(weight))))
    case .note(let text): .init(.note, .value(text.map(Value.text) ?? .null))
    case .tags(let tags): .init(.tags, .value(tags.isEmpty ? .null : .texts(tags)))
    }
  }
}
