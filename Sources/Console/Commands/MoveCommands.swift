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
    traits: .keepsReason, texts("ID", atLeast: 1),
    option("to", "LIST", "The new list; an empty name removes them from their list."),
    option("before", "ID", "Place them before this to-do, on its list."),
    option("after", "ID", "Place them after this to-do, on its list."),
    flag("top", "Place them first in the list."), flag("bottom", "Place them last in the list."),
    examples: [
      "daybook move eggos --to Home", "daybook move mike --before eggos",
      "daybook move eggos mike --to Work --top",
    ]
  ) { context, words, list, before, after, isTop, isBottom in
    let places = [
      ("--before", before != nil), ("--after", after != nil), ("--top", isTop),
      ("--bottom", isBottom),
    ].filter(\.1).map(\.0)
    if places.count > 1 { throw UsageFault.contradiction(places[0], places[1]) }
    guard list != nil || !places.isEmpty else {
      throw ConsoleError.usage(
        .missingOperand(
          "--to LIST or a position", usage: "move ID … --to LIST | --before ID | --top"))
    }
    let place: MovePlace? =
      if let before { .before(before) } else if let after { .after(after) } else {
        isTop ? .top : isBottom ? .bottom : nil
      }
    try MoveTodos(context: context).run(words, to: list, place)
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

  func run(_ words: [String], to list: String?, _ place: MovePlace?) throws {
    let book = try context.book()
    let model = try book.view()
    let moved = try words.map { try todo($0, model) }
    let neighbour = try place?.neighbour.map { try todo($0, model) }
    if let neighbour, let same = moved.first(where: { $0.head.id == neighbour.head.id }) {
      throw ConsoleError.badValue(
        "the position", (same.title ?? ""), "It is one of the to-dos to move.")
    }
    let target = try target(list, neighbour, moved, model)
    var edits: [UniqueID: [Request.Assignment]] = [:]
    for row in moved where row.listID != target.id {
      let content = target.id.map { Request.Assignment.Content.record($0) } ?? .value(.null)
      edits[row.head.id] = [Request.Assignment(Field.Todo.list, content)]
    }
    if let place {
      let others = try model.todos.todos(TodoFilter(place: target.place), by: .position)
      let positions = Arrangement(others.map(Arrangement.Row.init))
        .moving(moved.map(Arrangement.Row.init), to: place.index(among: others, moved, neighbour))
      for (id, position) in positions {
        edits[id, default: []].append(
          Request.Assignment(Field.Todo.position, .value(.integer(position))))
      }
    }
    // First the named to-dos, in the order of the command line, then the others by id.
    let ids =
      moved.map(\.head.id)
      + edits.keys.sorted().filter { id in
        !moved.contains { $0.head.id == id }
      }
    var performed = try context.perform(
      .editEach(ids.compactMap { id in edits[id].map { (id, $0) } }), in: book)
    let named = Set(moved.map(\.head.id))
    performed.changes.removeAll { !named.contains($0.document.id) }
    if performed.isNothing {
      return try presenter.tell(
        performed, about: try words.map { try context.find($0, kind: .todo) })
    }
    try tellMoves(performed)
    if place != nil {
      output.note(
        "'daybook list todos --sort position' shows this order; the default order is by urgency.")
    }
  }

  private func tellMoves(_ performed: Performed) throws {
    if output.isJSON { return try presenter.tell(performed) }
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

  private func todo(_ words: String, _ model: ReadModel) throws -> TodoRow {
    let found = try context.find(words, kind: .todo)
    guard let key = try model.documents.document(id: found.id)?.key,
      let row = try model.todos.todo(key)
    else {
      throw DaybookError.unknown(words, kind: .todo)
    }
    return row
  }

  /// Returns the target list: the named list, the list of the neighbour, or the list that all the to-dos are on.
  private func target(
    _ words: String?, _ neighbour: TodoRow?, _ moved: [TodoRow], _ model: ReadModel
  ) throws -> (id: UniqueID?, place: TodoFilter.Place) {
    var named: TodoRow? = neighbour
    if let words {
      guard !words.trimmed.isEmpty else { return (nil, .withoutList) }
      let found = try context.find(words, kind: .list)
      if let neighbour, neighbour.listID != found.id {
        throw ConsoleError.badValue(
          "the position", neighbour.title ?? "", "It is not on the list \(found.title.visible).")
      }
      let key = try model.documents.document(id: found.id)?.key
      return (found.id, key.map { .list($0) } ?? .withoutList)
    }
    if named == nil {
      let lists = Set(moved.map(\.listID))
      guard lists.count == 1 else {
        throw ConsoleError.badValue(
          "the position", "the top or bottom", "The to-dos are on several lists; add --to LIST.")
      }
      named = moved.first
    }
    return (named?.listID, named?.list.map { .list($0) } ?? .withoutList)
  }
}

extension MovePlace {
  /// Returns the number of other to-dos that precede the moved ones.
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
