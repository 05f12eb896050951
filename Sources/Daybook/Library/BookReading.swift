import Bytes
import Domain
import Platform
import ReadModel
import Wording

/// The functions that read a book: its current state in a ``Book``, or a past state in a ``PastBook``.
///
/// None of these functions writes anything.
public protocol BookReading {
  /// The state that the functions read.
  var state: BookState { get throws(Book.Failure) }
}

/// The state of a book that the functions of ``BookReading`` read.
public struct BookState {
  let book: Book
  let model: ReadModel
  /// The time of the state, in milliseconds since 1970; nil for the present.
  var moment: Int64?
}

extension BookReading {
  /// The to-dos, most urgent first.
  ///
  /// A repeating to-do shows its current date; each closed date is a separate closed to-do. After the series has ended,
  /// only its closed dates are returned.
  ///
  /// - Parameters:
  ///   - list: The list; nil for all to-dos.
  ///   - includesClosed: Whether done and cancelled to-dos are included.
  /// - Returns: The to-dos; none if there is no such list.
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func todos(
    on list: Book.RecordID? = nil, includesClosed: Bool = true
  ) throws(Book.Failure) -> [Book.Todo] {
    let subject = TodoSubject(
      place: list.map { .list($0.id) } ?? .anywhere,
      filter: TodoFilter(includesClosed: includesClosed))
    return try state.read { model throws(ReadModelError) in
      try TodoRow.rows(of: subject, by: .priority, in: model.tables).map(Book.Todo.init)
    }
  }

  /// The open to-dos that are not hidden, most urgent first.
  ///
  /// A to-do is hidden until its start, but not once it is due.
  ///
  /// - Parameters:
  ///   - list: The list; nil for all to-dos.
  ///   - day: The day that decides what is hidden; nil for the day of the state, in the time zone of this device.
  /// - Returns: The to-dos; none if there is no such list.
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func visibleTodos(
    on list: Book.RecordID? = nil, day: Book.Day? = nil
  ) throws(Book.Failure) -> [Book.Todo] {
    let state = try state
    let subject = TodoSubject(
      place: list.map { .list($0.id) } ?? .anywhere,
      filter: .visible(on: day?.date ?? state.day))
    return try state.read { model throws(ReadModelError) in
      try TodoRow.rows(of: subject, by: .priority, in: model.tables).map(Book.Todo.init)
    }
  }

  /// The lists, sorted by name.
  ///
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func lists() throws(Book.Failure) -> [Book.TodoList] {
    try state.read { model throws(ReadModelError) in
      try model.lists.lists().map(Book.TodoList.init)
    }
  }

  /// The birthdays, sorted by last and first name.
  ///
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func birthdays() throws(Book.Failure) -> [Book.Birthday] {
    try state.read { model throws(ReadModelError) in
      try model.birthdays.birthdays().map(Book.Birthday.init)
    }
  }

  /// The questions with their choices, sorted by text.
  ///
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func questions() throws(Book.Failure) -> [Book.Question] {
    try state.read { model throws(ReadModelError) in
      try model.questions.questions().map { row throws(ReadModelError) in
        Book.Question(
          id: Book.RecordID(row.head.id), text: row.content ?? "",
          choices: try model.questions.choices(of: row.head.key).map(Book.Choice.init))
      }
    }
  }

  /// The records of all kinds that contain the given text, best matches first.
  ///
  /// Case, width and diacritics are ignored. Titles that are equal to the text come first, then those that begin with
  /// it, those with a word that begins with it, those that contain it elsewhere, and records that contain it in a note
  /// or a tag. Closed to-dos come after all of these. Records of the same rank are sorted by title.
  ///
  /// - Parameters:
  ///   - text: The text. An empty string matches every record.
  ///   - limit: The maximum number of records; nil for all. A negative number is treated as 0.
  /// - Returns: The records that are not deleted.
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func search(_ text: String, limit: Int? = nil) throws(Book.Failure) -> [RecordMatch] {
    try state.read { model throws(ReadModelError) in
      try model.rankedSearch.search(text, page: Page(count: limit.map { max($0, 0) }))
        .compactMap(RecordMatch.init)
    }
  }

  /// The conflicts, sorted by the kind and title of their records.
  ///
  /// A conflict arises when devices change the same field, or one deletes a record and another edits it, before they
  /// sync. All values are kept, and all devices show the same value. ``Book/resolve(_:with:)`` settles a conflict, as
  /// does an edit of the field.
  ///
  /// - Returns: The conflicts that are not settled. Conflicts of the same record are adjacent.
  /// - Throws: ``Book/Failure`` if the book cannot be read.
  public func conflicts() throws(Book.Failure) -> [BookConflict] {
    let state = try state
    return try failing { () throws(DaybookError) in
      let found = try state.book.conflictReader.conflicts(in: state.model)
      return try wrap(DaybookError.view) { () throws(ReadModelError) in
        try found.map { conflict throws(ReadModelError) in
          try BookConflict(conflict, in: state.model)
        }
      }
    }
  }

  /// The changes, latest first.
  ///
  /// - Parameters:
  ///   - record: The record; nil for all.
  ///   - limit: The maximum number of changes; a negative number is treated as 0.
  /// - Returns: The changes. A change whose event was erased has no record and no fields.
  /// - Throws: ``Book/Failure`` if there is no such record.
  public func events(
    of record: Book.RecordID? = nil, limit: Int = 100
  ) throws(Book.Failure) -> [Book.Event] {
    let state = try state
    return try failing { () throws(DaybookError) in
      let wish = HistoryWish(id: record?.id, limit: max(limit, 0))
      return try state.book.historyReader.history(wish, at: state.moment).entries.map(
        Book.Event.init)
    }
  }
}

extension BookState {
  /// The local day of the state.
  fileprivate var day: CivilDate? {
    let timekeeper = book.machine.timekeeper
    return moment.map { timekeeper.localDay(of: Moment(milliseconds: $0)) } ?? timekeeper.today
  }

  fileprivate func read<Value>(
    _ body: (ReadModel) throws(ReadModelError) -> Value
  ) throws(Book.Failure) -> Value {
    try failing { () throws(DaybookError) in
      try wrap(DaybookError.view) { () throws(ReadModelError) in try body(model) }
    }
  }
}
