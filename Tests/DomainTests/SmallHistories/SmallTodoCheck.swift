import Bytes
import Domain

/// Compares the visible state of to-dos in small histories with the rules.
///
/// Histories that differ only in their last body have most of their parts in common. Each part is checked once.
struct SmallTodoCheck {
  private var checked: Set<Part> = []

  /// The events of a part of a history, and the notes of the whole history.
  private struct Part: Hashable {
    struct Event: Hashable {
      let key: EventKey
      let time: Int64
      let hash: UniqueID
      let body: Body
    }

    let events: [Event]
    let notes: [Note]
  }

  static func fault(in records: Records, _ rules: SmallModel.Rules) -> String? {
    let (shown, expected) = (records.todoViews(), rules.oracle.todoViews(among: rules.views))
    return shown == expected ? nil : "shown as \(shown) instead of \(expected)"
  }

  /// The first fault at a time before the last event.
  mutating func faultInPast(of history: History) -> String? {
    for time in Set(history.facts.map(\.effectiveTime)).sorted().dropLast() {
      let fault = fault(in: history) { $0.effectiveTime <= time }
      if let fault { return "at \(time), \(fault)" }
    }
    return nil
  }

  /// The first fault after a record was erased or a log was cut: events are missing, but references to them remain.
  mutating func faultAfterWithdrawing(from history: History) -> String? {
    for erased in history.facts where erased.body.verb == .add {
      let gone = history.erased(with: erased.key)
      let fault = fault(in: history) { fact in
        fact.body.verb == .alias || Oracle.subject(fact).map { !gone.contains($0) } ?? true
      }
      if let fault { return "without \(erased.key), \(fault)" }
    }
    for last in history.facts {
      let cut = last.key
      let fault = fault(in: history) { $0.key.log != cut.log || $0.key.sequence <= cut.sequence }
      if let fault { return "cut after \(cut), \(fault)" }
    }
    return nil
  }

  private mutating func fault(in history: History, where isHeld: (Fact) -> Bool) -> String? {
    let events = history.facts.filter(isHeld).map { fact in
      Part.Event(key: fact.key, time: fact.effectiveTime, hash: fact.hash, body: fact.body)
    }
    guard checked.insert(Part(events: events, notes: history.notes)).inserted else { return nil }
    guard let (records, held) = SmallModel.state(of: history, where: isHeld) else {
      return "not what another order gives"
    }
    let rules = SmallModel.Rules(held)
    guard views(of: records) == rules.views else { return "not what the rules say" }
    return Self.fault(in: records, rules)
  }
}

extension History {
  /// A record and the records that name it as their owner, which are erased with it.
  fileprivate func erased(with key: EventKey) -> Set<EventKey> {
    let owned = facts.filter { fact in
      fact.body.verb == .add
        && fact.body.writes.contains { $0 == Write(.owner, .reference(key)) }
    }
    return Set(owned.map(\.key) + [key])
  }
}
