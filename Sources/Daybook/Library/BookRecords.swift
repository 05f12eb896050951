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
