import Domain
import ReadModel

extension Book {
  /// The to-dos, the most urgent first.
  ///
  /// - Parameters:
  ///   - list: The list they are on; nil for all to-dos.
  ///   - includesDone: Whether those that are done are among them.
  /// - Returns: The to-dos; none where there is no such list.
  /// - Throws: ``Failure`` where the book cannot be read.
  public func todos(on list: RecordID? = nil, includesDone: Bool = true) throws(Failure) -> [Todo] {
    let subject = TodoSubject(
      place: list.map { .list($0.id) } ?? .anywhere, filter: TodoFilter(includesDone: includesDone))
    return try reading { model throws(ReadModelError) in
      try TodoRow.rows(of: subject, by: .priority, in: model).map(Todo.init)
    }
  }

  /// The lists of to-dos, by name.
  public func lists() throws(Failure) -> [TodoList] {
    try reading { model throws(ReadModelError) in try model.lists().map(TodoList.init) }
  }

  /// The birthdays, by last and first name.
  public func birthdays() throws(Failure) -> [Birthday] {
    try reading { model throws(ReadModelError) in try model.birthdays().map(Birthday.init) }
  }

  /// The questions with their choices, by what is asked.
  public func questions() throws(Failure) -> [Question] {
    try reading { model throws(ReadModelError) in
      try model.questions().map { row throws(ReadModelError) in
        Question(
          id: RecordID(row.head.id), text: row.content ?? "",
          choices: try model.choices(of: row.head.key).map(Choice.init))
      }
    }
  }

  private func reading<Value>(
    _ read: (ReadModel) throws(ReadModelError) -> Value
  ) throws(Failure) -> Value {
    try Self.failing { () throws(DaybookError) in
      let model = try view()
      return try wrap(DaybookError.view) { () throws(ReadModelError) in try read(model) }
    }
  }
}
