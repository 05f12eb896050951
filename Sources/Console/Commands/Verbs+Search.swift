import Daybook
import Domain
import Phrasing
import ReadModel

extension Verb {
  static let search = Verb(
    "search", "Find text in any record: in titles first, then in notes and tags.",
    reading: .past, optionalText("TEXT"),
    option("list", "NAME", "To-dos of one list only."),
    option("kind", "K", "One kind only, such as todo or birthday."), limitOption, afterOption,
    examples: [
      "daybook search eggos", "daybook search strasse --kind todo --limit 20",
      "daybook search \"\" --list Home",
    ]
  ) { context, text, list, kind, limit, after in
    let snapshot = try context.snapshot()
    let kinds = Schema.kinds.map { ($0.name, $0.kind) }
    let kind = try context.choice(kind, "--kind", kinds)
    let listKey = try list.map { try context.key($0, kind: .list, snapshot) }
    if listKey != nil, let kind, kind != .todo {
      throw ConsoleError.contradiction("--list", "--kind \(kind.name)")
    }
    let wish = try context.pageWish(limit, after, nil, snapshot)
    let found = try snapshot.model.search(text ?? "", kind: kind, list: listKey, page: wish.page)
    try context.answer(found, wish, snapshot, named: { .init($0) }, Snapshot.jsonWithKind) {
      row, id in
      context.cells(id, [row.kind.name, (row.title ?? "").visible])
    }
  }
}
