import Bytes
import Domain
import ReadModel

extension Book {
  /// How much a to-do matters.
  public enum Priority: Int, Hashable, Comparable, Sendable, CaseIterable {
    /// It can wait.
    case low
    /// As most are.
    case normal
    /// It comes first.
    case high

    /// Whether one matters less than another.
    public static func < (left: Priority, right: Priority) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Something to be done.
  public struct Todo: Identifiable, Equatable, Sendable {
    /// What names it.
    public let id: RecordID
    /// What is to be done.
    public let title: String
    /// The list it is on, if it is on one.
    public let list: RecordID?
    /// What that list is called.
    public let listName: String?
    /// Whether it is done.
    public let isDone: Bool
    /// How much it matters.
    public let priority: Priority
    /// When it is due.
    public let due: Day?
    /// What else is to be known of it.
    public let note: String?
    /// Words it is marked with.
    public let tags: [String]
  }

  /// A list of to-dos.
  public struct TodoList: Identifiable, Equatable, Sendable {
    /// What names it.
    public let id: RecordID
    /// What it is called.
    public let name: String
    /// Its colour as `0xRRGGBB`.
    public let colour: Int?
    /// How many to-dos are on it.
    public let count: Int
    /// How many of them are not done.
    public let openCount: Int
  }

  /// Somebody, and when they were born.
  public struct Birthday: Identifiable, Equatable, Sendable {
    /// What names it.
    public let id: RecordID
    /// The first name.
    public let firstName: String?
    /// The last name.
    public let lastName: String?
    /// The day, as far as it is known.
    public let date: Day?
    /// What else is to be known of it.
    public let note: String?
  }

  /// Something that chance is to decide.
  public struct Question: Identifiable, Equatable, Sendable {
    /// What names it.
    public let id: RecordID
    /// What is asked.
    public let text: String
    /// The answers there are.
    public let choices: [Choice]
  }

  /// One of the answers to a question.
  public struct Choice: Identifiable, Equatable, Sendable {
    /// What names it.
    public let id: RecordID
    /// What it is called.
    public let name: String
    /// How often it is to be drawn, in proportion to the others.
    public let weight: Int
  }
}

extension Book.Todo {
  init(_ row: TodoRow) {
    self.init(
      id: Book.RecordID(row.head.id), title: row.title ?? "",
      list: row.listID.map(Book.RecordID.init), listName: row.listName, isDone: row.isDone,
      priority: Book.Priority(rawValue: Int(clamping: row.priority)) ?? .normal,
      due: row.due.map(Book.Day.init), note: row.head.note, tags: row.head.tags)
  }
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
}

extension Book {
  /// What names a record, the same on every machine and for ever.
  public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    let id: UniqueID

    init(_ id: UniqueID) { self.id = id }

    /// Reads an id from a UUID as ``description`` writes it; nil where the text is none.
    public init?(_ text: String) {
      guard let id = UniqueID(uuid: text) else { return nil }
      self.id = id
    }

    /// The id as a UUID.
    public var description: String { id.uuid }

    /// Orders ids in a way that says nothing, and is the same everywhere.
    public static func < (left: RecordID, right: RecordID) -> Bool { left.id < right.id }
  }
}

extension Book {
  /// A day of the calendar, any part of which may be unknown: `1815-12-10`, `--12-10`, `1815-12` or `1815`.
  public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    let date: CivilDate

    init(_ date: CivilDate) { self.date = date }

    /// Makes a day of the parts that are known; nil where there is no such day, such as a 30th of February.
    public init?(year: Int? = nil, month: Int? = nil, day: Int? = nil) {
      guard let date = try? CivilDate(year: year, month: month, day: day) else { return nil }
      self.date = date
    }

    /// Reads a day as ISO 8601 and vCard write it; nil where there is no such day.
    public init?(_ text: String) {
      guard let date = try? CivilDate.parse(text) else { return nil }
      self.date = date
    }

    /// The year, if it is known.
    public var year: Int? { date.year }
    /// The month from 1 to 12, if it is known.
    public var month: Int? { date.month }
    /// The day of the month from 1 on, if it is known.
    public var day: Int? { date.day }

    /// The day as ISO 8601 writes it, without a year as vCard does.
    public var description: String { date.iso }

    /// Whether a day comes before another, an unknown part before all that are known.
    public static func < (left: Day, right: Day) -> Bool { left.date < right.date }
  }
}
