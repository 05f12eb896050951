internal import Domain

extension Sequence<Fact> {
  /// Returns each fact once, sorted by stamp, except that no fact comes before a fact that its author had seen.
  ///
  /// The order differs from the order of the stamps only if a clock is wrong by more than a day, or for events in the
  /// same millisecond, which stamps order by replica id.
  ///
  /// - Complexity: O(facts · logs).
  func inStampOrder(_ causality: Causality) -> [Fact] {
    let logs = Dictionary(grouping: self, by: \.key.log).sorted { $0.key < $1.key }
      .map { $0.value.sorted { $0.key < $1.key } }
    var places = Array(repeating: 0, count: logs.count)
    var ordered: [Fact] = []
    ordered.reserveCapacity(logs.reduce(0) { $0 + $1.count })
    while let log = nextLog(of: logs, at: places, causality) {
      let fact = logs[log][places[log]]
      if ordered.last?.key != fact.key { ordered.append(fact) }
      places[log] += 1
    }
    return ordered
  }

  /// Returns the log whose next fact has the lowest stamp among those that wait for no other log.
  private func nextLog(of logs: [[Fact]], at places: [Int], _ causality: Causality) -> Int? {
    let waiting = logs.indices.filter { places[$0] < logs[$0].count }
    func next(_ log: Int) -> Fact { logs[log][places[log]] }
    var first = waiting.min { causality.stamp(of: next($0)) < causality.stamp(of: next($1)) }
    // The number of steps is limited, because a dishonest log can claim to have seen its own future.
    for _ in waiting {
      guard let candidate = first else { break }
      let seen = waiting.first {
        $0 != candidate && causality.past(of: next(candidate).key, includes: next($0).key)
      }
      guard let seen else { break }
      first = seen
    }
    return first
  }
}

extension Causality {
  fileprivate func stamp(of fact: Fact) -> Stamp {
    let replica = identity(of: fact.key.log)?.replica
    return Stamp(
      time: fact.time, replica: replica ?? fact.hash, sequence: fact.key.sequence,
      hash: fact.hash)
  }
}
