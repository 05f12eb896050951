import Domain
import Phrasing
import Platform
import ReadModel

/// The to-dos that the options of a command select, and their order.
struct TodoWish {
  var list: String?
  var isOpen = false
  var isDone = false
  var priority: String?
  var due: String?
  var isOverdue = false
  var tags: [String] = []
  var order: String?

  /// The names of the options that were given.
  var options: [String] {
    let given = [
      ("--list", list != nil), ("--open", isOpen), ("--done", isDone),
      ("--priority", priority != nil), ("--due", due != nil), ("--overdue", isOverdue),
      ("--tag", !tags.isEmpty),
    ]
    return given.filter(\.1).map(\.0)
  }
}

/// The options that filter to-dos, shared by all commands that have them.
enum TodoOption {
  static let list = option("list", "NAME", "Only to-dos of this list.", letter: "l")
  static let open = flag("open", "Only to-dos that are open.")
  static let done = flag("done", "Only to-dos that are done.")
  static let priority = option(
    "priority", "P", "Only to-dos of this priority: low, normal or high.", letter: "p")
  static let due = option(
    "due", "WHEN", "Only to-dos due on a day, in a month or year, FROM..TO, any or none.",
    letter: "d")
  static let overdue = flag(
    "overdue", "Only open to-dos that were due before today, or in a past month or year.")
  static let tag = options("tag", "T", "Only to-dos with this tag; may be repeated.", letter: "t")

  /// The same options, to select the to-dos that a command changes.
  static let filters: [Form] =
    (list.forms + open.forms + done.forms + priority.forms + due.forms + overdue.forms + tag.forms)
    .map { form in
      guard case .option(var option) = form else { return form }
      option.isFilter = true
      return .option(option)
    }
}

extension TodoWish {
  /// Reads the options that select the to-dos that a command changes.
  init(filters arguments: Arguments) {
    self.init(
      list: arguments.filter("list").last, isOpen: !arguments.filter("open").isEmpty,
      isDone: !arguments.filter("done").isEmpty, priority: arguments.filter("priority").last,
      due: arguments.filter("due").last, isOverdue: !arguments.filter("overdue").isEmpty,
      tags: arguments.filter("tag"))
  }
}

/// Turns the options of a command into a filter and an order.
struct TodoQuery {
  let context: CommandContext

  /// Returns the filter for to-dos on any list.
  func filter(_ wish: TodoWish) throws -> TodoFilter {
    try refuseBoth(wish.isOpen ? "--open" : nil, wish.isDone ? "--done" : nil)
    try refuseBoth(wish.isOverdue ? "--overdue" : nil, wish.isDone ? "--done" : nil)
    try refuseBoth(wish.isOverdue ? "--overdue" : nil, wish.due.map { _ in "--due" })
    var filter = TodoFilter(
      includesDone: !wish.isOpen && !wish.isOverdue, includesOpen: !wish.isDone,
      priority: try wish.priority.map { try context.reader.priority($0).rawValue }, tags: wish.tags)
    if let due = wish.due { filter.due = try self.due(due) }
    if wish.isOverdue, let day = try context.viewed.day() { filter.due = .before(day) }
    return filter
  }

  func order(_ wish: TodoWish) throws(ConsoleError) -> TodoOrder {
    let orders: [(String, TodoOrder)] = [
      ("priority", .priority), ("due", .due), ("creation", .creation), ("title", .title),
      ("position", .position),
    ]
    return try choice(wish.order, "--sort", orders) ?? .priority
  }

  func birthdayOrder(_ words: String?) throws -> BirthdayOrder {
    var orders: [(String, BirthdayOrder)] = [("name", .name), ("date", .date)]
    if let day = try context.viewed.day() {
      orders.append(("next", .next(from: day, rule: context.preferences.leapRule)))
    }
    return try choice(words, "--sort", orders) ?? .name
  }

  /// Returns the choice with the given name.
  func choice<Choice>(
    _ words: String?, _ name: String, _ choices: [(String, Choice)]
  ) throws(ConsoleError) -> Choice? {
    guard let words else { return nil }
    if let found = choices.first(where: { $0.0 == words }) { return found.1 }
    throw .badValue(name, words, "Use \(choices.map(\.0).joined(separator: ", ")).")
  }

  private func refuseBoth(_ first: String?, _ second: String?) throws(ConsoleError) {
    if let first, let second { throw .contradiction(first, second) }
  }

  private func due(_ words: String) throws -> TodoFilter.Due {
    if words == "any" { return .dated }
    if DayWords.isNever(words) { return .undated }
    guard let dots = words.firstRange(of: "..") else { return .within(try days(words)) }
    let start = String(words[..<dots.lowerBound])
    let end = String(words[dots.upperBound...])
    let first = start.isEmpty ? 0 : try days(start).lowerBound
    let last = end.isEmpty ? Int64.max : try days(end).upperBound
    guard first <= last else {
      throw ConsoleError.badValue("--due", words, "Put the earlier day first.")
    }
    return .within(first...last)
  }

  private func days(_ words: String) throws -> ClosedRange<Int64> {
    guard
      let span = try FieldReader(context.machine.timekeeper, today: try context.viewed.day()).day(
        words
      ).span
    else {
      throw ConsoleError.badValue("--due", words, "Add the year, as in 2026-12-24.")
    }
    return span
  }
}
