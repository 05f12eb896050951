import Domain
import Phrasing
import ReadModel

/// Returns cells for the rows of lists.
struct RowCells {
  let context: CommandContext
  private var output: Output { context.output }

  func cells(_ id: String, _ words: [String]) -> [Cell] {
    [Cell(id, .faint, giving: .never)] + words.map { Cell($0) }
  }

  func cells(of row: BirthdayRow, _ id: String) -> [Cell] {
    let next = context.viewed.dayShown.flatMap {
      row.next(from: $0, rule: context.preferences.leapRule)
    }
    let isToday = context.viewed.words == nil && next?.inDays == 0
    return [
      Cell(id, .faint, giving: .never), Cell(row.name.visible),
      Cell(row.birthdate?.iso ?? "", giving: .never),
      Cell(next?.words ?? "", isToday ? .heading : .plain),
    ]
  }

  /// On a terminal with 24-bit colour, a list is shown in its own colour.
  func cells(of row: ListRow, _ id: String) -> [Cell] {
    let cells = cells(id, row.words(in: context))
    guard output.paint.isTrue, let colour = row.colour else { return cells }
    return cells.enumerated().map { place, cell in
      place == 1 ? Cell(cell.text, .shaded(colour, isStruck: false)) : cell
    }
  }

  /// Returns cells for to-dos without the columns that have the same value in all rows.
  func todoCells(
    shading shades: Shades? = nil, showsList: Bool = true, showsPriority: Bool = true,
    showsDay: Bool = true, missed: MissedDates = MissedDates()
  ) -> TodoCells {
    // Programs expect each field at a fixed position.
    let isPlain = context.invocation.globals.isPlain
    return TodoCells(
      context.viewed.dues, shades: output.paint.isTrue ? shades : nil,
      showsList: showsList || isPlain, showsPriority: showsPriority || isPlain,
      showsDay: showsDay || isPlain, missed: missed)
  }

  func cells(of row: TodoRow, _ id: String) -> [Cell] {
    // A row that cannot be looked up is shown without the number of its missed dates.
    let missed = row.rule == nil ? nil : try? context.presentSnapshot().missedDates(of: [row])
    var cells = todoCells(missed: missed ?? MissedDates())
    return cells.cells(of: row, id)
  }
}
