import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the Today leaf.
struct TodayView {
  let page: PageSnapshot

  private static let mostUndated = 3
  private static let daysOfBirthdays = 30
  private static let lastEntries = 6

  /// Returns the conflicts, the to-dos of the agenda, the birthdays of the next days, and the latest entries.
  func view() throws -> PageView {
    let agenda = Agenda(page.dues, in: page.model)
    let overdue = try rows(agenda.todos(agenda.overdue()))
    let today = try rows(agenda.todos(agenda.today()))
    let next = try rows(agenda.todos(agenda.next()))
    let due = overdue.count + today.count + next.count
    let coming = try BirthdaysView(page: page).birthdays(within: Self.daysOfBirthdays)
    var view = PageView(
      PageView.Head(
        margin: page.today.day.map { "\($0)" },
        under: page.today.month.map { month in
          String(CivilDate.monthNames[month - 1].prefix(3))
        }, title: page.today.longWeekdayName ?? page.today.iso,
        line: "\(counted(due, "to-do", "to-dos")) overdue or due within a week · "
          + "\(counted(coming.count, "birthday", "birthdays")) within \(Self.daysOfBirthdays) days")
    )
    if page.isNow {
      view.adding = .init(
        placeholder: "A to-do, or a name and birth date", kinds: ["todo", "birthday"],
        choosesList: true)
    }
    try view.add("strip", "", rank: 0, conflictStrip())
    view.add("overdue", "Overdue", rank: 1, overdue)
    view.add("today", "Today", rank: 2, today)
    view.add("next", "Next 7 days", rank: 3, next)
    let undated = try page.model.todos.totals(on: page.today).undated
    view.add(
      "undated", "Undated (\(undated))", rank: 4,
      try rows(agenda.todos(agenda.undated, upTo: Self.mostUndated)))
    view.add("birthdays", "Birthdays", rank: 5, coming)
    if due == 0, coming.isEmpty {
      view.empty = PageView.Empty(
        picture: "book", sentence: "Nothing is due.",
        hint: page.isNow
          ? "To-dos that are overdue or due within a week, and birthdays within \(Self.daysOfBirthdays) days, appear here."
          : nil,
        button: page.isNow ? ("Add something", .add) : nil)
    }
    view.add(
      "entries", "Last entries", rank: 6,
      try HistoryView(page: page).entryRows(last: Self.lastEntries))
    return view
  }

  private func rows(_ todos: [TodoRow]) throws -> [PageRow] {
    try page.rows(todos, namesList: true)
  }

  private func conflictStrip() throws -> [PageRow] {
    let conflicts = try page.book.conflictReader.conflicts(in: page.model)
    guard !conflicts.isEmpty else { return [] }
    var row = PageRow(
      "strip", key: "strip",
      counted(conflicts.count, "conflict to settle", "conflicts to settle"))
    var titles: [String] = []
    for title in conflicts.map(\.document.datedTitle.visible) where !titles.contains(title) {
      titles.append(title)
    }
    row.note = titles.prefix(3).joined(separator: ", ") + (titles.count > 3 ? " …" : "")
    return [row]
  }
}
