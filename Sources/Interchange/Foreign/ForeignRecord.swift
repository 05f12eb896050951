package import Domain

/// A record from another program's file, with the fields of the domain.
///
/// A field without content is missing from the file. If the file had content for it when it was last read, the import
/// clears the field; otherwise the book keeps its value.
package struct ForeignRecord: Sendable, Equatable {
  /// The content of a field in the file.
  package enum Content: Hashable, Sendable {
    case value(Value)
    /// A list, by its name; it is added if it does not exist.
    case list(named: String)
    /// Another record, by its uid in the same format.
    case record(uid: String)
  }

  /// What the file says about a record as a whole.
  package enum Standing: Sendable {
    case plain
    /// The record is unchanged since daybook wrote it.
    case asWritten
    /// The record is imported only if the book already has it.
    case incidental
    /// The other program has deleted the record.
    case deleted
  }

  /// Names derived from the content.
  private struct Names: Sendable, Equatable {
    var own: String?
    var former: String?
  }

  /// What a file says about the dates of a repeating to-do.
  private struct Dates: Sendable, Equatable {
    var occurrences: [ForeignRecord] = []
    var isFinishedSeriesOpened = false
    var absentSeries: AbsentSeries?
  }

  /// The fields about which a file does not say all that the book needs to know.
  private struct Doubts: Sendable, Equatable {
    var supposed: Set<Field> = []
    var unread: Set<Field> = []
  }

  /// The series to which a record belongs as a single date, if the file lacks the series itself.
  package struct AbsentSeries: Sendable, Equatable {
    /// The uid of the series.
    package var uid: String
    /// The slot of the date, if a book wrote it; otherwise the due date determines the slot.
    package var slot: CivilDate?
  }

  package var place: ForeignPlace
  package var kind: Kind
  /// The record's uid in files of the format, which never changes.
  ///
  /// The uid can also be the record's id in the book.
  package var uid: String
  private var names = Names()
  package var fields: [Field: Content] = [:]
  /// Other properties, under the names of the format, which are kept and written back to files of the format.
  package var extra: [String: String] = [:]
  /// The time at which the record was created, if the file contains it.
  package var time: Int64?
  /// The fields when the file was written, if the file contains their digests.
  package var base: FieldDigests?
  /// The book that wrote the record, if the file names it.
  package var origin: RecordOrigin?
  package var standing = Standing.plain
  private var doubts = Doubts()
  /// What the file says about the dates of a to-do.
  private var dates = Dates()

  package init(_ kind: Kind, uid: String, at place: ForeignPlace) {
    self.kind = kind
    self.uid = uid
    self.place = place
  }

  /// A name derived from the content, if another record in the file has the same uid.
  package var ownName: String? {
    get { names.own }
    set { names.own = newValue }
  }

  /// The uid that a to-do without an id would have if its list had not been read; nil if it has an id or no list.
  var formerName: String? {
    get { names.former }
    set { names.former = newValue }
  }

  /// The fields whose values the file only implies; such values replace no others.
  package var supposed: Set<Field> {
    get { doubts.supposed }
    set { doubts.supposed = newValue }
  }

  /// The fields for which the file has text that cannot be read.
  ///
  /// A record that the book already has keeps its values of these fields. Their values in ``fields``, if any, are used
  /// only for a new record.
  package var unread: Set<Field> {
    get { doubts.unread }
    set { doubts.unread = newValue }
  }

  /// What the file says about single dates of a repeating to-do: records with a ``Field/Todo/slot``.
  ///
  /// Such a record has a uid only if it is an entry in the file.
  package var occurrences: [ForeignRecord] {
    get { dates.occurrences }
    set { dates.occurrences = newValue }
  }

  /// Whether another program has reopened a series whose dates were all closed.
  ///
  /// None of the dates is reopened.
  var isFinishedSeriesOpened: Bool {
    get { dates.isFinishedSeriesOpened }
    set { dates.isFinishedSeriesOpened = newValue }
  }

  /// The series that the book must have for the record to be an occurrence; otherwise the record is a separate to-do.
  package var absentSeries: AbsentSeries? {
    get { dates.absentSeries }
    set { dates.absentSeries = newValue }
  }

  /// Sets the base and the origin of the record from the file.
  mutating func setOrigin(_ base: FieldDigests?, _ word: (some StringProtocol)?) {
    self.base = base
    guard let base, let word else { return }
    origin = RecordOrigin(word, beside: base)
  }

  /// Reads a mark that ``ExportContents/mark(of:as:in:)`` wrote.
  ///
  /// - Parameter mark: The text of the mark.
  /// - Returns: Whether the text is a mark; otherwise the record is unchanged.
  @discardableResult
  mutating func takeMark(_ mark: String) -> Bool {
    let start = mark.firstIndex(of: "@") ?? mark.endIndex
    guard let base = FieldDigests(String(mark[..<start])) else { return false }
    setOrigin(base, start == mark.endIndex ? nil : mark[start...])
    return true
  }

  /// Sets a field, unless the text is nil or blank.
  package mutating func set(_ field: Field, _ text: String?) {
    guard let text, !text.trimmed.isEmpty else { return }
    fields[field] = .value(.text(text.trimmed))
  }

  /// Sets a field, unless the value is nil or null.
  package mutating func set(_ field: Field, _ value: Value?) {
    guard let value, value != .null else { return }
    fields[field] = .value(value)
  }

  /// Sets the day and the time at which a to-do is due.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - minute: The minute of the day, if the file contains it; the time is stored only with a complete date.
  ///   - zone: The time zone of both; nil for a time that is local everywhere.
  mutating func setDue(_ day: CivilDate, minute: Int64? = nil, zone: String? = nil) {
    set(Field.Todo.due, .date(day))
    guard let minute, day.isComplete else { return }
    set(Field.Todo.dueTime, .integer(minute))
    set(Field.Todo.zone, zone)
  }
}

/// A location in a file.
package enum ForeignPlace: Hashable, Sendable {
  case line(Int)
  /// One of several parts with the same name, counted from 1, and the line at which it begins.
  case part(String, Int, line: Int)
  /// A row of a table in a database, by its key.
  case row(String, Int64)
  /// The path to an entry of a nested structure.
  case path(String)
}

extension ForeignRecord {
  /// The uid of the parent of this sub-task.
  var parentUID: String? {
    if kind == .todo, case .record(let uid)? = fields[Field.Todo.parent] { uid } else { nil }
  }
}
