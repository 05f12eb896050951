/// A graph with an arrow from each file to each other file that it needs.
struct FileGraph {
  private(set) var arrows: [String: Set<String>] = [:]

  mutating func add(_ from: String, needs to: String) {
    if from != to { arrows[from, default: []].insert(to) }
  }

  /// The sets of two or more files in which each file needs every other, directly or indirectly.
  ///
  /// The largest set comes first. The sets are the strongly connected components of the graph, found with Tarjan's
  /// algorithm.
  var circles: [[String]] {
    var search = Search(arrows: arrows)
    for file in arrows.keys.sorted() where search.order[file] == nil { search.visit(file) }
    return search.found.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  private struct Search {
    let arrows: [String: Set<String>]
    /// The numbers of the visited files, in order.
    var order: [String: Int] = [:]
    /// The lowest number that can be reached from a file whose cycle is not complete.
    var lowest: [String: Int] = [:]
    /// Files whose cycle is not complete, in the order in which they were seen.
    var stack: [String] = []
    var found: [[String]] = []

    mutating func visit(_ file: String) {
      let number = order.count
      order[file] = number
      lowest[file] = number
      stack.append(file)
      var low = number
      for next in arrows[file, default: []].sorted() {
        if order[next] == nil { visit(next) }
        if let reached = lowest[next] { low = min(low, reached) }
      }
      lowest[file] = low
      guard low == number, let first = stack.firstIndex(of: file) else { return }
      let circle = stack[first...].sorted()
      stack.removeSubrange(first...)
      for member in circle { lowest[member] = nil }
      if circle.count > 1 { found.append(circle) }
    }
  }
}
