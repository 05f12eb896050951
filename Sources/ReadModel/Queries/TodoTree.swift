internal import Domain

/// The rows of a list of to-dos, with sub-tasks after their parents.
///
/// Roots and siblings keep the order of the list. An open to-do is nested if its parent is an open to-do among the
/// rows; all others are roots, so no row is hidden. If the list is divided into pages, a tree is built from the rows of
/// each page.
package struct TodoTree: Equatable, Sendable {
  package struct Node: Equatable, Sendable {
    /// The index of the row in the list.
    package let place: Int
    /// The number of the row's ancestors in the tree.
    package let depth: Int

    package init(place: Int, depth: Int) { (self.place, self.depth) = (place, depth) }
  }

  package private(set) var nodes: [Node] = []

  /// Makes the tree of a list.
  ///
  /// - Parameters:
  ///   - rows: The rows in the order of the list.
  ///   - subtasks: Finds the parents of rows that have one.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package init(_ rows: [TodoRow], _ subtasks: SubtaskQueries) throws(ReadModelError) {
    let named = rows.lazy.filter { $0.parent != nil && !$0.isClosed }.map(\.head.key)
    let parents = try subtasks.parents(of: named)
    let open = parents.isEmpty ? [] : rows.enumerated().filter { !$0.element.isClosed }
    let places = Dictionary(uniqueKeysWithValues: open.map { ($0.element.head.key, $0.offset) })
    self.init(parents: rows.map { parents[$0.head.key].flatMap { places[$0] } })
  }

  /// Makes the tree of rows from the index of each row's parent; the parents form no cycle.
  package init(parents: [Int?]) {
    var children: [Int: [Int]] = [:]
    for (place, parent) in parents.enumerated() {
      if let parent { children[parent, default: []].append(place) }
    }
    nodes.reserveCapacity(parents.count)
    for place in parents.indices where parents[place] == nil {
      // The next node is the last in the array, so children are put there in reverse.
      var next = [Node(place: place, depth: 0)]
      while let node = next.popLast() {
        nodes.append(node)
        for child in (children[node.place] ?? []).reversed() {
          next.append(Node(place: child, depth: node.depth + 1))
        }
      }
    }
  }
}
