import Daybook
import Domain
import Phrasing
import ReadModel

enum SearchCommands {
  static let search = CommandSpec(
    "search", "Find text in all records; matches in titles come first, and closed to-dos last.",
    reading: .past, traits: .isPaged, optionalText("TEXT"),
    TodoOption.list,
    option("kind", "K", "Only records of this kind, such as todo or birthday."), limitOption,
    afterOption,
    examples: [
      "daybook search eggos", "daybook search strasse --kind todo --limit 20",
      "daybook search \"\" --list Home", "daybook search mop --list none",
    ]
  ) { context, text, list, kind, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let kinds = Schema.kinds.map { ($0.name, $0.kind) }
    let kind = try TodoQuery(context: context).choice(kind, "--kind", kinds)
    let place = try TodoQuery(context: context).place(list, snapshot)
    if place != .anywhere, let kind, kind != .todo {
      throw ConsoleError.contradiction("--list", "--kind \(kind.name)")
    }
    let wish = try pager.wish(limit, after)
    let found = try snapshot.model.rankedSearch.search(
      text ?? "", kind: kind, in: place, page: wish.page)
    try pager.answer(found, wish, named: { .init($0) }, Snapshot.jsonWithKind) { found, marks in
      let cells = try FoundCells(found, in: place, snapshot.model, context)
      var table = Table()
      for (line, row) in found.enumerated() {
        let listed = ListedRow(row)
        let shown = cells.cells(of: row, marks.name(of: listed), at: line)
        table.append(marks.complete(shown, of: listed))
      }
      return [table]
    }
  }
}
