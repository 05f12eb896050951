import Domain
import Phrasing
import ReadModel

/// Returns cells for to-dos.
///
/// This type contains everything that the cells depend on, so parts of a long list can be made on two threads.
struct TodoCells: Sendable {
  /// The time from which distances are counted, and before which a to-do is late.
  private let dues: LocalDues
  /// The shades for the rows of one list, if it has a colour and the terminal can show it.
  let shades: Shades?
  /// Whether a row contains the name of its list; false if all rows are on one list.
  let showsList: Bool
  /// Whether a row contains the mark of its priority; false if all rows have one priority.
  let showsPriority: Bool
  /// Whether a row contains its due day, and not only the time; false if all rows are due on one day.
  let showsDay: Bool
  /// The numbers of missed dates of the to-dos whose rules keep missed dates.
  let missed: MissedDates
  /// The text around the previous due date; it is cached because many successive rows have the same date.
  private var known: (due: CivilDate, before: String, after: String)?

  init(
    _ dues: LocalDues, shades: Shades? = nil, showsList: Bool = true,
    showsPriority: Bool = true, showsDay: Bool = true, missed: MissedDates = MissedDates()
  ) {
    (self.dues, self.shades) = (dues, shades)
    (self.showsList, self.showsPriority, self.showsDay) = (showsList, showsPriority, showsDay)
    self.missed = missed
  }

  /// Returns the cells of a to-do, shaded by its place, with its title indented if it is a sub-task of a row above.
  mutating func cells(
    of row: TodoRow, _ id: String, at place: Int = 0, depth: Int = 0
  ) -> [Cell] {
    let priority = Priority(rawValue: row.priority) ?? .normal
    let cells = [
      Cell(id, .faint, giving: .never), Cell(row.state.mark, giving: .never),
      Cell(
        showsPriority ? priority.mark : "", row.isClosed ? .faint : priority.style, giving: .never),
      Cell(
        String(repeating: "  ", count: depth) + (row.title ?? "").visible,
        titleStyle(of: row, at: place),
        giving: .title),
      Cell(showsList ? (row.listName ?? "").visible : "", giving: .aside),
      Cell(tagWords(of: row), .faint, giving: .aside),
      dueCell(of: row),
    ]
    guard !row.isClosed, row.start != nil || row.rule != nil else { return cells }
    return cells + startCells(of: row) + repeatCells(of: row)
  }

  /// Returns a cell for the start of a hidden to-do, and an empty cell before the mark of a repeating to-do.
  private func startCells(of row: TodoRow) -> [Cell] {
    guard let start = row.start, let today = dues.today, row.isHidden(on: today) else {
      return row.rule == nil ? [] : [Cell("", giving: .never)]
    }
    // A to-do is shown at the latest when it is due.
    let first = row.due.map { min(start, $0) } ?? start
    // Without "from", the start would look like the due date.
    return [Cell(date: "from " + first.iso, after: "", before: "", .faint)]
  }

  /// Returns a cell for the mark of a repeating to-do and the number of its missed dates, which is omitted together
  /// with the distances of dates.
  private func repeatCells(of row: TodoRow) -> [Cell] {
    guard row.rule != nil else { return [] }
    let words = missed.words(of: row.head.id).map { " " + $0 } ?? ""
    return [Cell(date: Self.repeats, after: "", before: words)]
  }

  /// The mark of a repeating to-do.
  static let repeats = "↻"

  private mutating func dueCell(of row: TodoRow) -> Cell {
    guard let due = dues.localDue(of: row) else { return Cell("", giving: .never) }
    guard showsDay else {
      let isLate = !row.isClosed && dues.isPast(due)
      return Cell(due.suffix.trimmed, isLate ? .urgent : .plain, giving: .never)
    }
    if row.isClosed { return Cell(date: due.text, after: "", before: "") }
    let words = words(around: due.day)
    return Cell(
      date: due.text, after: words.before, before: words.after,
      dues.isPast(due) ? .urgent : .plain)
  }

  private mutating func words(around due: CivilDate) -> (before: String, after: String) {
    if let known, known.due == due { return (known.before, known.after) }
    // Appending a substring would make the runtime search for its types, which takes as long as ten rows.
    let before = "due " + String(due.dated.dropLast(due.iso.count))
    let after = due.distanceWords(from: dues.today).map { " (\($0))" } ?? ""
    known = (due, before, after)
    return (before, after)
  }

  private func tagWords(of row: TodoRow) -> String {
    row.head.tags.isEmpty ? "" : row.head.tags.map { "#" + $0.visible }.joined(separator: " ")
  }

  private func titleStyle(of row: TodoRow, at place: Int) -> Style {
    guard let shades else { return row.isClosed ? .struck : .plain }
    return .shaded(shades.ground(ofRow: place), isStruck: row.isClosed)
  }
}

/// The shades of the rows of a list, which become darker towards the end.
struct Shades: Sendable {
  let colour: Int64
  let rows: Int

  func ground(ofRow place: Int) -> Int64 { colour.shade(ofRow: place, among: rows) }
}

extension CivilDate {
  /// Returns a date and its distance from today.
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
