import Bytes
import Domain

/// Writes the events of commands about to-dos, and the undo of each of the author's commands.
///
/// Each command is decided on the records as its author knows them. A command that changes nothing, is refused or needs
/// several events is left out.
struct TodoWriter: SmallWriter {
  enum Subject: CaseIterable, Sendable {
    /// Tags that devices add and remove, and lists of tags that an older program writes.
    case tags
    /// To-dos that become sub-tasks of each other.
    case parents
    /// Completions, cancellations and deletes.
    case closings
    /// Completions of a repeating to-do.
    case occurrences
    /// The rule of a repeating to-do, its end, and the move of one date.
    case rules
    /// A to-do whose dates count from its start, and the move of its start.
    case starts
    /// A repeating to-do and its sub-task.
    case subtasks
    /// Two repeating to-dos that are joined by hand.
    case joins

    /// Whether to-dos repeat; if so, the visible state of a to-do depends on several records.
    var isOfSeries: Bool {
      switch self {
      case .tags, .parents, .closings: false
      case .occurrences, .rules, .starts, .subtasks, .joins: true
      }
    }
  }

  let subject: Subject

  func given(_ number: Int) -> Body {
    let title = Write(Field.Todo.title, .text("\(number)"))
    let more: [Write] =
      switch subject {
      case .tags: [Self.tag("a")]
      case .parents, .closings: []
      case .occurrences, .rules, .joins: Self.series(due: 0, Self.rules[0])
      case .starts:
        Self.series(due: 2, Self.ruleFromStart) + [Write(Field.Todo.start, .date(Self.day(0)))]
      case .subtasks where number == 0: Self.series(due: 0, Self.rules[0])
      case .subtasks:
        [Write(Field.Todo.parent, .reference(EventKey(log: 0, sequence: 1)))]
      }
    return Body(.add, .kind(.todo), [title] + more)
  }

  func bodies(by author: SmallAuthor) -> [Body] {
    let records = author.known.folded()
    let todos = author.known.facts.prefix(author.given).map(\.key)
    var drafts = commands(about: todos, by: author).map { Self.drafts(of: $0, on: records) }
    for fact in author.own { drafts.append(Self.undo(of: fact, in: author.known, records)) }
    var known: Set<Body> = []
    let single = drafts.filter { $0.count == 1 }.map { $0[0].body }
    return (single + foreign(todos)).filter { known.insert($0).inserted }
  }

  private static func drafts(of command: Command, on records: Records) -> [Draft] {
    do throws(Refusal) {
      try checkParent(setBy: command, on: records)
      try checkOccurrences(in: command, on: records)
      return try decide(command, on: records) { 0 }
    } catch {
      return []
    }
  }

  private static func undo(
    of fact: Fact, in known: History, _ records: Records
  ) -> [Draft] {
    let others = known.facts.filter { $0.key != fact.key }
    let without = Records.fold(others, causality: known.causality)
    return Domain.undo([fact], now: records, without: without).drafts
  }

  // MARK: Commands

  private static func tag(_ text: String) -> Write { Write(Field(tag: text), .text(text)) }

  /// The day that is the given number of days after the first day.
  static func day(_ number: Int) -> CivilDate {
    guard let day = CivilDate(epochDay: 20_758 + number) else {
      preconditionFailure("the day is near 2026-11-01")
    }
    return day
  }

  private static func series(due: Int, _ rule: String) -> [Write] {
    [Write(Field.Todo.due, .date(day(due))), Write(Field.Todo.repeat, .text(rule))]
  }

  static let rules = ["FREQ=DAILY", "FREQ=DAILY;MISSED=KEEP", "FREQ=DAILY;INTERVAL=3;FROM=DONE"]
  private static let ruleFromStart = "FREQ=DAILY;INTERVAL=3;FROM=START"

  private func commands(about todos: [EventKey], by author: SmallAuthor) -> [Command] {
    // Each device is in another zone, so their days differ.
    let today = Self.day(2 * Int(author.log))
    return switch subject {
    case .tags: todos.flatMap { Self.tagging($0) }
    case .parents: todos.flatMap { Self.moving($0, among: todos) }
    case .closings:
      todos.flatMap { key -> [Command] in
        [
          .setDone([key], true, on: today), .setDone([key], false), .cancel([key], on: today),
          .delete([key]), .restore(key),
        ]
      }
    case .occurrences:
      todos.flatMap { key -> [Command] in
        [.setDone([key], true, on: today), .setDone([key], false), .skip([key], on: today)]
      }
    case .rules: todos.flatMap { Self.repeating($0, today) }
    case .starts: todos.flatMap { Self.starting($0, today) }
    case .subtasks: Self.nesting(todos, today)
    case .joins: Self.joining(todos, today)
    }
  }

  private static func tagging(_ key: EventKey) -> [Command] {
    var fields: [[Field: Value]] = ["a", "b"].flatMap { text in
      [[Field(tag: text): Value.text(text)], [Field(tag: text): .boolean(false)]]
    }
    fields.append([Field(tag: "a"): .text("A")])
    fields.append([.tags: .texts(["b"])])
    return fields.map { .edit(key, $0) }
  }

  private static func moving(_ key: EventKey, among todos: [EventKey]) -> [Command] {
    let parents = todos.filter { $0 != key }.map(Value.reference) + [.null]
    return parents.map { .edit(key, [Field.Todo.parent: $0]) } + [
      .setDone([key], true), .delete([key]), .restore(key),
    ]
  }

  private static func repeating(_ key: EventKey, _ today: CivilDate) -> [Command] {
    let moved: [Field: Value] = [Field.Todo.due: .date(day(5))]
    return [
      .setDone([key], true, on: today), .editOccurrence(key, moved), .endRepeat(key),
      .delete([key]),
    ]
      + rules.dropFirst().map {
        .setRepeat(key, [Field.Todo.repeat: .text($0), Field.Todo.due: .date(day(1))])
      }
  }

  private static func starting(_ key: EventKey, _ today: CivilDate) -> [Command] {
    [
      .setDone([key], true, on: today), .setDone([key], false), .skip([key], on: today),
      .edit(key, [Field.Todo.start: .date(day(1))]), .edit(key, [Field.Todo.start: .null]),
      .editOccurrence(key, [Field.Todo.due: .date(day(5))]),
    ]
  }

  private static func nesting(_ todos: [EventKey], _ today: CivilDate) -> [Command] {
    guard todos.count == 2 else { return [] }
    let (series, subtask) = (todos[0], todos[1])
    return todos.map { .setDone([$0], true, on: today) } + [
      .setDone([subtask], false), .skip([subtask], on: today), .delete([series]),
      .edit(subtask, [Field.Todo.parent: .null]),
      .edit(subtask, [Field.Todo.parent: .reference(series)]),
    ]
  }

  private static func joining(_ todos: [EventKey], _ today: CivilDate) -> [Command] {
    guard todos.count == 2 else { return [] }
    return todos.flatMap { [.setDone([$0], true, on: today), .setDone([$0], false)] } + [
      .skip([todos[0]], on: today), .delete([todos[1]]), .join(todos[0], todos[1]),
    ]
  }

  /// The writes of an older program: the list of tags, and a completion of the series itself.
  private func foreign(_ todos: [EventKey]) -> [Body] {
    todos.flatMap { key -> [Body] in
      switch subject {
      case .tags: [Body(.edit, .entity(key), [Write(.tags, .texts(["a", "c"]))])]
      case .occurrences: [Body(.edit, .entity(key), [Write(Field.Todo.done, .boolean(true))])]
      case .parents, .closings, .rules, .starts, .subtasks, .joins: []
      }
    }
  }
}
