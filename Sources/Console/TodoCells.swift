import Domain
import Phrasing
import ReadModel

/// Shows to-dos as rows, by all that this depends on beside them.
///
/// It is a value, so that parts of a long list can be made on two threads.
struct TodoCells: Sendable {
  /// The day from which distances are told.
  let today: CivilDate?
  /// The day by which a to-do is late.
  let dayShown: CivilDate?
  /// How the rows of the list that is shown are shaded, if it has a colour and the terminal shows it.
  let shades: Shades?
  /// The words of the due date that was told last: of many rows that follow each other it is the same.
  private var known: (due: CivilDate, words: String)?

  init(today: CivilDate?, dayShown: CivilDate?, shades: Shades? = nil) {
    (self.today, self.dayShown, self.shades) = (today, dayShown, shades)
  }

  /// The cells of one, by its place in what is shown.
  mutating func cells(of row: TodoRow, _ id: String, at place: Int = 0) -> [Cell] {
    let priority = Priority(rawValue: row.priority) ?? .normal
    let due = row.due.map { row.isDone ? $0.iso : "due " + words(of: $0) } ?? ""
    let distance = dayShown.flatMap { row.due?.days(since: $0) }
    let isLate = !row.isDone && distance.map { $0 < 0 } ?? false
    return [
      Cell(id, .faint), Cell(row.isDone ? "[x]" : "[ ]"),
      Cell(priority.mark, row.isDone ? .faint : priority.style),
      Cell((row.title ?? "").visible, titleStyle(of: row, at: place)),
      Cell((row.listName ?? "").visible), Cell(tagWords(of: row), .faint),
      Cell(due, isLate ? .urgent : .plain),
    ]
  }

  private mutating func words(of due: CivilDate) -> String {
    if let known, known.due == due { return known.words }
    let words = due.dueWords(from: today)
    known = (due, words)
    return words
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

extension Context {
  func todoCells(shading shades: Shades? = nil) -> TodoCells {
    TodoCells(today: today, dayShown: dayShown, shades: paint.isTrue ? shades : nil)
  }

  func cells(of row: TodoRow, _ id: String) -> [Cell] {
    var cells = todoCells()
    return cells.cells(of: row, id)
  }
}
