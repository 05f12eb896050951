import Domain
import Foundation
import Testing

/// What users see of to-dos in every history of a few commands and their undos, in every order of arrival and at every
/// time.
struct SmallHistoryTodoTests {
  struct Bounds: Sendable, CustomTestStringConvertible {
    let subject: TodoWriter.Subject
    let clocks: SmallHistories.Clocks
    let given: Int
    let events: Int
    /// The expected number of histories.
    let count: Int

    var testDescription: String { "\(subject), \(given) given, \(events) events, \(clocks) clocks" }
  }

  /// `DAYBOOK_MODEL` selects more histories than a test run has time for.
  private static let bounds: [Bounds] =
    ProcessInfo.processInfo.environment["DAYBOOK_MODEL"] == nil
    ? bounds(.tags, 3, counts: [2_643]) + bounds(.tags, 2, counts: [153, 128, 128])
      + bounds(.parents, given: 2, 3, counts: [3_250])
      + bounds(.parents, given: 3, 2, counts: [801, 657, 657])
      + bounds(.closings, 3, counts: [583, 367, 368])
      + bounds(.occurrences, 3, counts: [1_227]) + bounds(.occurrences, 2, counts: [79, 70, 70])
      + bounds(.rules, 2, counts: [201, 165, 165])
    : bounds(.tags, 3, counts: [2_643, 1_692, 1_692])
      + bounds(.parents, given: 2, 3, counts: [3_250, 1_958, 1_960])
      + bounds(.occurrences, 3, counts: [1_227, 838, 843])
      + bounds(.rules, 3, counts: [3_859, 2_350, 2_350])

  /// Bounds with a number of commands, for as many clocks as there are counts.
  private static func bounds(
    _ subject: TodoWriter.Subject, given: Int = 1, _ commands: Int, counts: [Int]
  ) -> [Bounds] {
    zip(SmallHistories.Clocks.allCases, counts).map { clocks, count in
      Bounds(
        subject: subject, clocks: clocks, given: given, events: given + commands, count: count)
    }
  }

  @Test(arguments: bounds)
  func `Small histories of to-dos: each matches the rules in every order and at every time`(
    bounds: Bounds
  ) {
    var histories = SmallHistories(
      replicas: 2, events: bounds.events, clocks: bounds.clocks, hasHoles: false,
      writer: TodoWriter(subject: bounds.subject))
    var model = SmallModel(histories) { records, history, rules in
      if let fault = Self.fault(in: records, rules) { return fault }
      // At each time, shorter histories were checked before.
      return history.facts.count == bounds.events ? Self.faultInPast(of: history) : nil
    }
    #expect(model.run(&histories, given: bounds.given) == nil)
    #expect(model.histories == bounds.count)
  }

  private static func fault(in records: Records, _ rules: SmallModel.Rules) -> String? {
    let (shown, expected) = (records.todoViews(), rules.oracle.todoViews(among: rules.views))
    return shown == expected ? nil : "shown as \(shown) instead of \(expected)"
  }

  private static func faultInPast(of history: History) -> String? {
    for time in Set(history.facts.map(\.effectiveTime)).sorted().dropLast() {
      guard let (records, past) = SmallModel.state(of: history, at: time) else {
        return "at \(time), not what another order gives"
      }
      let rules = SmallModel.Rules(past)
      guard views(of: records) == rules.views else {
        return "at \(time), not what the rules say"
      }
      if let fault = fault(in: records, rules) { return "at \(time), \(fault)" }
    }
    return nil
  }
}
