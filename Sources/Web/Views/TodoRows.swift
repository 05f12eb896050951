import Bytes
import Domain
import Phrasing
import ReadModel

// The rows of to-dos in lists and on the Today leaf.

extension PageSnapshot {
  /// Returns the rows of to-dos, with the names of their lists if `namesList` is set.
  func rows(_ todos: [TodoRow], namesList: Bool) throws -> [PageRow] {
    let missed = try MissedDates(of: todos, before: today, in: model)
    return todos.map { row($0, namesList: namesList, missed) }
  }

  /// Returns the rows of to-dos, with open sub-tasks below their open parents.
  func nestedRows(_ todos: [TodoRow]) throws -> [PageRow] {
    let rows = try rows(todos, namesList: false)
    // The titles of the previous row's to-do and of its ancestors.
    var titles: [String] = []
    return try TodoTree(todos, model.subtasks).nodes.map { node in
      var row = rows[node.place]
      titles.removeLast(titles.count - node.depth)
      (row.depth, row.parentTitle) = (node.depth, titles.last)
      titles.append(row.title)
      return row
    }
  }

  private func row(_ todo: TodoRow, namesList: Bool, _ missed: MissedDates) -> PageRow {
    var row = PageRow("todo", todo.head.id, todo.datedTitle.visible)
    (row.isClosed, row.isCancelled) = (todo.isClosed, todo.isCancelled)
    row.isOccurrence = todo.series != nil
    if let rule = todo.ruleWords, !todo.isClosed {
      row.repeats = PageRow.Repeats(
        words: "repeats \(rule)", missed: missed.words(of: todo.head.id))
    }
    row.priority = Priority(rawValue: todo.priority) ?? .normal
    row.note = todo.head.note.map(\.visible)
    row.isInConflict = isInConflict(todo.head.key)
    row.when =
      switch todo.state {
      case .open: dues.localDue(of: todo).map { dueWhen($0) }
      case .done: PageRow.When(text: "done", tone: .done)
      case .cancelled:
        PageRow.When(text: todo.series == nil ? "cancelled" : "skipped", tone: .done)
      }
    if namesList, let id = todo.listID {
      let list = lists.first { $0.head.key == todo.list }
      row.list = PageRow.List(
        id: id, title: (todo.listName ?? "").visible, colour: list?.colour)
    }
    if !todo.head.tags.isEmpty {
      let tags = todo.head.tags.map { JSON.string($0.visible) }
      row.more = .object(("tags", .array(tags)))
    }
    return row
  }

  private func dueWhen(_ due: LocalDue) -> PageRow.When {
    when(due.day, due.suffix, isLate: dues.isPast(due))
  }

  /// Returns the text for a due day in the margin, with the time after it.
  func when(_ day: CivilDate, _ time: String = "", isLate: Bool = false) -> PageRow.When {
    let text = dayText(day) + time
    guard let days = day.days(since: today) else {
      return .init(text: text, date: day, tone: isLate ? .late : .plain)
    }
    switch days {
    case ..<0: return .init(text: text, date: day, tone: .late)
    case 0: return .init(text: text, date: day, tone: isLate ? .late : .today)
    case 1..<7: return .init(text: text, date: day, tone: .soon)
    default: return .init(text: text, date: day)
    }
  }

  private func dayText(_ day: CivilDate) -> String {
    guard let days = day.days(since: today) else { return day.shortWords }
    return switch days {
    case ..<0: "\(-days) d late"
    case 0: "today"
    case 1..<7: "\(day.weekdayName ?? "") \(day.day ?? 0)"
    case 7..<300: day.shortDayWords
    default: day.shortWords
    }
  }
}

extension TodoRow {
  /// The title, and for an occurrence of a series also its date, as in the occurrence's document.
  var datedTitle: String {
    let title = title ?? ""
    guard series != nil, let slot else { return title }
    return "\(title) of \(slot.dated)"
  }

  /// The rule in words, including its end; nil if the to-do does not repeat.
  var ruleWords: String? {
    rule.map { rule in
      RepeatRule(canonicalIfValid: rule)?.words(from: firstDue, until: until) ?? rule.visible
    }
  }
}
