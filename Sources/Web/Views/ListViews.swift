import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaves of lists.
struct ListViews {
  let page: PageSnapshot

  /// The colours for new lists, in the order of their use.
  static let listColours: [Int64] = [
    0x2F6F6A, 0x3D4F8F, 0xA4552A, 0x8A3A44, 0x6A5480, 0x5F7431,
  ]

  /// The first colour that no list has; if all are in use, they are reused in order.
  var nextColour: Int64 {
    let taken = Set(page.lists.compactMap(\.colour))
    return Self.listColours.first { !taken.contains($0) }
      ?? Self.listColours[page.lists.count % Self.listColours.count]
  }

  /// Returns all lists, each with its first two open to-dos.
  func all() throws -> PageView {
    let loose = try page.model.todos.todos(TodoFilter(place: .withoutList, includesDone: false))
    let open = page.lists.reduce(Int64(loose.count)) { $0 + $1.openTodos }
    var view = PageView(
      PageView.Head(
        title: "Lists",
        line:
          "\(counted(page.lists.count, "list", "lists")), \(counted(open, "to-do", "to-dos")) open")
    )
    if page.isNow { view.adding = .init(placeholder: "Name a new list", kinds: ["list"]) }
    var rows = try page.lists.map(listRow)
    if !loose.isEmpty { rows.append(looseRow(loose)) }
    view.add("lists", "", rank: 0, rows)
    if rows.isEmpty {
      view.empty = PageView.Empty(
        picture: "page", sentence: "No lists yet.",
        hint: page.isNow
          ? "Put to-dos that belong together on a list: Groceries, Work, Someday." : nil,
        button: page.isNow ? ("Add a list", .add) : nil)
    }
    return view
  }

  private func listRow(_ list: ListRow) throws -> PageRow {
    var row = PageRow("list", list.head.id, (list.name ?? "").visible)
    let first = try page.model.todos.todos(
      TodoFilter(place: .list(list.head.key), includesDone: false), page: Page(count: 2))
    row.colour = list.colour
    row.isInConflict = page.unsettled.contains(list.head.key)
    row.more = .object(
      ("open", .integer(list.openTodos)),
      ("preview", .array(first.map { .string(($0.title ?? "").visible) })))
    return row
  }

  private func looseRow(_ todos: [TodoRow]) -> PageRow {
    var row = PageRow("list", key: "none", "On no list")
    row.more = .object(
      ("open", .integer(Int64(todos.count))),
      ("preview", .array(todos.prefix(2).map { .string(($0.title ?? "").visible) })))
    return row
  }

  /// Returns the to-dos of a list whose titles contain the given text: first the open ones, then the completed ones.
  ///
  /// Without an id, the view has the to-dos that are on no list.
  func one(_ id: UniqueID?, finding fragment: String) throws -> PageView {
    let list = try id.map { try page.list($0) }
    let place = list.map { TodoFilter.Place.list($0.head.key) } ?? .withoutList
    let all = try page.model.todos.todos(TodoFilter(place: place, fragment: fragment))
    let shown = all.filter { !$0.isDone }.arranged + all.filter(\.isDone).arranged
    let rows = shown.map { page.row($0, namesList: false) }
    let title = list.map { ($0.name ?? "").visible } ?? "On no list"
    let open = list?.openTodos ?? Int64(all.count { !$0.isDone })
    let done = list.map { $0.todos - $0.openTodos } ?? Int64(all.count { $0.isDone })
    var view = PageView(
      PageView.Head(
        title: title, line: open + done > 0 ? "\(open) to do, \(done) done" : nil, back: "lists",
        colour: list?.colour))
    if page.isNow {
      view.adding = .init(placeholder: "Add to \(title)", kinds: ["todo"], list: id?.uuid)
    }
    view.add("rows", "", rank: 0, rows)
    if rows.isEmpty { view.empty = emptyList(fragment) }
    view.more = .object(
      ("list", .words(id?.uuid)), ("find", .string(fragment)),
      ("canSearch", .boolean(open + done > 0)))
    return view
  }

  private func emptyList(_ fragment: String) -> PageView.Empty {
    guard fragment.isEmpty else {
      return PageView.Empty(
        picture: "lens", sentence: "No to-do here contains “\(fragment.visible)”.",
        button: ("Clear the search", .clear))
    }
    return PageView.Empty(
      picture: "page", sentence: "No to-dos yet.",
      hint: page.isNow ? "Add one on the line above." : nil,
      button: page.isNow ? ("Add a to-do", .add) : nil)
  }
}

extension [TodoRow] {
  /// The to-dos with each group of neighbours that have the same priority and due date in the order of the user.
  var arranged: [TodoRow] {
    split(whereAlike: { $0.priority == $1.priority && $0.due == $1.due }).flatMap { alike in
      alike.enumerated().sorted { left, right in
        let places = (left.element.position ?? .max, right.element.position ?? .max)
        return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
      }.map(\.element)
    }
  }

  /// Returns the to-dos with the same state, priority and due date as the given one: a move among these is visible.
  func alike(_ key: EventKey) -> [TodoRow] {
    guard let todo = first(where: { $0.head.key == key }) else { return [] }
    return filter {
      $0.isDone == todo.isDone && $0.priority == todo.priority && $0.due == todo.due
    }.arranged
  }

  private func split(whereAlike isAlike: (TodoRow, TodoRow) -> Bool) -> [ArraySlice<TodoRow>] {
    var parts: [ArraySlice<TodoRow>] = []
    var start = startIndex
    for place in indices.dropFirst() where !isAlike(self[place - 1], self[place]) {
      parts.append(self[start..<place])
      start = place
    }
    return isEmpty ? [] : parts + [self[start...]]
  }
}
