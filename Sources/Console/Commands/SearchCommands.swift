import Daybook
import Domain
import Phrasing
import ReadModel

enum SearchCommands {
  static let search = CommandSpec(
    "search", "Find text in all records: titles first, then notes and tags, closed to-dos last.",
    reading: .past, traits: .isPaged, optionalText("TEXT"),
    option("list", "NAME", "Only to-dos of this list."),
    option("kind", "K", "Only this kind, such as todo or birthday."), limitOption, afterOption,
    examples: [
      "daybook search eggos", "daybook search strasse --kind todo --limit 20",
      "daybook search \"\" --list Home",
    ]
  ) { context, text, list, kind, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let kinds = Schema.kinds.map { ($0.name, $0.kind) }
    let kind = try TodoQuery(context: context).choice(kind, "--kind", kinds)
    let listKey = try list.map { try context.key($0, kind: .list, snapshot) }
    if listKey != nil, let kind, kind != .todo {
      throw ConsoleError.contradiction("--list", "--kind \(kind.name)")
    }
    let wish = try pager.wish(limit, after)
    let found = try snapshot.model.rankedSearch.search(
      text ?? "", kind: kind, list: listKey, page: wish.page)
    try pager.answer(found, wish, named: { .init($0) }, Snapshot.jsonWithKind) {
      row, id in
      let (mark, title) = (row.state == .open ? "" : row.state.mark, (row.title ?? "").visible)
      // Programs expect the kind and the title at fixed positions.
      let words =
        context.invocation.globals.isPlain
        ? [row.kind.name, title, mark] : [row.kind.name, mark, title]
      return RowCells(context: context).cells(id, words)
    }
  }
}
