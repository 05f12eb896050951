import Bytes
import Domain
import ReadModel

extension Book {
  /// The to-dos, the most urgent first.
  ///
  /// - Parameters:
  ///   - list: The list; nil for all to-dos.
  ///   - includesDone: Whether to-dos that are done are included.
  /// - Returns: The to-dos; none if there is no such list.
  /// - Throws: ``Failure`` if the book cannot be read.
  public func todos(on list: RecordID? = nil, includesDone: Bool = true) throws(Failure) -> [Todo] {
    let subject = TodoSubject(
      place: list.map { .list($0.id) } ?? .anywhere, filter: TodoFilter(includesDone: includesDone))
    return try reading { model throws(ReadModelError) in
      try TodoRow.rows(of: subject, by: .priority, in: model.tables).map(Todo.init)
    }
  }

  /// The lists, by name.
  public func lists() throws(Failure) -> [TodoList] {
    try reading { model throws(ReadModelError) in try model.lists.lists().map(TodoList.init) }
  }

  /// The birthdays, by last and first name.
  public func birthdays() throws(Failure) -> [Birthday] {
    try reading { model throws(ReadModelError) in try model.birthdays.birthdays().map(Birthday.init)
    }
  }

  /// The questions with their choices, by text.
  public func questions() throws(Failure) -> [Question] {
    try reading { model throws(ReadModelError) in
      try model.questions.questions().map { row throws(ReadModelError) in
        Question(
          id: RecordID(row.head.id), text: row.content ?? "",
          choices: try model.questions.choices(of: row.head.key).map(Choice.init))
      }
    }
  }

  private func reading<Value>(
    _ read: (ReadModel) throws(ReadModelError) -> Value
  ) throws(Failure) -> Value {
    try Self.failing { () throws(DaybookError) in
      let model = try core.projector.view()
      return try wrap(DaybookError.view) { () throws(ReadModelError) in try read(model) }
    }
  }
}

extension Book {
  /// A change to a record: what, by which device, and when.
  public struct Event: Equatable, Sendable {
    /// What was done.
    public enum Deed: Hashable, Sendable {
      /// The record was created.
      case added
      /// Some of its fields were written.
      case edited
      /// It was deleted.
      case deleted
      /// It was restored.
      case restored
      /// It was joined with another record, or separated again.
      case joined
    }

    /// What was done.
    public let deed: Deed
    /// The record, if it is still known.
    public let record: RecordID?
    /// The present title of the record.
    public let title: String?
    /// The fields that were written, by their names in `daybook help json`.
    public let fields: [String]
    /// The name of the device.
    public let device: String
    /// The time, in milliseconds since 1970.
    public let milliseconds: Int64
    /// Whether it was an undo or a redo.
    public let isUndo: Bool
    /// The reason, if one was given.
    public let reason: String?
  }

  /// The changes, the latest first.
  ///
  /// - Parameters:
  ///   - record: The record; nil for all.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes. Everything is kept, except what was erased.
  /// - Throws: ``Failure`` if there is no such record.
  public func events(of record: RecordID? = nil, limit: Int = 100) throws(Failure) -> [Event] {
    try Self.failing { () throws(DaybookError) in
      try historyReader.history(HistoryWish(id: record?.id, limit: limit)).entries.map(Event.init)
    }
  }
}

extension Book.Event {
  init(_ entry: HistoryEntry) {
    let kind = entry.document?.kind
    self.init(
      deed: Deed(entry.fact.body.verb), record: entry.document.map { Book.RecordID($0.id) },
      title: entry.document?.title,
      fields: entry.fact.body.writes.compactMap { write in
        kind.flatMap { Schema.field(write.field, of: $0)?.name }
      },
      device: entry.device, milliseconds: entry.fact.effectiveTime, isUndo: entry.undoer != nil,
      reason: entry.reason)
  }
}

extension Book.Event.Deed {
  fileprivate init(_ verb: Verb) {
    self =
      switch verb {
      case .add: .added
      case .edit: .edited
      case .delete: .deleted
      case .restore: .restored
      case .alias: .joined
      }
  }
}

extension Book {
  /// The to-dos now, and again after each change by this process, another process, or a sync.
  ///
  /// - Parameter list: The list; nil for all to-dos.
  /// - Returns: An endless sequence. It can be used on any task, and outlives this book.
  public func following(todosOn list: RecordID? = nil) -> TodoUpdates {
    TodoUpdates(watch(.todos(list.map { .list($0.id) } ?? .anywhere)))
  }

  /// The to-dos of a list after each change.
  ///
  /// A slow reader gets only the latest.
  public struct TodoUpdates: AsyncSequence, Sendable {
    /// The to-dos after a change, the most urgent first.
    public typealias Element = [Todo]
    /// Why the book cannot be read any more.
    public typealias Failure = Book.Failure

    private let query: LiveQuery<TodoRow>

    init(_ query: LiveQuery<TodoRow>) { self.query = query }

    /// Starts to follow.
    public func makeAsyncIterator() -> Iterator {
      Iterator(query.makeAsyncIterator(), showing: query.query.nothing)
    }

    /// One follower.
    public struct Iterator: AsyncIteratorProtocol {
      private var changes: LiveQuery<TodoRow>.Iterator
      private var sections: [RowSection<TodoRow>]

      init(_ changes: LiveQuery<TodoRow>.Iterator, showing sections: [RowSection<TodoRow>]) {
        (self.changes, self.sections) = (changes, sections)
      }

      /// The to-dos, once they have changed; nil if the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(Book.Failure) -> [Todo]? {
        do throws(DaybookError) {
          guard let change = try await changes.next(isolation: actor) else { return nil }
          change.apply(to: &sections)
          return sections.flatMap(\.rows).map(Todo.init)
        } catch {
          throw Book.Failure(error)
        }
      }
    }
  }
}
