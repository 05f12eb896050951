import Domain
import Phrasing
import ReadModel

// The rows of lists, as they are shown.

extension Context {
  func cells(_ id: String, _ words: [String]) -> [Cell] {
    [Cell(id, .faint, giving: .never)] + words.map { Cell($0) }
  }

  func cells(of row: BirthdayRow, _ id: String) -> [Cell] {
    let next = dayShown.flatMap { row.next(from: $0, rule: preferences.leapRule) }
    let isToday = moment == nil && next?.inDays == 0
    return [
      Cell(id, .faint, giving: .never), Cell(row.name.visible),
      Cell(row.birthdate?.iso ?? "", giving: .never),
      Cell(next?.words ?? "", isToday ? .heading : .plain),
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
}
