import Domain
import Phrasing
import ReadModel

/// Shows to-dos as rows, by all that this depends on beside them.
///
/// It is a value, so that parts of a long list can be made on two threads.
struct TodoCells: Sendable {
  /// The day from which distances are told, and by which a to-do is late.
  let dayShown: CivilDate?
  /// How the rows of the list that is shown are shaded, if it has a colour and the terminal shows it.
  let shades: Shades?
  /// Whether a row says on which list it is; where all are on one, that says nothing.
  let showsList: Bool
  /// The words before and behind the due date that was told last: of many rows that follow each other it is the same.
  private var known: (due: CivilDate, before: String, after: String)?

  init(
    dayShown: CivilDate?, shades: Shades? = nil, showsList: Bool = true
  ) {
    (self.dayShown, self.shades, self.showsList) = (dayShown, shades, showsList)
  }

  /// The cells of one, by its place in what is shown.
  mutating func cells(of row: TodoRow, _ id: String, at place: Int = 0) -> [Cell] {
    let priority = Priority(rawValue: row.priority) ?? .normal
    return [
      Cell(id, .faint, giving: .never), Cell(row.isDone ? "[x]" : "[ ]", giving: .never),
      Cell(priority.mark, row.isDone ? .faint : priority.style, giving: .never),
      Cell((row.title ?? "").visible, titleStyle(of: row, at: place), giving: .title),
      Cell(showsList ? (row.listName ?? "").visible : "", giving: .aside),
      Cell(tagWords(of: row), .faint, giving: .aside),
      dueCell(of: row),
    ]
  }

  private mutating func dueCell(of row: TodoRow) -> Cell {
    guard let due = row.due else { return Cell("", giving: .never) }
    if row.isDone { return Cell(date: due.iso, after: "", before: "") }
    let isLate = dayShown.flatMap { due.lastDay?.days(since: $0) }.map { $0 < 0 } ?? false
    let words = words(around: due)
    return Cell(
      date: due.iso, after: words.before, before: words.after, isLate ? .urgent : .plain)
  }

  private mutating func words(around due: CivilDate) -> (before: String, after: String) {
    if let known, known.due == due { return (known.before, known.after) }
    let before = "due " + due.dated.dropLast(due.iso.count)
    let after = due.distanceWords(from: dayShown).map { " (\($0))" } ?? ""
    known = (due, before, after)
    return (before, after)
  }

  private func tagWords(of row: TodoRow) -> String {
    row.head.tags.isEmpty ? "" : row.head.tags.map { "#" + $0.visible }.joined(separator: " ")
  }

  private func titleStyle(of row: TodoRow, at place: Int) -> Style {
    guard let shades else { return row.isDone ? .struck : .plain }
    return .shaded(shades.ground(ofRow: place), isStruck: row.isDone)
  }
}

/// How the rows of a list shade into the depth of its colour.
struct Shades: Sendable {
  let colour: Int64
  let rows: Int

  func ground(ofRow place: Int) -> Int64 { colour.shade(ofRow: place, among: rows) }
}

extension CivilDate {
  /// A due date and how far away it is.
  func dueWords(from today: CivilDate?) -> String {
    dated + (distanceWords(from: today).map { " (\($0))" } ?? "")
  }
}

extension Priority {
  fileprivate var style: Style {
    switch self {
    case .low: .harmless
    case .normal: .middling
    case .high: .urgent
    }
  }
}
