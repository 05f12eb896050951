import Bytes
import Domain
import ReadModel

extension Book {
  /// The priority of a to-do.
  public enum Priority: Int, Hashable, Sendable, CaseIterable {
    /// A priority below normal.
    case low
    /// The default priority.
    case normal
    /// A priority above normal.
    case high
  }

  /// A to-do.
  public struct Todo: Identifiable, Equatable, Sendable {
    /// A stable identifier, the same on every device.
    public let id: RecordID
    /// The title of the to-do.
    public let title: String
    /// The list that the to-do is on, if any.
    public let list: RecordID?
    /// The name of the list that the to-do is on, if any.
    public let listName: String?
    /// Whether the to-do is done.
    public let isDone: Bool
    /// Whether the to-do was closed without being done.
    public let isCancelled: Bool
    /// The priority of the to-do.
    public let priority: Priority
    /// The day on which the to-do is due.
    public let due: Day?
    /// The day until which the to-do is hidden, unless it is due earlier.
    public let start: Day?
    /// The parent to-do, if any; the parent may be closed or deleted.
    public let parent: RecordID?
    /// A free-form note.
    public let note: String?
    /// The tags of the to-do.
    public let tags: [String]
    let dueDetails: DueDetails
    let repeats: RepeatDetails

    /// Whether the to-do is done or cancelled.
    public var isClosed: Bool { isDone || isCancelled }
  }

  /// A list of to-dos.
  public struct TodoList: Identifiable, Equatable, Sendable {
    /// A stable identifier, the same on every device.
    public let id: RecordID
    /// The name of the list.
    public let name: String
    /// The color of the list as `0xRRGGBB`.
    public let colour: Int?
    /// The number of to-dos on the list.
    public let count: Int
    /// The number of these to-dos that are neither done nor cancelled.
    public let openCount: Int
  }

  /// A person and their date of birth.
  public struct Birthday: Identifiable, Equatable, Sendable {
    /// A stable identifier, the same on every device.
    public let id: RecordID
    /// The first name of the person.
    public let firstName: String?
    /// The last name of the person.
    public let lastName: String?
    /// The known parts of the date of birth.
    public let date: Day?
    /// A free-form note.
    public let note: String?
  }

  /// A question that is answered by a random draw.
  public struct Question: Identifiable, Equatable, Sendable {
    /// A stable identifier, the same on every device.
    public let id: RecordID
    /// The text of the question.
    public let text: String
    /// The possible answers.
    public let choices: [Choice]
  }

  /// A possible answer to a question.
  public struct Choice: Identifiable, Equatable, Sendable {
    /// A stable identifier, the same on every device.
    public let id: RecordID
    /// The text of the answer.
    public let name: String
    /// The weight of the answer, relative to the weights of the other answers.
    public let weight: Int
  }
}

extension Book {
  /// A change to a record, with its author and its time.
  public struct Event: Equatable, Sendable {
    /// The kind of change.
    public let deed: Deed
    /// The record that was changed, if it is still known.
    public let record: RecordID?
    /// The title of the record, in the state that was read.
    public let title: String?
    /// The fields that were written, by their names in `daybook help json`.
    public let fields: [String]
    /// The name of the device that made the change.
    public let device: String
    /// The time of the change, in milliseconds since 1970.
    public let milliseconds: Int64
    /// Whether the command was an undo or a redo.
    public let isUndo: Bool
    /// The reason for the change, if one was given.
    public let reason: String?
  }
}

extension Book.Priority: Comparable {
  /// Whether the left priority is lower than the right one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Book.Todo {
  init(_ row: TodoRow) {
    self.init(
      id: Book.RecordID(row.head.id), title: row.title ?? "",
      list: row.listID.map(Book.RecordID.init), listName: row.listName, isDone: row.isDone,
      isCancelled: row.isCancelled,
      priority: Book.Priority(rawValue: Int(clamping: row.priority)) ?? .normal,
      due: row.due.map(Book.Day.init), start: row.start.map(Book.Day.init),
      parent: row.parentID.map(Book.RecordID.init), note: row.head.note,
      tags: row.head.tags, dueDetails: DueDetails(row), repeats: RepeatDetails(row))
  }

  /// The time at which the to-do is due on its day, in ``zone``; nil if it is due at any time.
  public var dueTime: DueTime? { dueDetails.time }
  /// The time zone of the due date and time; nil if they are local on each device.
  public var zone: String? { dueDetails.zone }
  /// The lead times of the to-do's reminders; empty for no reminder, nil for the user's setting.
  public var remind: [DueLead]? { dueDetails.remind }

  /// The rule by which the to-do repeats; nil if it does not repeat.
  ///
  /// A repeating to-do shows its current date: ``due``, ``dueTime`` and ``start`` are those of this date. The to-do is
  /// closed only when no date is left. Each closed date is a separate to-do with a ``series``.
  public var repeatRule: Book.RepeatRule? { Book.RepeatRule(stored: repeats.rule) }
  /// The last day on which a date of the rule may fall; nil if the rule has no end.
  public var until: Book.Day? { repeats.until.map(Book.Day.init) }
  /// The date of the rule that the to-do represents, even if that date was moved to another day.
  ///
  /// A sub-task inherits the date of the repeating to-do above it. The date is nil for a to-do that does not repeat or
  /// has no date left.
  public var slot: Book.Day? { repeats.slot.map(Book.Day.init) }
  /// The day on which the first date was due; nil if the to-do does not repeat.
  public var firstDue: Book.Day? { repeats.firstDue.map(Book.Day.init) }
  /// The repeating to-do, or its sub-task, of which this to-do is a closed date; nil for all other to-dos.
  public var series: Book.RecordID? { repeats.series.map(Book.RecordID.init) }
}

extension Book.TodoList {
  init(_ row: ListRow) {
    self.init(
      id: Book.RecordID(row.head.id), name: row.name ?? "",
      colour: row.colour.map { Int(clamping: $0) }, count: Int(clamping: row.todos),
      openCount: Int(clamping: row.openTodos))
  }
}

extension Book.Birthday {
  init(_ row: BirthdayRow) {
    self.init(
      id: Book.RecordID(row.head.id), firstName: row.firstName, lastName: row.lastName,
      date: row.birthdate.map(Book.Day.init), note: row.head.note)
  }
}

extension Book.Choice {
  init(_ row: ChoiceRow) {
    self.init(
      id: Book.RecordID(row.head.id), name: row.name ?? "", weight: Int(clamping: row.weight))
  }

  /// Draws a choice of a question.
  static func drawn(from question: Book.RecordID, in book: Book) throws(DaybookError) -> Self {
    // Another process may delete the choice as soon as the lock is released.
    try book.commands.perform(
      .pick(question.id),
      thenReading: { performed throws(DaybookError) in
        guard let pick = performed.changes.first?.document.key,
          let choice = try Self(drawnBy: pick, in: book)
        else { throw .unknown(question.description, kind: .question) }
        return choice
      })
  }

  /// Reads the choice that a pick has drawn; nil if the choice is not known.
  private init?(drawnBy pick: EventKey, in book: Book) throws(DaybookError) {
    let model = try book.core.projector.view()
    // The records that the pick refers to are read as well.
    let records = try book.conflictReader.records(of: [pick], in: model)
    guard let drawn = records.document(of: pick).flatMap(Pick.init)?.choice else { return nil }
    let row = try wrap(DaybookError.view) { () throws(ReadModelError) -> ChoiceRow? in
      guard let shown = try model.documents.document(drawn)?.key else { return nil }
      return try model.questions.choice(shown)
    }
    guard let row else { return nil }
    self.init(row)
  }
}

extension Book.Event {
  /// The kind of change.
  public enum Deed: Hashable, Sendable {
    /// The record was created.
    case added
    /// Some fields of the record were written.
    case edited
    /// The record was deleted.
    case deleted
    /// The record was restored.
    case restored
    /// The record was joined with another record, or separated again.
    case joined
  }

  init(_ entry: HistoryEntry) {
    let kind = entry.document?.kind
    self.init(
      deed: Deed(entry.fact.body.verb), record: entry.document.map { Book.RecordID($0.id) },
      title: entry.document?.title,
      fields: entry.fact.body.writes.compactMap { write in
        kind.flatMap { Schema.field(write.field, of: $0)?.name }
      }.reduce(into: []) { names, name in
        // Several tags count as one field.
        if !names.contains(name) { names.append(name) }
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
  /// The identifier of a record.
  ///
  /// The identifier never changes, and is the same on every device.
  public struct RecordID: Hashable, Sendable {
    let id: UniqueID

    init(_ id: UniqueID) { self.id = id }
  }

  /// A calendar date that may lack any part: `1815-12-10`, `--12-10`, `1815-12` or `1815`.
  public struct Day: Hashable, Sendable {
    let date: CivilDate

    init(_ date: CivilDate) { self.date = date }
  }

  /// The rule by which a to-do repeats: a subset of the recurrence rules of RFC 5545.
  ///
  /// The dates are counted from the first due date, which need not fit the rule. Each date is a day, which time zones
  /// and daylight saving time do not move.
  public struct RepeatRule: Hashable, Sendable {
    let rule: Domain::RepeatRule
  }
}

extension Book.RecordID: Comparable, CustomStringConvertible {
  /// Reads an identifier from a UUID, as ``description`` writes it; nil if the text is not a UUID.
  public init?(_ text: String) {
    guard let id = UniqueID(uuid: text) else { return nil }
    self.id = id
  }

  /// The identifier as a UUID.
  public var description: String { id.uuid }

  /// An arbitrary order that is the same on every device.
  public static func < (left: Self, right: Self) -> Bool { left.id < right.id }
}

extension Book.Day: Comparable, CustomStringConvertible {
  /// Creates a date from the known parts; nil if there is no such day, for example February 30.
  public init?(year: Int? = nil, month: Int? = nil, day: Int? = nil) {
    guard let date = try? CivilDate(year: year, month: month, day: day) else { return nil }
    self.date = date
  }

  /// Reads a date in the form of ISO 8601 or vCard; nil if there is no such day.
  public init?(_ text: String) {
    guard let date = try? CivilDate.parse(text) else { return nil }
    self.date = date
  }

  /// The year, if it is known.
  public var year: Int? { date.year }
  /// The month from 1 to 12, if it is known.
  public var month: Int? { date.month }
  /// The day of the month, from 1, if it is known.
  public var day: Int? { date.day }

  /// The date in ISO 8601 or, without a year, in the form that vCard uses.
  public var description: String { date.iso }

  /// Whether the left date is before the right one.
  ///
  /// An unknown part sorts before all known parts.
  public static func < (left: Self, right: Self) -> Bool { left.date < right.date }
}
