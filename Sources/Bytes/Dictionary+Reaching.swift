extension Dictionary {
  /// Follows the edges of a graph, whose nodes are the keys, from one node to all nodes that can be reached from it.
  ///
  /// - Parameters:
  ///   - start: The node to start at.
  ///   - known: The nodes that have already been visited and are not visited again. Newly visited nodes are added.
  ///   - follow: Called with the end of each edge that leaves a visited node.
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
