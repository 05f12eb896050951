extension Dictionary {
  /// Follows the edges of a graph, whose nodes are the keys, from a node to all nodes that it leads to.
  ///
  /// - Parameters:
  ///   - start: The node to start at.
  ///   - known: The nodes that have been visited, which are not visited again. The visited nodes are added.
  ///   - follow: Called with the end of each edge of the nodes that are visited.
  package func forEachReached(
    from start: Key, known: inout Set<Key>, _ follow: (Key) -> Void = { _ in }
  ) where Value == [Key] {
    var next = [start]
    while let node = next.popLast() {
      guard known.insert(node).inserted else { continue }
      for end in self[node] ?? [] {
        follow(end)
        next.append(end)
      }
    }
  }
}
