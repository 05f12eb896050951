import Foundation
import Testing

/// The fold compared with the rules, in every history of a few events and in every order of arrival.
///
/// See ``SmallModel``.
struct SmallHistoryTests {
  struct Bounds: Sendable, CustomTestStringConvertible {
    let replicas: Int
    let events: Int
    /// The number of adds that all replicas know from the start, so that the other events are about these.
    let given: Int
    let clocks: SmallHistories.Clocks
    let hasHoles: Bool
    let givesSeveral: Bool
    /// The expected number of histories.
    let count: Int

    var testDescription: String {
      "\(replicas) replicas, \(events) events, \(given) given, \(clocks) clocks"
        + (hasHoles ? ", holes" : "") + (givesSeveral ? ", several values" : "")
    }
  }

  /// `DAYBOOK_MODEL` selects more events than a test run has time for.
  ///
  /// A release build then takes about an hour.
  ///
  /// Histories that would take days are left out: six events of two replicas, where any of the events may be an add.
  /// There are 140,760,750 of these with right clocks and 53,792,266 with other clocks. The histories include five such
  /// events, four events about two given records, and five events about one.
  private static let bounds: [Bounds] =
    ProcessInfo.processInfo.environment["DAYBOOK_MODEL"] == nil
    ? bounds(2, 3, counts: [750, 654, 654]) + bounds(2, 4, given: 2, counts: [758, 637, 637])
      + bounds(3, 3, hasHoles: true, counts: [1_134, 1_038, 1_038])
      + bounds(2, 3, givesSeveral: true, counts: [954, 828, 828])
      + bounds(2, 4, given: 2, givesSeveral: true, counts: [1_050, 881, 881])
      + bounds(2, 4, given: 1, givesSeveral: true, counts: [2_911, 1_886, 1_886])
      + bounds(3, 3, hasHoles: true, givesSeveral: true, counts: [1_430, 1_304, 1_304])
    : bounds(2, 5, counts: [1_773_318, 937_730, 937_730])
      + bounds(2, 6, given: 1, counts: [457_193, 146_905, 146_905])
      + bounds(2, 6, given: 2, counts: [1_483_588, 690_765, 690_765])
      + bounds(3, 4, hasHoles: true, counts: [101_390, 76_898, 81_122])
      + bounds(3, 5, given: 1, hasHoles: true, counts: [174_153, 92_345, 104_761])
      + bounds(3, 5, given: 2, hasHoles: true, counts: [81_999, 57_398, 60_130])

  /// The bounds with each of the clocks.
  private static func bounds(
    _ replicas: Int, _ events: Int, given: Int = 0, hasHoles: Bool = false,
    givesSeveral: Bool = false, counts: [Int]
  ) -> [Bounds] {
    zip(SmallHistories.Clocks.allCases, counts).map { clocks, count in
      Bounds(
        replicas: replicas, events: events, given: given, clocks: clocks, hasHoles: hasHoles,
        givesSeveral: givesSeveral, count: count)
    }
  }

  @Test(arguments: bounds)
  func `Small histories: each matches the rules in every order of arrival`(bounds: Bounds) {
    var histories = SmallHistories(
      replicas: bounds.replicas, events: bounds.events, clocks: bounds.clocks,
      hasHoles: bounds.hasHoles, writer: RecordWriter(givesSeveral: bounds.givesSeveral))
    var model = SmallModel(histories)
    #expect(model.run(&histories, given: bounds.given) == nil)
    #expect(model.histories == bounds.count)
  }
}
