import Domain
import Phrasing
import Platform
import ReadModel
import Wording

/// The to-dos that the options of a command select, and their order.
struct TodoWish {
  var list: String?
  var isOpen = false
  var isDone = false
  /// Whether open, hidden and closed to-dos are all selected.
  var isAll = false
  var isHidden = false
  var priority: String?
  var due: String?
  var isOverdue = false
  var tags: [String] = []
  var anyTags: [String] = []
  var order: String?

  /// The names of the options that were given.
  var options: [String] {
    let given = [
      ("--list", list != nil), ("--open", isOpen), ("--done", isDone),
      ("--all", isAll), ("--hidden", isHidden),
      ("--priority", priority != nil), ("--due", due != nil), ("--overdue", isOverdue),
      ("--tag", !tags.isEmpty), ("--any-tag", !anyTags.isEmpty),
    ]
    return given.filter(\.1).map(\.0)
  }

  /// Whether to-dos that are hidden or closed are omitted although the user did not ask for that.
  var leavesOutRest: Bool { !isOpen && !isDone && !isAll && !isHidden && !isOverdue }

  /// The options that do not select a state, to repeat in a command that also lists omitted to-dos.
  var conditions: [String] {
    let values = [("--list", list), ("--priority", priority), ("--due", due)]
    let given = values.compactMap { name, value in value.map { (name, $0) } }
    let tags = tags.map { ("--tag", $0) } + anyTags.map { ("--any-tag", $0) }
    return (given + tags).map { name, value in
      // A value that looks like an option must follow an equals sign.
      name + (value.hasPrefix("-") ? "=" : " ") + value.quoted.visible
    }
  }
}

/// The options that filter to-dos, shared by all commands that have them.
enum TodoOption {
  static let list = option(
    "list", "NAME", "Only to-dos on this list; 'none' selects to-dos on no list.", letter: "l")
  static let open = flag("open", "Only open to-dos, including hidden ones.")
  static let done = flag("done", "Only to-dos that are done or cancelled, latest first.")
  static let all = flag("all", "All to-dos: open, hidden and closed.")
  static let hidden = flag("hidden", "Only to-dos that are hidden until their start.")
  static let priority = option(
    "priority", "P", "Only to-dos of this priority: low, normal or high.", letter: "p")
  static let due = option(
    "due", "WHEN",
    "Only to-dos due on that day, in that week, month or year, or in FROM..TO; 'any' selects to-dos with a due date, 'none' those without one.",
    letter: "d")
  static let overdue = flag(
    "overdue",
    "Only open to-dos whose due date, time, month or year has passed.")
  static let tag = options(
    "tag", "T",
    "Only to-dos with this tag; with several tags, separated by commas, only to-dos with all of them.",
    letter: "t")
  static let anyTag = options("any-tag", "T", "Only to-dos with at least one of these tags.")

  /// The same options, to select the to-dos that a command changes.
  static let filters: [Form] =
    (list.forms + open.forms + done.forms + hidden.forms + priority.forms + due.forms
    + overdue.forms + tag.forms + anyTag.forms)
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
      isDone: !arguments.filter("done").isEmpty, isHidden: !arguments.filter("hidden").isEmpty,
      priority: arguments.filter("priority").last,
      due: arguments.filter("due").last, isOverdue: !arguments.filter("overdue").isEmpty,
      tags: arguments.filter("tag"), anyTags: arguments.filter("any-tag"))
  }
}

/// Turns the options of a command into a filter and an order.
struct TodoQuery {
  let context: CommandContext

  /// Returns the filter for to-dos on any list.
  ///
  /// - Parameters:
  ///   - wish: The options of the command.
  ///   - model: The records, if they have already been read.
  /// - Returns: The filter.
  /// - Throws: ``ConsoleError`` if an option is not valid.
  func filter(_ wish: TodoWish, in model: ReadModel? = nil) throws -> TodoFilter {
    try refuseSeveral([
      ("--all", wish.isAll), ("--open", wish.isOpen), ("--hidden", wish.isHidden),
      ("--done", wish.isDone),
    ])
    for (name, isGiven) in [
      ("--all", wish.isAll), ("--hidden", wish.isHidden), ("--done", wish.isDone),
      ("--due", wish.due != nil),
    ] {
      try refuseSeveral([("--overdue", wish.isOverdue), (name, isGiven)])
    }
    let day = try context.viewed.day()
    var filter = filter(ofState: wish, on: day)
    filter.priority = try wish.priority.map { try context.reader.priority($0).rawValue }
    filter.tags = context.reader.texts(wish.tags)
    filter.anyTags = context.reader.texts(wish.anyTags)
    if let due = wish.due { filter.due = try self.due(due) }
    if case .within(let days, _) = filter.due {
      filter.due = try context.viewed.dues.due(on: days, in: try model ?? context.snapshot().model)
    }
    if wish.isOverdue,
      let due = try context.viewed.dues.overdue(in: try model ?? context.snapshot().model)
    {
      filter.due = due
    }
    return filter
  }

  /// Returns the filter for to-dos that are open, done or hidden, as the options say.
  private func filter(ofState wish: TodoWish, on day: CivilDate?) -> TodoFilter {
    if wish.isAll { return TodoFilter() }
    if wish.isDone { return TodoFilter(includesOpen: false) }
    if wish.isOpen || wish.isOverdue { return TodoFilter(includesClosed: false) }
    guard wish.isHidden else { return .visible(on: day) }
    return TodoFilter(includesClosed: false, hidden: day.map { .only(on: $0) } ?? .included)
  }

  /// Returns the place that `--list` names; `none` means no list.
  func place(_ list: String?, _ snapshot: Snapshot) throws -> TodoFilter.Place {
    guard let list else { return .anywhere }
    if list == Self.noList { return .withoutList }
    return .list(try context.key(list, kind: .list, snapshot))
  }

  /// The value of `--list` for to-dos on no list.
  static let noList = FieldReader.noList

  func order(_ wish: TodoWish) throws(ConsoleError) -> TodoOrder {
    let orders: [(String, TodoOrder)] = [
      ("priority", .priority), ("due", .due), ("creation", .creation), ("title", .title),
      ("position", .position),
    ]
    return try choice(wish.order, "--sort", orders)
      ?? (wish.isAll || wish.isDone ? .openFirst : .priority)
  }

  func birthdayOrder(_ words: String?) throws -> BirthdayOrder {
    var orders: [(String, BirthdayOrder)] = [("name", .name), ("date", .date)]
    if let day = try context.viewed.day() {
      orders.append(("next", .next(from: day, rule: context.preferences.leapRule)))
    }
    return try choice(words, "--sort", orders) ?? .name
  }

  func choice<Choice>(
    _ words: String?, _ name: String, _ choices: [(String, Choice)]
  ) throws(ConsoleError) -> Choice? {
    guard let words else { return nil }
    if let found = choices.first(where: { $0.0 == words }) { return found.1 }
    throw .badValue(name, words, "Use \(choices.map(\.0).joined(separator: ", ")).")
  }

  /// Throws if more than one of the options is given.
  private func refuseSeveral(_ options: [(String, Bool)]) throws(ConsoleError) {
    let given = options.filter(\.1).map(\.0)
    if given.count > 1 { throw .contradiction(given[0], given[1]) }
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

  /// Returns the packed dates that words name: a day, or all days of a week, a month or a year.
  private func days(_ words: String) throws -> ClosedRange<Int64> {
    let today = try context.viewed.day()
    // Invalid words are found again below, and reported there.
    if let span = try? DayWords(today: today).span(words) { return span }
    guard let span = try FieldReader(context.machine.timekeeper, today: today).day(words).span
    else {
      throw ConsoleError.badValue("--due", words, "Add the year, as in 2026-12-24.")
    }
    return span
  }
}
