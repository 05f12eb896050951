import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaves of lists.
struct ListViews {
  let page: PageSnapshot

  /// The name of the list for to-dos that are on no list.
  static let noList = "No list"

  /// Returns all lists, each with its first two open to-dos that are not hidden.
  func all() throws -> PageView {
    let loose = try page.model.todos.todos(visible(.withoutList))
    let hidden = try page.model.todos.todos(
      TodoFilter(includesClosed: false, hidden: .only(on: page.today)))
    let hiddenOnes = Dictionary(grouping: hidden, by: \.list).mapValues { Int64($0.count) }
    let open = page.lists.reduce(Int64(loose.count)) { sum, list in
      sum + list.openTodos - hiddenOnes[list.head.key, default: 0]
    }
    var view = PageView(
      PageView.Head(
        title: "Lists",
        line:
          "\(counted(page.lists.count, "list", "lists")), \(counted(open, "to-do", "to-dos")) open")
    )
    if page.isNow { view.adding = .init(placeholder: "Name a new list", kinds: ["list"]) }
    var rows = try page.lists.map { list in
      try listRow(list, open: list.openTodos - hiddenOnes[list.head.key, default: 0])
    }
    if try hasLoose() { rows.append(looseRow(loose)) }
    view.add("lists", "", rank: 0, rows)
    if rows.isEmpty {
      view.empty = PageView.Empty(
        picture: "page", sentence: "No lists yet.",
        hint: page.isNow
          ? "Put related to-dos on a list, such as Groceries, Work or Someday." : nil,
        button: page.isNow ? ("Add a list", .add) : nil)
    }
    return view
  }

  /// Returns the filter for the to-dos that a list shows unless all to-dos are requested.
  private func visible(_ place: TodoFilter.Place) -> TodoFilter {
    var filter = TodoFilter.visible(on: page.today)
    filter.place = place
    return filter
  }

  /// Returns whether any to-do is on no list, even if that to-do is hidden or closed.
  private func hasLoose() throws -> Bool {
    try page.model.todos.count(of: TodoFilter(place: .withoutList), upTo: 1) > 0
  }

  private func listRow(_ list: ListRow, open: Int64) throws -> PageRow {
    var row = PageRow("list", list.head.id, (list.name ?? "").visible)
    let first = try page.model.todos.todos(
      visible(.list(list.head.key)), page: Page(count: 2))
    row.colour = list.colour
    row.isInConflict = page.unsettled.contains(list.head.key)
    row.more = .object(
      ("open", .integer(open)),
      ("preview", .array(first.map { .string(($0.title ?? "").visible) })))
    return row
  }

  private func looseRow(_ todos: [TodoRow]) -> PageRow {
    var row = PageRow("list", key: "none", Self.noList)
    row.more = .object(
      ("open", .integer(Int64(todos.count))),
      ("preview", .array(todos.prefix(2).map { .string(($0.title ?? "").visible) })))
    return row
  }

  /// Returns the to-dos of a list that are open and not hidden.
  ///
  /// With `showsAll`, all to-dos are returned. If a text is given, all to-dos whose titles contain it are returned,
  /// first the open ones, and then the closed ones, most recently closed first. Without an id, the view contains the
  /// to-dos that are on no list.
  func one(_ id: UniqueID?, finding fragment: String, showsAll: Bool) throws -> PageView {
    let list = try id.map { try page.list($0) }
    let visible = visible(list.map { .list($0.head.key) } ?? .withoutList)
    let open = try page.model.todos.count(of: visible, upTo: .max)
    let rest = try page.model.todos.rest(of: visible).words
    var shown = visible
    shown.fragment = fragment
    let isWhole = showsAll || !fragment.isEmpty
    if isWhole { (shown.includesClosed, shown.hidden) = (true, .included) }
    let todos = try page.model.todos.todos(shown, by: isWhole ? .openFirst : .priority)
    let rows = try page.nestedRows(
      todos.filter { !$0.isClosed }.arranged + todos.filter(\.isClosed))
    let title = list.map { ($0.name ?? "").visible } ?? Self.noList
    let counts = [open > 0 || rest != nil ? "\(open) to do" : nil, rest].compactMap(\.self)
    var view = PageView(
      PageView.Head(
        title: title, line: counts.isEmpty ? nil : counts.joined(separator: ", "), back: "lists",
        colour: list?.colour))
    if page.isNow {
      view.adding = .init(
        placeholder: list == nil ? "Add a to-do" : "Add to \(title)", kinds: ["todo"],
        list: id?.uuid)
    }
    view.add("rows", "", rank: 0, rows)
    if rows.isEmpty { view.empty = emptyList(fragment, isAllDone: rest != nil) }
    view.more = .object(
      ("list", .words(id?.uuid)), ("find", .string(fragment)),
      ("canSearch", .boolean(open > 0 || rest != nil)), ("showsAll", .boolean(showsAll)),
      ("rest", .words(fragment.isEmpty ? rest.map { link(to: $0, showsAll) } : nil)))
    return view
  }

  /// Returns the text of the link to the omitted to-dos or, if they are shown, back to the open to-dos.
  private func link(to rest: String, _ showsAll: Bool) -> String {
    showsAll ? "Show only open to-dos" : "Show \(rest)"
  }

  private func emptyList(_ fragment: String, isAllDone: Bool) -> PageView.Empty {
    guard fragment.isEmpty else {
      return PageView.Empty(
        picture: "lens", sentence: "No to-do here contains “\(fragment.visible)”.",
        button: ("Clear the search", .clear))
    }
    return PageView.Empty(
      picture: "page", sentence: isAllDone ? "Nothing to do here." : "No to-dos yet.",
      hint: page.isNow ? "Add a to-do on the line above." : nil,
      button: page.isNow ? ("Add a to-do", .add) : nil)
  }
}

extension [TodoRow] {
  /// The to-dos, in the user's order within each group of neighbours that have the same priority and due date.
  var arranged: [TodoRow] {
    split(whereAlike: {
      $0.priority == $1.priority && $0.due == $1.due && $0.dueTime == $1.dueTime
    }).flatMap { alike in
      alike.enumerated().sorted { left, right in
        let places = (left.element.position ?? .max, right.element.position ?? .max)
        return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
      }.map(\.element)
    }
  }

  /// Returns the to-dos with the same priority and due date as the given to-do, because only a move among these is
  /// visible.
  func alike(_ key: EventKey) -> [TodoRow] {
    guard let todo = first(where: { $0.head.key == key }) else { return [] }
    return filter {
      $0.priority == todo.priority && $0.due == todo.due && $0.dueTime == todo.dueTime
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
