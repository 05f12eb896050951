import Journaling
import Platform
import SimulatedPlatform

/// Cuts the power at every step of a scenario, and at steps of each recovery.
struct CrashEnumeration {
  let scenario: Scenario
  private var examiner: Examiner
  private var promises = 0
  private let record: Record
  private let moments: [SimulatedDisk]
  private let dice: Seeded

  /// Runs a scenario, optionally on a disk that ignores some flushes.
  init(
    _ scenario: Scenario, seed: UInt64, lying: (@Sendable (Path) -> Bool)? = nil
  ) throws {
    self.scenario = scenario
    dice = Seeded(seed: seed)
    let desk = try scenario.prepared()
    var journal = try desk.journal(on: desk.disk)
    var record = try Record(desk, on: desk.disk)
    let start = desk.disk.copy()
    desk.disk.record()
    if let lying { desk.disk.lie(about: lying) }
    try scenario.perform(&journal, &record)
    moments = [start] + desk.disk.recorded()
    self.record = record
    examiner = Examiner(desk, scenario, forms: record.forms)
  }

  var stateCount: Int { examiner.stateCount }
  var recoveredCount: Int { examiner.recoveredCount }
  var momentCount: Int { moments.count }
  var problems: [String] { examiner.problems }

  mutating func run() throws {
    let name = scenario.name
    for (step, moment) in moments.enumerated() {
      let marks = record.marks.indices.filter {
        record.marks[$0].calls <= moment.calls.mutating
      }
      let mark = marks.last ?? 0
      let promise = Examiner.Promise(number: mark, contents: record.marks[mark].contents)
      for survival in Survival.all(of: moment.unflushed, dice) {
        cut(moment, survival, promise, "\(name) \(step) \(survival)", isAgain: false)
      }
      try end(at: moment, promise, "\(name) \(step) ended")
    }
  }

  /// Cuts the power, recovers, and cuts the power again at some steps of the recovery.
  private mutating func cut(
    _ moment: SimulatedDisk, _ survival: Survival, _ promise: Examiner.Promise,
    _ place: @autoclosure () -> String,
    isAgain: Bool
  ) {
    let disk = moment.copy()
    disk.clearWeather()
    disk.crash(keeping: survival)
    let steps = examiner.examine(disk, promise, place())
    guard !isAgain, !steps.isEmpty else { return }
    var dice = dice
    for _ in 0..<scenario.recoveryCuts {
      let number = Int.random(in: steps.indices, using: &dice)
      let step = steps[number]
      let survival = Survival.random(seed: dice.next())
      cut(step, survival, promise, "\(place()) again \(number) \(survival)", isAgain: true)
    }
  }

  /// Ends the process without a power cut.
  ///
  /// Everything that the next process settles or builds on must survive later cuts.
  private mutating func end(
    at moment: SimulatedDisk, _ promise: Examiner.Promise, _ place: String
  ) throws {
    for isAppending in [false, true] {
      let disk = moment.copy()
      disk.clearWeather()
      disk.kill()
      var journal = try record.desk.journal(on: disk, seed: 55)
      _ = try journal.recover()
      try scenario.repeats(&journal)
      if isAppending {
        try record.desk.writeOn(&journal)
      } else {
        try journal.settle()
      }
      var contents = try Contents(of: journal)
      examiner.note(examiner.forms.loss(of: promise.contents, in: contents), place)
      let forms = examiner.forms
      // The events that the ended process would have written next are never written.
      examiner.forms = Forms([promise.contents, contents])
      promises += 1
      // A process that only appends to its own log does not make the logs of other devices durable.
      if isAppending {
        let own = contents.logs[record.desk.log]
        contents = promise.contents
        contents.logs[record.desk.log] = own
      }
      let more = Examiner.Promise(number: 1_000 + promises, contents: contents)
      for survival in Survival.some(of: disk.unflushed, count: 4, dice) {
        cut(disk, survival, more, "\(place) \(isAppending) \(survival)", isAgain: false)
      }
      examiner.forms = forms
    }
  }
}
