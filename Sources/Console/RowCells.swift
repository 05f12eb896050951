import Domain
import Phrasing
import ReadModel

/// How the rows of a list shade into the depth of its colour.
struct Shades {
  let colour: Int64
  let rows: Int
  /// How many have been shaded.
  var count = 0

  /// The ground of the next row.
  mutating func next() -> Int64 {
    defer { count += 1 }
    return colour.shade(ofRow: count, among: rows)
  }
}

// The rows of lists, as they are shown.

extension Context {
  func cells(_ id: String, _ words: [String]) -> [Cell] {
    [Cell(id, .faint)] + words.map { Cell($0) }
  }

  func cells(of row: BirthdayRow, _ id: String) -> [Cell] {
    let next = today.flatMap { row.next(from: $0, rule: preferences.leapRule) }
    let isToday = moment == nil && next?.inDays == 0
    return [
      Cell(id, .faint), Cell(row.name.visible), Cell(row.birthdate?.iso ?? ""),
      Cell(moment == nil ? next?.words ?? "" : "", isToday ? .heading : .plain),
    ]
  }

  func cells(of row: TodoRow, _ id: String) -> [Cell] {
    let priority = Priority(rawValue: row.priority) ?? .normal
    let due = row.due.map { row.isDone ? $0.iso : "due " + dueWords($0) } ?? ""
    let distance = dayShown.flatMap { row.due?.days(since: $0) }
    let isLate = !row.isDone && distance.map { $0 < 0 } ?? false
    return [
      Cell(id, .faint), Cell(row.isDone ? "[x]" : "[ ]"),
      Cell(priority.mark, row.isDone ? .faint : priority.style),
      Cell((row.title ?? "").visible, titleStyle(of: row)), Cell((row.listName ?? "").visible),
      Cell(tagWords(of: row), .faint),
      Cell(due, isLate ? .urgent : .plain),
    ]
  }

  /// On a terminal of all colours, a list wears its own.
  func cells(of row: ListRow, _ id: String) -> [Cell] {
    let cells = cells(id, row.words(in: self))
    guard paint.isTrue, let colour = row.colour else { return cells }
    return cells.enumerated().map { place, cell in
      place == 1 ? Cell(cell.text, .shaded(colour, isStruck: false)) : cell
    }
  }

  private func tagWords(of row: TodoRow) -> String {
    row.head.tags.isEmpty ? "" : row.head.tags.map { "#" + $0.visible }.joined(separator: " ")
  }

  private func titleStyle(of row: TodoRow) -> Style {
    guard paint.isTrue, let ground = shades?.next() else { return row.isDone ? .struck : .plain }
    return .shaded(ground, isStruck: row.isDone)
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
