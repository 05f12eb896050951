import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaf of today.
struct TodayView {
  let page: PageSnapshot

  private static let daysOfTodos = 7
  private static let daysOfBirthdays = 30
  private static let lastEntries = 6

  /// Returns the conflicts, the urgent to-dos, the birthdays of the next days, and the latest entries.
  func view() throws -> PageView {
    let (due, others) = try urgentTodos()
    let todos = due + others
    let coming = try BirthdaysView(page: page).birthdays(within: Self.daysOfBirthdays)
    var view = PageView(
      PageView.Head(
        margin: page.today.day.map { "\($0)" },
        under: page.today.month.map { month in
          String(CivilDate.monthNames[month - 1].prefix(3))
        }, title: page.today.longWeekdayName ?? page.today.iso,
        line: "\(counted(due.count, "to-do", "to-dos")) due within a week · "
          + "\(counted(coming.count, "birthday", "birthdays")) within \(Self.daysOfBirthdays) days")
    )
    if page.isNow {
      view.adding = .init(
        placeholder: "A to-do, or a name and birth date", kinds: ["todo", "birthday"],
        choosesList: true)
    }
    try view.add("strip", "", rank: 0, conflictStrip())
    view.add("todo", "To do", rank: 1, todos)
    view.add("birthdays", "Birthdays", rank: 2, coming)
    if todos.isEmpty, coming.isEmpty {
      view.empty = PageView.Empty(
        picture: "book", sentence: "Nothing is due.",
        hint: page.isNow
          ? "Urgent to-dos and the birthdays of the next \(Self.daysOfBirthdays) days appear here."
          : nil,
        button: page.isNow ? ("Add something", .add) : nil)
    }
    view.add(
      "entries", "Last entries", rank: 3,
      try HistoryView(page: page).entryRows(last: Self.lastEntries))
    return view
  }

  /// Returns the open to-dos that are overdue or due within a week, by due date, and the others with high priority.
  private func urgentTodos() throws -> (due: [PageRow], others: [PageRow]) {
    guard let end = page.today.adding(days: Self.daysOfTodos + 1) else { return ([], []) }
    let due = try page.model.todos.todos(
      TodoFilter(includesDone: false, due: .before(end)), by: .due)
    let known = Set(due.map(\.head.id))
    let others = try page.model.todos.todos(
      TodoFilter(includesDone: false, priority: Priority.high.rawValue), by: .priority)
    let rows = { (todos: [TodoRow]) in todos.map { page.row($0, namesList: true) } }
    return (rows(due), rows(others.filter { !known.contains($0.head.id) }))
  }

  private func conflictStrip() throws -> [PageRow] {
    let conflicts = try page.book.conflictReader.conflicts(in: page.model)
    guard !conflicts.isEmpty else { return [] }
    var row = PageRow(
      "strip", key: "strip",
      counted(conflicts.count, "conflict to settle", "conflicts to settle"))
    var titles: [String] = []
    for conflict in conflicts where !titles.contains(conflict.document.title.visible) {
      titles.append(conflict.document.title.visible)
    }
    row.note = titles.prefix(3).joined(separator: ", ") + (titles.count > 3 ? " …" : "")
    return [row]
  }
}
