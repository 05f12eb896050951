import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// The content of a journal after a power cut or a disk failure at any time.
@Suite struct CrashTests {
  /// The operations of a writer.
  enum Deed: String, CaseIterable {
    case append, appendTwice, batch, seal, appendAndSeal, begin
  }

  static let survivals: [Survival] = [
    .nothing, .everything, .first(1), .first(2), .random(seed: 1), .random(seed: 2),
    .random(seed: 3),
  ]

  /// Performs an operation and counts the acknowledged events.
  static func perform(
    _ deed: Deed, _ journal: inout Journal, _ bench: Bench, acknowledged: inout Int
  ) throws {
    let (log, keys) = (bench.log, bench.keys)
    switch deed {
    case .append:
      acknowledged += try journal.append([Bench.command(50, events: 3)], to: log, keys: keys).count
    case .appendTwice:
      for number: UInt64 in 50...51 {
        acknowledged += try journal.append([Bench.command(number)], to: log, keys: keys).count
      }
    case .batch:
      let commands = (50...61).map { Bench.command(UInt64($0), events: 2, byteCount: 3_000) }
      acknowledged += try journal.append(commands, to: log, keys: keys).count
    case .seal: try journal.seal(log, keys: keys)
    case .appendAndSeal:
      // The tail becomes so large that it is sealed.
      let command = Bench.command(50, events: 4, byteCount: 15_000)
      acknowledged += try journal.append([command], to: log, keys: keys).count
      let more = Bench.command(51, events: 2, byteCount: 4_000)
      acknowledged += try journal.append([more], to: log, keys: keys).count
      acknowledged += try journal.append([Bench.command(52)], to: log, keys: keys).count
    case .begin:
      _ = try journal.begin(
        DeviceKeys(
          signingSeed: Array(repeating: 9, count: 32), agreementSeed: Array(repeating: 8, count: 32)
        ),
        incarnation: UniqueID(high: 1, low: 1), name: "other", at: Bench.start)
    }
  }

  /// A log with a sealed file and a tail.
  static func prepared() throws -> Bench {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append(
      (1...3).map { Bench.command($0, events: 2) }, to: bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    for number: UInt64 in 4...5 {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
    return bench
  }

  @Test(arguments: Deed.allCases)
  func `Crash: acknowledged events survive a power cut at any disk call`(deed: Deed) throws {
    let bench = try Self.prepared()
    let before = try bench.journal().contents(of: bench.log).events
    let whole = try Self.outcome(of: deed, bench)
    var number = 1
    var checked: Set<Outcome> = []
    while true {
      let disk = bench.machine.disk.copy()
      disk.failCall(number, with: .io, .fromThenOn)
      var acknowledged = 0
      let isThrough = Self.attempt(deed, bench, disk, &acknowledged)
      for survival in Self.survivals {
        let cut = disk.copy()
        cut.clearWeather()
        cut.crash(keeping: survival)
        let outcome = Outcome(files: cut.files, acknowledged: acknowledged)
        guard checked.insert(outcome).inserted else { continue }
        try Self.check(
          cut, bench, before: before, whole: whole, acknowledged: acknowledged,
          "\(deed) \(number) \(survival)")
      }
      if isThrough { break }
      number += 1
    }
    #expect(number > 1)
  }

  @Test(arguments: Deed.allCases, [DiskFault.io, .full])
  func `Crash: acknowledged events survive a failed disk call and a later power cut`(
    deed: Deed, fault: DiskFault
  ) throws {
    let bench = try Self.prepared()
    let before = try bench.journal().contents(of: bench.log).events
    let whole = try Self.outcome(of: deed, bench)
    var checked: Set<Outcome> = []
    for number in 1...200 {
      let disk = bench.machine.disk.copy()
      disk.failCall(number, of: .all, with: fault)
      var acknowledged = 0
      let isThrough = Self.attempt(deed, bench, disk, &acknowledged)
      let calls = disk.calls.all - bench.machine.disk.calls.all
      for survival in Self.survivals {
        let cut = disk.copy()
        cut.clearWeather()
        cut.crash(keeping: survival)
        let outcome = Outcome(files: cut.files, acknowledged: acknowledged)
        guard checked.insert(outcome).inserted else { continue }
        try Self.check(
          cut, bench, before: before, whole: whole, acknowledged: acknowledged,
          "\(deed) \(number) \(survival)")
      }
      if isThrough, calls < number { return }
    }
    Issue.record("the deed never ended")
  }

  /// The state after a crash.
  ///
  /// Equal states are checked only once.
  private struct Outcome: Hashable {
    var files: [Path: [UInt8]]
    var acknowledged: Int
  }

  /// All events after the operation, if no call fails.
  private static func outcome(of deed: Deed, _ bench: Bench) throws -> [Found] {
    let disk = bench.machine.disk.copy()
    var journal = try Bench.journal(on: bench.copy(of: disk))
    var acknowledged = 0
    try perform(deed, &journal, bench, acknowledged: &acknowledged)
    return try journal.contents(of: bench.log).events
  }

  private static func attempt(
    _ deed: Deed, _ bench: Bench, _ disk: SimulatedDisk, _ acknowledged: inout Int
  ) -> Bool {
    do {
      var journal = try Bench.journal(on: bench.copy(of: disk))
      try perform(deed, &journal, bench, acknowledged: &acknowledged)
      return true
    } catch {
      return false
    }
  }

  /// Opens the state after a crash as a reader and as a writer, and appends an event.
  private static func check(
    _ disk: SimulatedDisk, _ bench: Bench, before: [Found], whole: [Found],
    acknowledged: Int, _ name: String
  ) throws {
    let seen = try Bench.journal(on: bench.copy(of: disk)).contents(of: bench.log).events
    var journal = try Bench.journal(on: bench.copy(of: disk, seed: 77))
    _ = try journal.recover()
    let recovered = try journal.contents(of: bench.log)
    #expect(recovered.events == seen, "\(name)")
    #expect(recovered.damage == [], "\(name)")
    #expect(seen.count >= before.count + acknowledged, "\(name)")
    #expect(seen.map(\.body) == whole.prefix(seen.count).map(\.body), "\(name)")
    #expect(seen.prefix(before.count) == before.prefix(before.count), "\(name)")
    let isSound = journal.isSound(bench.log)
    #expect(isSound, "\(name)")

    _ = try journal.append([Bench.command(900)], to: bench.log, keys: bench.keys)
    disk.crash()
    let written = try Bench.journal(on: bench.copy(of: disk)).contents(of: bench.log)
    #expect(written.damage == [], "\(name)")
    #expect(Array(written.events.prefix(seen.count)) == seen, "\(name)")
    #expect(written.events.count == seen.count + 1, "\(name)")
  }
}
