internal import Domain

/// The to-dos of a list in the order in which they are written, each sub-task below its parent.
struct MarkdownOutline {
  struct Entry {
    let todo: Document
    let parent: Document?
    /// The number of the to-do's ancestors in the outline.
    let depth: Int
  }

  private(set) var entries: [Entry] = []

  /// A deeper sub-task is written without indentation, because its line would consist mostly of indentation.
  private static let deepest = 16

  /// Puts the to-dos of a list in order.
  ///
  /// - Parameters:
  ///   - todos: The to-dos of a list.
  ///   - parent: Returns the parent of a sub-task; the parent need not be on the list.
  init(_ todos: [Document], parent: (Document) -> Document?) {
    let keys = Set(todos.map(\.key))
    var parents: [EventKey: Document] = [:]
    for todo in todos { parents[todo.key] = parent(todo) }
    let children = Dictionary(grouping: todos) { todo in
      parents[todo.key].flatMap { keys.contains($0.key) ? $0.key : nil }
    }
    var roots = (children[nil] ?? [])[...]
    while let root = roots.popFirst() {
      var next = [(todo: root, depth: 0)]
      while let (todo, depth) = next.popLast() {
        entries.append(Entry(todo: todo, parent: parents[todo.key], depth: depth))
        let below = children[todo.key] ?? []
        if depth == Self.deepest {
          roots += below
        } else {
          next += below.reversed().map { ($0, depth + 1) }
        }
      }
    }
  }
}
