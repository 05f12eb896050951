import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum MoveCommands {
  static let all = [move]

  private static let move = CommandSpec(
    "move",
    "Move to-dos to another list or position; 'list todos --sort position' shows the order.",
    traits: .keepsReason, records(),
    option("to", "LIST", "The new list; 'none' removes the to-dos from their lists."),
    option("before", "ID", "Place the to-dos before this one, on its list."),
    option("after", "ID", "Place the to-dos after this one, on its list."),
    flag("top", "Place the to-dos first on the list."),
    flag("bottom", "Place the to-dos last on the list."),
    flag("only", "Leave the sub-tasks on their lists."),
    examples: [
      "daybook move eggos --to Home", "daybook move mike --before eggos",
      "daybook move eggos mike --to Work --top", "daybook move --list Home --overdue --to Late",
    ]
  ) { context, wish, list, before, after, isTop, isBottom, isOnly in
    let places = [
      ("--before", before != nil), ("--after", after != nil), ("--top", isTop),
      ("--bottom", isBottom),
    ].filter(\.1).map(\.0)
    if places.count > 1 { throw UsageFault.contradiction(places[0], places[1]) }
    guard list != nil || !places.isEmpty else {
      throw ConsoleError.usage(
        .missingOperand(
          "--to LIST or a position",
          usage: "move ID … | FILTER --to LIST | --before ID | --after ID | --top | --bottom"))
    }
    let place: MovePlace? =
      if let before { .before(before) } else if let after { .after(after) } else {
        isTop ? .top : isBottom ? .bottom : nil
      }
    try MoveTodos(context: context).run(wish, to: list, place, alone: isOnly)
  }
}

/// The position of moved to-dos in a list.
private enum MovePlace {
  case before(String)
  case after(String)
  case top
  case bottom

  /// The to-do that the position is relative to.
  var neighbour: String? {
    switch self {
    case .before(let words), .after(let words): words
    case .top, .bottom: nil
    }
  }
}

/// Moves to-dos to another list or position.
private struct MoveTodos {
  let context: CommandContext
  private var output: Output { context.output }
  private var presenter: ChangePresenter { ChangePresenter(context: context) }

  func run(_ wish: RecordWish, to list: String?, _ place: MovePlace?, alone: Bool) throws {
    let runner = ChangeRecords(context: context)
    let model = try context.book().view()
    guard !wish.words.isEmpty else {
      return try runner.changeSelected(wish, .listed) { rows in
        try change(rows, to: list, place, alone: alone, model)
      }
    }
    let found = try runner.found(wish.words, .todo)
    let rows = try found.map { try todo($0, model) }
    try runner.change(found, wish, try change(rows, to: list, place, alone: alone, model))
  }

  /// Returns the change that moves to-dos to a list or a position.
  private func change(
    _ moved: [TodoRow], to list: String?, _ place: MovePlace?, alone: Bool, _ model: ReadModel
  ) throws -> RecordChange {
    let neighbour = try place?.neighbour.map { words in
      try todo(try context.find(words, kind: .todo), model)
    }
    if let neighbour, let same = moved.first(where: { $0.head.id == neighbour.head.id }) {
      throw ConsoleError.badValue(
        "the position", (same.title ?? ""), "It is one of the to-dos to move.")
    }
    let target = try target(list, neighbour, moved)
    let move = Move(target: target?.id, place: place, neighbour: neighbour, alone: alone)
    let listWords = list.map { _ in
      target.map { "to list \($0.title.visible)" } ?? "to no list"
    }
    let words = [listWords, place?.words(neighbour)].compactMap(\.self)
    var change = RecordChange("Move", "Moved", " " + words.joined(separator: ", ")) {
      ids, model throws(ReadModelError) in try move.request(ids, model)
    }
    change.hidesOthers = true
    // Unless the list changes, sub-tasks stay where they are.
    if !alone, list != nil || neighbour != nil { change.subtasks = .all }
    change.tell = tellMoves
    if place != nil {
      change.note =
        "'daybook list todos --sort position' shows the new order; by default, to-dos are listed by urgency."
    }
    return change
  }

  private func tellMoves(_ performed: Performed) throws {
    let snapshot = try context.presentSnapshot()
    for change in performed.changes {
      // Read the document from the snapshot, which also contains its list.
      let document = try snapshot.document(change.document.key) ?? change.document
      let what = try snapshot.name(of: document)
      guard change.fields.contains(Field.Todo.list) else {
        output.say("Moved \(what).")
        continue
      }
      let list = try document.value(Field.Todo.list).reference.flatMap(snapshot.title)
      let place = list.map { "to list \($0.visible)." } ?? "off its list."
      output.say("Moved \(what) \(place)\(try presenter.keptWords(change, snapshot))")
    }
  }

  private func todo(_ found: Found, _ model: ReadModel) throws -> TodoRow {
    guard let row = try model.todo(withID: found.id) else {
      throw DaybookError.unknown(found.title, kind: .todo)
    }
    return row
  }

  /// Returns the target list: the named list, the list of the neighbour, or the list that all the to-dos are on; nil
  /// for none.
  private func target(
    _ words: String?, _ neighbour: TodoRow?, _ moved: [TodoRow]
  ) throws -> (id: UniqueID, title: String)? {
    if let words {
      guard !words.trimmed.isEmpty, words != FieldReader.noList else { return nil }
      let found = try context.find(words, kind: .list)
      if let neighbour, neighbour.listID != found.id {
        throw ConsoleError.badValue(
          "the position", neighbour.title ?? "", "It is not on the list \(found.title.visible).")
      }
      return (found.id, found.title)
    }
    var named = neighbour
    if named == nil {
      let lists = Set(moved.map(\.listID))
      guard lists.count == 1 else {
        throw ConsoleError.badValue(
          "the position", "the top or bottom",
          "The to-dos are not all on the same list; add --to LIST.")
      }
      named = moved.first
    }
    return named?.listID.map { ($0, named?.listName ?? "") }
  }
}

/// The destination of moved to-dos.
private struct Move {
  /// The list; nil for none.
  let target: UniqueID?
  let place: MovePlace?
  let neighbour: TodoRow?
  /// Whether sub-tasks stay on their lists.
  let alone: Bool

  /// Returns the edits of the moved to-dos, and of those that must make room for them.
  func request(_ ids: [UniqueID], _ model: ReadModel) throws(ReadModelError) -> Request {
    var edits: [UniqueID: [Request.Assignment]] = [:]
    var moved: [TodoRow] = []
    var leaving: [EventKey] = []
    let content = target.map { Request.Assignment.Content.record($0) } ?? .value(.null)
    for id in ids {
      // A to-do that has been deleted in the meantime stays among the edits, so that the request is refused.
      guard let row = try model.todo(withID: id) else {
        edits[id] = []
        continue
      }
      moved.append(row)
      guard row.listID != target else { continue }
      leaving.append(row.head.key)
      edits[id] = [Request.Assignment(Field.Todo.list, content)]
    }
    for key in alone ? [] : try model.subtasks.descendants(of: leaving) {
      guard let row = try model.todos.todo(key), row.listID != target, edits[row.head.id] == nil
      else { continue }
      edits[row.head.id] = [Request.Assignment(Field.Todo.list, content)]
    }
    if let place {
      // A past date of a repeating to-do has the same place as the to-do.
      let others = try model.todos.todos(TodoFilter(place: try filter(model)), by: .position)
        .filter { $0.series == nil }
      let positions = Arrangement(others.map(Arrangement.Row.init))
        .moving(moved.map(Arrangement.Row.init), to: place.index(among: others, moved, neighbour))
      for (id, position) in positions {
        edits[id, default: []].append(
          Request.Assignment(Field.Todo.position, .value(.integer(position))))
      }
    }
    // The moved to-dos come first, in their order, then the others by id.
    let named = Set(ids)
    let order = ids + edits.keys.sorted().filter { !named.contains($0) }
    return .editEach(order.compactMap { id in edits[id].map { (id, $0) } })
  }

  private func filter(_ model: ReadModel) throws(ReadModelError) -> TodoFilter.Place {
    guard let target, let key = try model.documents.document(id: target)?.key else {
      return .withoutList
    }
    return .list(key)
  }
}

extension ReadModel {
  /// The shown to-do with the given id; nil if there is none.
  fileprivate func todo(withID id: UniqueID) throws(ReadModelError) -> TodoRow? {
    guard let key = try documents.document(id: id)?.key else { return nil }
    return try todos.todo(key)
  }
}

extension MovePlace {
  /// Returns the position in words.
  func words(_ neighbour: TodoRow?) -> String {
    let title = (neighbour?.title ?? "").visible
    return switch self {
    case .before: "before \(title)"
    case .after: "after \(title)"
    case .top: "to the top"
    case .bottom: "to the bottom"
    }
  }

  /// Returns the number of other to-dos that precede the moved to-dos.
  func index(among rows: [TodoRow], _ moved: [TodoRow], _ neighbour: TodoRow?) -> Int {
    let others = rows.map(\.head.id).filter { id in !moved.contains { $0.head.id == id } }
    let place = neighbour.flatMap { others.firstIndex(of: $0.head.id) }
    switch self {
    case .top: return 0
    case .bottom: return others.count
    case .before: return place ?? 0
    case .after: return place.map { $0 + 1 } ?? others.count
    }
  }
}
