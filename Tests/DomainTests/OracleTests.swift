import Bytes
import Foundation
import TestDice
import Testing

@testable import Domain

/// The number of histories.
///
/// `DAYBOOK_HISTORIES` allows more histories than a test run has time for.
private let wanted = ProcessInfo.processInfo.environment["DAYBOOK_HISTORIES"].flatMap { UInt64($0) }
private let seeds = 0..<(wanted ?? 250)

@Suite struct OracleTests {
  @Test func `Oracle: the fold matches the rules after every prefix of every arrival`() {
    for seed in seeds {
      let history = RandomHistory.make(seed: seed, steps: 8 + Int(seed % 25))
      var dice = Dice(seed: seed)
      var arrived = History(logs: history.logs)
      var records = Records(causality: history.strangers)
      for delivery in Delivery.shuffled(history, &dice) {
        arrived.take(delivery)
        records.take(delivery)
        if records.needsRefold {
          records = Records.fold(arrived.facts, causality: records.causality)
        }
        guard dice.chance(delivery.isLast ? 100 : seeds.count > 250 ? 100 : 15) else { continue }
        guard views(of: records) == Oracle(arrived).views() else {
          Issue.record("seed \(seed) differs after \(arrived.facts.count) facts")
          return
        }
      }
    }
  }

  /// Revocations and erasures appear as their results: a shortened log, an entity without events.
  ///
  /// DaybookTests tests fewer histories, with whole books and real revocations and erasures.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Oracle: 10,000 histories match the rules in every order`(
    part: UInt64
  ) {
    for seed in part * 500..<(part + 1) * 500 {
      var dice = Dice(seed: seed)
      let history = RandomHistory.make(seed: seed &+ 3_000_000, steps: 5 + Int(seed % 12))
        .withdrawn(&dice)
      let straight = history.folded()
      var records = Records(causality: history.strangers)
      for delivery in Delivery.shuffled(history, &dice) { records.take(delivery) }
      if records.needsRefold {
        records = Records.fold(history.facts.shuffled(using: &dice), causality: history.causality)
      }
      let expected = Oracle(history).views()
      guard views(of: records) == expected, views(of: straight) == expected,
        records.digest() == straight.digest()
      else {
        Issue.record("seed \(seed) differs")
        return
      }
    }
  }

  @Test func `Oracle: the random histories cover conflicts, disputes, joins, refolds and forks`() {
    var conflicts = 0
    var disputes = 0
    var joins = 0
    var refolds = 0
    var forks = 0
    var innerForks = 0
    var skews = 0
    var withdrawals = 0
    for seed in seeds {
      let history = RandomHistory.make(seed: seed, steps: 8 + Int(seed % 25))
      let documents = history.folded().documents { _ in true }
      if documents.contains(where: { !$0.conflicts.isEmpty }) { conflicts += 1 }
      if documents.contains(where: { $0.deleteAgainstEdit != nil }) { disputes += 1 }
      if documents.contains(where: { $0.members.count > 1 }) { joins += 1 }
      var late = Records.fold(history.facts, causality: history.strangers)
      late.causality = history.causality
      if late.needsRefold { refolds += 1 }
      if Set(history.facts.map { $0.time / 1_000_000_000 }).count > 1 { skews += 1 }
      var dice = Dice(seed: seed)
      if history.withdrawn(&dice).facts.count < history.facts.count { withdrawals += 1 }
      let trunks = history.logs.compactMap(\.trunk)
      if !trunks.isEmpty { forks += 1 }
      if trunks.contains(where: { history.logs[Int($0)].trunk != nil }) { innerForks += 1 }
    }
    let least = seeds.count / 10
    #expect(
      [conflicts, disputes, joins, refolds, forks, skews, withdrawals].allSatisfy { $0 > least })
    #expect(innerForks > least / 5)
  }

  @Test func `Oracle: any order with duplicates gives the same documents and digest`() {
    for seed in seeds {
      let history = RandomHistory.make(seed: seed &+ 1_000_000, steps: 40)
      var dice = Dice(seed: seed)
      let straight = history.folded()
      var records = Records(causality: history.strangers)
      for delivery in Delivery.shuffled(history, &dice) + Delivery.shuffled(history, &dice) {
        records.take(delivery)
      }
      if records.needsRefold {
        records = Records.fold(history.facts.shuffled(using: &dice), causality: history.causality)
      }
      guard views(of: records) == views(of: straight), records.digest() == straight.digest() else {
        Issue.record("seed \(seed) depends on the order")
        return
      }
    }
  }

  @Test func `Oracle: applying a fact changes only the documents that it reports`() {
    for seed in seeds {
      let history = RandomHistory.make(seed: seed &+ 2_000_000, steps: 14)
      var dice = Dice(seed: seed)
      var records = Records(causality: history.causality)
      var before = localViews(of: records)
      for fact in history.facts.shuffled(using: &dice) {
        let touched = Set(records.apply(fact))
        let after = localViews(of: records)
        let changed = Set(before).symmetricDifference(after)
        guard changed.allSatisfy({ touched.isSuperset(of: $0.members) }) else {
          Issue.record("seed \(seed) changes a document in silence through \(fact.key)")
          return
        }
        before = after
      }
      #expect(records.takeTouched().isSuperset(of: before.flatMap(\.members)))
    }
  }
}

/// A fact or note that arrives.
private enum Delivery {
  case fact(Fact, isLast: Bool)
  case note(Note, isLast: Bool)

  var isLast: Bool {
    switch self {
    case .fact(_, let isLast), .note(_, let isLast): isLast
    }
  }

  static func shuffled(_ history: History, _ dice: inout Dice) -> [Delivery] {
    let all = Array(history.facts.indices) + history.notes.indices.map { -1 - $0 }
    let order = all.shuffled(using: &dice)
    return order.enumerated().map { place, index in
      let isLast = place == order.count - 1
      return index >= 0
        ? .fact(history.facts[index], isLast: isLast)
        : .note(history.notes[-1 - index], isLast: isLast)
    }
  }
}

extension History {
  fileprivate mutating func take(_ delivery: Delivery) {
    switch delivery {
    case .fact(let fact, _): facts.append(fact)
    case .note(let note, _): notes.append(note)
    }
  }
}

extension Records {
  fileprivate mutating func take(_ delivery: Delivery) {
    switch delivery {
    case .fact(let fact, _): apply(fact)
    case .note(let note, _): causality.note(note)
    }
  }
}

/// The views without the fields that show other documents.
private func localViews(of records: Records) -> [View] {
  views(of: records).map { view in
    let referring = view.members.flatMap { records.entities[$0]?.writes ?? [] }
      .filter { $0.value.reference != nil }.map(\.field.base)
    var local = view
    local.entries.removeAll { referring.contains($0.field) }
    return local
  }
}

/// All documents, in the form of the oracle.
func views(of records: Records) -> [View] {
  records.documents { _ in true }.sorted { $0.key < $1.key }.map(View.init)
}
