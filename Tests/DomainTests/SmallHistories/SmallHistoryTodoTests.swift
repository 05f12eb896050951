import Domain
import Foundation
import Testing

/// The visible state of to-dos in every history of a few commands and their undos: in every order of arrival, at every
/// time and, for repeating to-dos, after every erasure of a record and every cut of a log.
struct SmallHistoryTodoTests {
  struct Bounds: Sendable, CustomTestStringConvertible {
    let subject: TodoWriter.Subject
    let clocks: SmallHistories.Clocks
    /// Whether the authors are copies of one device, which write branches of its log.
    let isForked: Bool
    let given: Int
    let events: Int
    /// The expected number of histories.
    let count: Int

    var testDescription: String {
      "\(subject), \(given) given, \(events) events, \(clocks) clocks"
        + (isForked ? ", forked" : "")
    }
  }

  /// `DAYBOOK_MODEL` selects more histories than a test run has time for.
  private static let bounds: [Bounds] =
    (ProcessInfo.processInfo.environment["DAYBOOK_MODEL"] == nil ? few : many).flatMap(\.self)

  private static let few: [[Bounds]] = [
    bounds(.tags, 3, counts: [2_643]),
    bounds(.tags, 2, counts: [153, 128, 128]),
    bounds(.parents, given: 2, 3, counts: [3_250]),
    bounds(.parents, given: 3, 2, counts: [801, 657, 657]),
    bounds(.closings, 3, counts: [583, 367, 368]),
    bounds(.occurrences, 3, counts: [1_227]),
    bounds(.occurrences, 2, counts: [79, 70, 70]),
    bounds(.rules, 2, counts: [201, 165, 165]),
    bounds(.starts, 2, counts: [167, 142, 142]),
    bounds(.subtasks, given: 2, 2, counts: [156, 131, 131]),
    bounds(.joins, given: 2, 2, counts: [118, 102, 102]),
    bounds(.occurrences, 2, isForked: true, counts: [40, 40]),
    bounds(.rules, 2, isForked: true, counts: [101, 101]),
    bounds(.starts, 2, isForked: true, counts: [84, 84]),
    bounds(.subtasks, given: 2, 2, isForked: true, counts: [79, 79]),
  ]

  private static let many: [[Bounds]] = [
    bounds(.tags, 3, counts: [2_643, 1_692, 1_692]),
    bounds(.parents, given: 2, 3, counts: [3_250, 1_958, 1_960]),
    bounds(.occurrences, 3, counts: [1_227, 838, 843]),
    bounds(.rules, 3, counts: [3_859, 2_350, 2_350]),
    bounds(.starts, 3, counts: [3_337, 2_184, 2_184]),
    bounds(.subtasks, given: 2, 3, counts: [2_690, 1_722, 1_722]),
    bounds(.joins, given: 2, 3, counts: [3_118, 2_028, 2_028]),
    bounds(.occurrences, 3, isForked: true, counts: [614, 506]),
    bounds(.subtasks, given: 2, 3, isForked: true, counts: [1_346, 1_103]),
  ]

  /// Bounds with a number of commands, for as many clocks as there are counts.
  private static func bounds(
    _ subject: TodoWriter.Subject, given: Int = 1, _ commands: Int, isForked: Bool = false,
    counts: [Int]
  ) -> [Bounds] {
    zip(SmallHistories.Clocks.allCases, counts).map { clocks, count in
      Bounds(
        subject: subject, clocks: clocks, isForked: isForked, given: given,
        events: given + commands, count: count)
    }
  }

  @Test(arguments: bounds)
  func `Small histories of to-dos: each matches the rules in every order and at every time`(
    bounds: Bounds
  ) {
    var histories = SmallHistories(
      replicas: bounds.isForked ? 3 : 2, events: bounds.events, clocks: bounds.clocks,
      hasHoles: false, isForked: bounds.isForked, writer: TodoWriter(subject: bounds.subject))
    var check = SmallTodoCheck()
    var model = SmallModel(histories) { records, history, rules in
      if let fault = SmallTodoCheck.fault(in: records, rules) { return fault }
      // Shorter histories were checked before.
      guard history.facts.count == bounds.events else { return nil }
      if let fault = check.faultInPast(of: history) { return fault }
      return bounds.subject.isOfSeries ? check.faultAfterWithdrawing(from: history) : nil
    }
    #expect(model.run(&histories, given: bounds.given) == nil)
    #expect(model.histories == bounds.count)
  }
}
