import Domain
import Phrasing
import ReadModel

/// Returns cells for the records that a search has found, with the marks and colours that they have in lists.
struct FoundCells {
  private let context: CommandContext
  private let lists: [EventKey: ListRow]
  /// The shades for the rows of the list that was searched, if it has a colour and the terminal can show it.
  private let shades: Shades?
  /// Whether a row contains the name of its list; false if all rows are on one list.
  private let showsList: Bool
  private var isPlain: Bool { context.invocation.globals.isPlain }

  /// Reads the lists of the records that a search found in a place.
  init(
    _ found: [Candidate], in place: TodoFilter.Place, _ model: ReadModel, _ context: CommandContext
  ) throws {
    let isOnLists = found.contains { $0.kind == .list || $0.list != nil }
    let rows = isOnLists ? try model.lists.lists() : []
    lists = Dictionary(uniqueKeysWithValues: rows.map { ($0.head.key, $0) })
    (self.context, showsList) = (context, place == .anywhere)
    if case .list(let key) = place, let colour = lists[key]?.colour {
      shades = Shades(colour: colour, rows: found.count)
    } else {
      shades = nil
    }
  }

  func cells(of found: Candidate, _ id: String, at place: Int) -> [Cell] {
    let list = found.list.flatMap { lists[$0] }
    let kind = Cell(found.kind.name, giving: .never)
    let mark = Cell(found.kind == .todo ? found.state.mark : "", giving: .never)
    let title = Cell((found.title ?? "").visible, style(of: found, at: place), giving: .title)
    let listName = Cell(
      showsList || isPlain ? (list?.name ?? "").visible : "", shaded(list?.colour) ?? .plain,
      giving: .aside)
    let repeats = found.repeats ? [Cell(TodoCells.repeats, giving: .never)] : []
    // Programs expect the kind and the title at fixed positions.
    let words = isPlain ? [kind, title, mark, listName] : [kind, mark, title, listName]
    return [Cell(id, .faint, giving: .never)] + words + repeats
  }

  /// Returns the style of a title: shaded for a list, and for to-dos if only one list was searched.
  private func style(of found: Candidate, at place: Int) -> Style {
    let isClosed = found.state != .open
    let ground = shades?.ground(ofRow: place) ?? lists[found.key]?.colour
    return shaded(ground, isStruck: isClosed) ?? (isClosed ? .struck : .plain)
  }

  /// Returns the style with a background; nil if there is no colour or the terminal cannot show it.
  private func shaded(_ ground: Int64?, isStruck: Bool = false) -> Style? {
    context.output.paint.isTrue ? ground.map { .shaded($0, isStruck: isStruck) } : nil
  }
}
