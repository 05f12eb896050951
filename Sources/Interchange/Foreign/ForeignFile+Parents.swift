internal import Domain

extension ForeignFile {
  /// Moves each sub-task after its parent, because an import adds parents first.
  ///
  /// If to-dos are sub-tasks of each other, the last of them in the file loses its parent, and a note says so.
  mutating func orderParents() {
    let parents = records.map(\.parentUID)
    guard parents.contains(where: { $0 != nil }) else { return }
    var places: [String: Int] = [:]
    for (place, record) in records.enumerated()
    where record.kind == .todo && places[record.uid] == nil {
      places[record.uid] = place
    }
    var order: [Int] = []
    var states = Array(repeating: State.waiting, count: records.count)
    for start in records.indices where states[start] == .waiting {
      // This to-do and its ancestors, up to the first one that is already in order.
      var chain: [Int] = []
      var next: Int? = start
      while let place = next, states[place] == .waiting {
        states[place] = .open
        chain.append(place)
        next = parents[place].flatMap { places[$0] }
      }
      if let place = next, states[place] == .open, let last = chain.last {
        records[last].fields[Field.Todo.parent] = nil
        records[last].unread.insert(Field.Todo.parent)
        let title: String? =
          if case .value(let value)? = records[place].fields[Field.Todo.title] { value.text } else {
            nil
          }
        remark(records[last].place, .parentOfItself(title ?? ""))
      }
      for place in chain.reversed() { states[place] = .done }
      order += chain.reversed()
    }
    records = order.map { records[$0] }
  }

  private enum State { case waiting, open, done }
}
