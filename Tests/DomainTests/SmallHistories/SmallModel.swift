import Domain

/// The result of the fold for each set of a history's events.
///
/// The facts that have arrived are a set of bits. Each set is reached from every set that lacks one of its facts. If
/// all these paths give the same result, all orders do.
struct SmallModel {
  /// The result for each set of events.
  private var folded: [Records]
  /// Checks the result for a set of events against the rules, and describes a fault.
  private let check: Check
  private(set) var histories = 0

  typealias Check = (_ records: Records, _ history: History, _ rules: Rules) -> String?

  /// The state of a set of events according to the rules.
  struct Rules {
    let oracle: Oracle
    let views: [View]

    init(_ history: History) {
      oracle = Oracle(history)
      views = oracle.views()
    }
  }

  /// Creates a model that compares each document with the rules, and does another check too.
  init(_ histories: SmallHistories, check: @escaping Check = { _, _, _ in nil }) {
    folded = [Records(causality: History(logs: histories.logs).strangers)]
    self.check = check
  }

  /// Checks all histories that begin like this history or with the given records, and describes the first fault.
  mutating func run(_ histories: inout SmallHistories, given: Int = 0) -> String? {
    for _ in 0..<given {
      histories.give()
      if let fault = look(at: histories) { return fault }
    }
    var fault: String?
    _ = histories.forEachNext { longer in
      let count = folded.count
      defer { folded.removeLast(folded.count - count) }
      fault = look(at: longer)
      if fault == nil, longer.facts.count < longer.events { fault = run(&longer) }
      return fault == nil
    }
    return fault
  }

  /// Checks each set that contains the last event.
  ///
  /// The others were checked before that event was written.
  private mutating func look(at histories: SmallHistories) -> String? {
    let last = UInt32(folded.count)
    self.histories += 1
    for mask in last..<2 * last {
      let ways = histories.facts.indices.filter { mask & 1 << UInt32($0) != 0 }
      let records = arrival(of: ways[0], after: mask & ~(1 << UInt32(ways[0])), histories, mask)
      let history = histories.history(of: mask)
      let rules = Rules(history)
      guard views(of: records) == rules.views else {
        return "not what the rules say: \(history)"
      }
      if let fault = check(records, history, rules) { return "\(fault): \(history)" }
      folded.append(records)
      for place in ways.dropFirst() {
        let others = arrival(of: place, after: mask & ~(1 << UInt32(place)), histories, mask)
        guard records.isSame(as: others) else {
          return "not what another order gives: \(history)"
        }
      }
    }
    return nil
  }

  private func arrival(
    of place: Int, after before: UInt32, _ histories: SmallHistories, _ mask: UInt32
  ) -> Records {
    var records = folded[Int(before)]
    for note in histories.notes[place] { records.causality.note(note) }
    records.apply(histories.facts[place])
    guard records.needsRefold else { return records }
    return Records.fold(histories.history(of: mask).facts, causality: records.causality)
  }
}

extension SmallModel {
  /// The state without some events, folded in every order, with the pasts of all events known.
  ///
  /// - Returns: The state and the other events; nil if two orders differ.
  static func state(
    of history: History, where isHeld: (Fact) -> Bool
  ) -> (records: Records, held: History)? {
    var held = history
    held.facts.removeAll { !isHeld($0) }
    var folded = [Records(causality: history.causality)]
    for mask in 0..<1 << held.facts.count where mask > 0 {
      var records: Records?
      for place in held.facts.indices where mask & 1 << place != 0 {
        var next = folded[mask & ~(1 << place)]
        next.apply(held.facts[place])
        guard records.map(next.isSame) ?? true else { return nil }
        records = records ?? next
      }
      if let records { folded.append(records) }
    }
    return folded.last.map { ($0, held) }
  }
}

extension Records {
  /// Whether the stored states of all entities are equal, or at least all shown values.
  ///
  /// Logs with holes may keep more, depending on which fact arrives first.
  fileprivate func isSame(as other: Records) -> Bool {
    let isKeptAlike =
      entities.values.count == other.entities.values.count
      && entities.values.allSatisfy { other.entities[$0.key] == $0 }
    return isKeptAlike || views(of: self) == views(of: other) && digest() == other.digest()
  }
}
