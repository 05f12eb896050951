/// The parent of each to-do.
///
/// Two devices that have not received each other's edits can make each of two to-dos a sub-task of the other. Such a
/// cycle hides no to-do, because in each cycle, the parent that was written with the highest stamp is ignored, so all
/// devices show the same tree. The register keeps the ignored value, and shows it again when another parent of the
/// cycle changes.
package enum TodoParents {
  /// Removes one parent from each cycle.
  ///
  /// - Parameters:
  ///   - parents: The parent of each to-do that has a parent. A parent need not have a parent itself.
  ///   - stamps: Returns the stamps with which the parents of the given to-dos were written. This closure is called
  ///     only for cycles.
  /// - Returns: The parents without those that are ignored.
  /// - Throws: Any error that `stamps` throws.
  package static func withoutCycles<Failure: Error>(
    _ parents: [EventKey: EventKey], stamps: ([EventKey]) throws(Failure) -> [EventKey: Stamp]
  ) throws(Failure) -> [EventKey: EventKey] {
    var acyclic = parents
    for cycle in cycles(in: parents) {
      let stamps = try stamps(cycle)
      // Stamps are distinct, unless one event wrote two of the parents.
      let last = cycle.filter { stamps[$0] != nil }.max {
        guard let left = stamps[$0], let right = stamps[$1] else { return false }
        return left < right
      }
      if let ignored = last ?? cycle.first { acyclic[ignored] = nil }
    }
    return acyclic
  }

  /// The members of each cycle.
  ///
  /// Each to-do has at most one parent, so no two cycles share a member.
  private static func cycles(in parents: [EventKey: EventKey]) -> [[EventKey]] {
    var cycles: [[EventKey]] = []
    var visited: Set<EventKey> = []
    for start in parents.keys where !visited.contains(start) {
      var path: [EventKey] = []
      var next: EventKey? = start
      while let key = next, visited.insert(key).inserted {
        path.append(key)
        next = parents[key]
      }
      // A path that ends at a to-do of an earlier path adds no cycle.
      if let key = next, let place = path.firstIndex(of: key) {
        cycles.append(path[place...].sorted())
      }
    }
    return cycles
  }
}

extension Records {
  /// The stamp with which the shown parent of a to-do was written; nil if it has no parent.
  package func stampOfParent(of key: EventKey) -> Stamp? {
    document(of: key)?.shown(Field.Todo.parent)?.survivors.first.map(joined.causality.stamp(of:))
  }
}
