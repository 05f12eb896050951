import Foundation
import Testing

@testable import Domain

/// The fold against the rules, in every history there is of a few events and in every order of arrival.
///
/// Facts that have arrived are a set of bits, and each set is reached from every set that lacks one of them: where
/// all these ways lead to the same, all orders do.
struct SmallHistoryTests {
  struct Bounds: Sendable, CustomTestStringConvertible {
    let replicas: Int
    let events: Int
    /// How many of the events are adds that all know of, so that the others are about these.
    let given: Int
    let clocks: SmallHistories.Clocks
    let hasHoles: Bool
    /// How many histories there are.
    let count: Int

    var testDescription: String {
      "\(replicas) replicas, \(events) events, \(given) given, \(clocks) clocks"
        + (hasHoles ? ", holes" : "")
    }
  }

  /// `DAYBOOK_MODEL` asks for one event more, for which a test run has no time.
  private static let bounds: [Bounds] = {
    let isLarge = ProcessInfo.processInfo.environment["DAYBOOK_MODEL"] != nil
    let more = isLarge ? 1 : 0
    return SmallHistories.Clocks.allCases.flatMap { clocks in
      [
        Bounds(
          replicas: 2, events: 3 + more, given: 0, clocks: clocks, hasHoles: false,
          count: isLarge ? 30_238 : 750),
        Bounds(
          replicas: 2, events: 4 + more, given: 2, clocks: clocks, hasHoles: false,
          count: isLarge ? 31_100 : 758),
        Bounds(
          replicas: 3, events: 3 + more, given: 0, clocks: clocks, hasHoles: true,
          count: isLarge ? 101_390 : 1_134),
      ]
    }
  }()

  @Test(arguments: bounds)
  func `every small history comes to what the rules say, in every order`(bounds: Bounds) {
    var histories = SmallHistories(
      replicas: bounds.replicas, events: bounds.events, clocks: bounds.clocks,
      hasHoles: bounds.hasHoles)
    var model = Model(histories)
    #expect(model.run(&histories, given: bounds.given) == nil)
    #expect(model.histories == bounds.count)
  }
}

/// What the fold makes of each set of a history's events.
private struct Model {
  /// By the set of events.
  private var folded: [Records]
  private(set) var histories = 0

  init(_ histories: SmallHistories) {
    folded = [Records(causality: History(logs: histories.logs).strangers)]
  }

  /// Looks at all that begin as one does, or with records that are given, and tells of the first that is wrong.
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

  /// Looks at each set that holds the last event; the others were looked at before that was written.
  private mutating func look(at histories: SmallHistories) -> String? {
    let last = UInt32(folded.count)
    self.histories += 1
    for mask in last..<2 * last {
      let ways = histories.facts.indices.filter { mask & 1 << UInt32($0) != 0 }
      let records = arrival(of: ways[0], after: mask & ~(1 << UInt32(ways[0])), histories, mask)
      guard views(of: records) == Oracle(histories.history(of: mask)).views() else {
        return "not what the rules say: \(histories.history(of: mask))"
      }
      folded.append(records)
      for place in ways.dropFirst() {
        let others = arrival(of: place, after: mask & ~(1 << UInt32(place)), histories, mask)
        guard records.isSame(as: others) else {
          return "not what another order gives: \(histories.history(of: mask))"
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

extension Records {
  /// Whether everything that is kept of entities is the same, or at least all that is shown.
  ///
  /// Of logs that have holes more may be kept, as one or another arrives first.
  fileprivate func isSame(as other: Records) -> Bool {
    let isKeptAlike =
      entities.values.count == other.entities.values.count
      && entities.values.allSatisfy { other.entities[$0.key] == $0 }
    return isKeptAlike || views(of: self) == views(of: other) && digest() == other.digest()
  }
}
