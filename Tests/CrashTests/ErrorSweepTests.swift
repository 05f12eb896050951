import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Makes each disk call of a scenario fail in turn, until no call is left.
struct ErrorSweepTests {
  /// The reason for a failure, and whether later calls fail too.
  struct Failing: Sendable {
    var reason: DiskFault
    var span = FailureSpan.once
    var isHalfway = false
  }

  static let failings: [Failing] =
    [DiskFault.io, .full, .readOnly, .permission, .tooManyOpen].flatMap { reason in
      [Failing(reason: reason), Failing(reason: reason, span: .fromThenOn)]
    } + [
      Failing(reason: .full, isHalfway: true),
      Failing(reason: .io, span: .fromThenOn, isHalfway: true),
    ]

  @Test(arguments: Scenario.all.filter { !$0.isFailing })
  func `Disk failure: acknowledged events survive any failing call`(scenario: Scenario) throws {
    let desk = try scenario.prepared()
    var examiner = Examiner(
      desk, scenario, forms: try Self.undisturbed(scenario, desk).forms)
    for failing in Self.failings {
      var number = 1
      while try Self.fail(number, failing, scenario, desk, &examiner) { number += 1 }
      #expect(number > 10, "\(failing)")
    }
    #expect(examiner.problems == [], "\(scenario.name)")
    #expect(examiner.stateCount > 3)
  }

  private static func undisturbed(_ scenario: Scenario, _ desk: Desk) throws -> Record {
    let disk = desk.disk.copy()
    var record = try Record(desk, on: disk)
    var journal = try desk.journal(on: disk)
    try scenario.perform(&journal, &record)
    return record
  }

  /// Runs a scenario in which one call fails, and examines the result.
  ///
  /// - Returns: Whether the scenario made that call.
  private static func fail(
    _ number: Int, _ failing: Failing, _ scenario: Scenario, _ desk: Desk,
    _ examiner: inout Examiner
  ) throws -> Bool {
    let disk = desk.disk.copy()
    var record = try Record(desk, on: disk)
    let start = disk.calls.all
    disk.failCall(
      number, of: .all, with: failing.reason, failing.span, halfway: failing.isHalfway)
    do {
      var journal = try desk.journal(on: disk)
      try scenario.perform(&journal, &record)
    } catch is JournalError {
      // The scenario reports the failure. Everything that it acknowledged before must still hold.
    } catch is DiskError {
      // A scenario that examines files itself receives the error of the disk directly.
    }
    guard disk.calls.all - start >= number, let mark = record.marks.last else { return false }
    for isPowerCut in [false, true] {
      let left = disk.copy()
      left.clearWeather()
      if isPowerCut { left.crash() } else { left.kill() }
      let promise = Examiner.Promise(
        number: 2 * record.marks.count + (isPowerCut ? 1 : 0), contents: mark.contents)
      _ = examiner.examine(left, promise, "\(scenario.name) \(number) \(failing) \(isPowerCut)")
    }
    return true
  }
}
