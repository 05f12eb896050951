import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Every operation that writes, with each of its disk calls failing once or permanently.
@Suite struct FailureTests {
  enum Deed: String, CaseIterable {
    case append, appendToNewTail, seal, compact, recover, recoverFromPoison, settle
  }

  /// The state in which the operation starts.
  private static func prepared(for deed: Deed) throws -> Bench {
    let bench = try MergeTests.prepared(files: 3)
    let disk = bench.machine.disk
    switch deed {
    case .append, .seal, .compact, .settle: break
    case .appendToNewTail:
      var journal = try bench.journal()
      try journal.seal(bench.log, keys: bench.keys)
    case .recover, .recoverFromPoison:
      let covered = bench.logFolder / "000000000004-000000000005.gz"
      let bytes = try #require(disk.files[covered])
      var journal = try bench.journal()
      _ = try journal.compact(keys: [bench.log: bench.keys])
      _ = try journal.append([Bench.command(92)], to: bench.log, keys: bench.keys)
      try disk.replace(covered, with: bytes)
      let tail = bench.logFolder / "000000000009.gz"
      let torn = (disk.files[tail] ?? []) + Array(repeating: 7, count: 20)
      try disk.replace(tail, with: torn)
      try disk.replace(bench.logFolder / ".000000000010.gz.draft", with: [1])
      if deed == .recoverFromPoison { try disk.replace(PoisonTests.mark, with: []) }
    }
    return bench
  }

  private static func perform(_ deed: Deed, _ journal: inout Journal, _ bench: Bench) throws -> Int
  {
    switch deed {
    case .append, .appendToNewTail:
      return try journal.append(
        [Bench.command(91, events: 2)], to: bench.log, keys: bench.keys
      ).count
    case .seal: try journal.seal(bench.log, keys: bench.keys)
    case .compact: _ = try journal.compact(keys: [bench.log: bench.keys])
    case .recover, .recoverFromPoison: _ = try journal.recover()
    case .settle: try journal.settle()
    }
    return 0
  }

  @Test(arguments: [false, true])
  func `Append: an unreadable event is removed immediately or by the next recovery`(
    cutFails: Bool
  ) throws {
    let bench = try Bench()
    let disk = bench.machine.disk
    let tail = bench.logFolder / "000000000001.gz"
    var journal = try bench.begun()
    let before = disk.files[tail]
    // The second call would cut off the bytes that the first call has written.
    if cutFails { disk.failCall(2, of: .mutating, with: .io, .once) }
    let bad = Command(time: Bench.start, events: [NewEvent(body: [0x80])])
    let refusal = JournalError.unwritable(bench.log, .content(.truncated(at: 66)))
    #expect(throws: refusal) { try journal.append([bad], to: bench.log, keys: bench.keys) }
    #expect((disk.files[tail] == before) == !cutFails)
    if cutFails {
      #expect(throws: JournalError.poisoned) {
        try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
      }
      disk.kill()
      disk.clearWeather()
      journal = try bench.journal()
      _ = try journal.recover()
    }
    let appended = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    #expect(appended.map(\.sequence) == [2])
    disk.crash()
    let bodies = try bench.journal().contents(of: bench.log).events.map(\.body)
    #expect(bodies.dropFirst() == [Bench.body(1_000)])
  }

  @Test func `Append: an unreadable event in a sealed batch leaves the files unchanged`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    try journal.seal(bench.log, keys: bench.keys)
    let before = bench.machine.disk.files
    let much = (1...8).map { Bench.command($0, byteCount: 9_000) }
    let bad = Command(time: Bench.start, events: [NewEvent(body: [0x80])])
    do throws(JournalError) {
      _ = try journal.append(much + [bad], to: bench.log, keys: bench.keys)
      Issue.record("it was written")
    } catch {
      #expect(error == .unwritable(bench.log, .content(.truncated(at: 72_162))))
    }
    #expect(bench.machine.disk.files == before)
    let appended = try journal.append(much, to: bench.log, keys: bench.keys)
    #expect(appended.map(\.sequence) == Array(2...9))
  }

  @Test(arguments: Deed.allCases, [DiskFault.io, .full, .readOnly])
  func `Disk failure: acknowledged events survive any failing call, and recovery succeeds`(
    deed: Deed, fault: DiskFault
  ) throws {
    let bench = try Self.prepared(for: deed)
    let before = try bench.journal().contents(of: bench.log).events
    for span in [FailureSpan.once, .fromThenOn] {
      var number = 1
      while true {
        let disk = bench.machine.disk.copy()
        disk.failCall(number, of: .all, with: fault, span)
        var acknowledged = 0
        do {
          var journal = try Bench.journal(on: bench.copy(of: disk))
          acknowledged = try Self.perform(deed, &journal, bench)
        } catch is JournalError {
          // The error depends on the call. Only the remaining files are checked.
        }
        let calls = disk.calls.all - bench.machine.disk.calls.all
        disk.clearWeather()
        for isCut in [false, true] {
          let left = disk.copy()
          if isCut { left.crash() } else { left.kill() }
          try Self.check(
            left, bench, before, acknowledged, "\(deed) \(fault) \(span) \(number) \(isCut)")
        }
        if calls < number { break }
        number += 1
      }
      #expect(number > 3)
    }
  }

  @Test func `Journal: beginning a log that exists fails, and no file changes`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let before = bench.machine.disk.files
    do throws(JournalError) {
      _ = try journal.begin(
        bench.keys, incarnation: Bench.incarnation, name: "other", at: Bench.start + 1)
      Issue.record("it was begun")
    } catch {
      #expect(error == .logExists(bench.log))
    }
    #expect(bench.machine.disk.files == before)
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    #expect(try journal.contents(of: bench.log).events.count == 2)
  }

  @Test func `Disk failure: a disk that fills up at any point leaves a sound log`() throws {
    let bench = try Self.prepared(for: .compact)
    let before = try bench.journal().contents(of: bench.log).events
    for deed in [Deed.append, .appendToNewTail, .seal, .compact] {
      for room in stride(from: 0, to: 1_200, by: 37) {
        let disk = bench.machine.disk.copy()
        disk.becomeFull(afterBytes: room)
        var acknowledged = 0
        do {
          var journal = try Bench.journal(on: bench.copy(of: disk))
          acknowledged = try Self.perform(deed, &journal, bench)
        } catch is JournalError {
          // The disk does not have enough space.
        }
        disk.clearWeather()
        disk.crash()
        try Self.check(disk, bench, before, acknowledged, "\(deed) \(room)")
      }
    }
  }

  /// Opens the remaining files as the next writer does.
  private static func check(
    _ disk: SimulatedDisk, _ bench: Bench, _ before: [Found], _ acknowledged: Int, _ name: String
  ) throws {
    var journal = try Bench.journal(on: bench.copy(of: disk, seed: 77))
    _ = try journal.recover()
    let found = try journal.contents(of: bench.log)
    #expect(found.damage == [], "\(name)")
    #expect(found.events.count >= before.count + acknowledged, "\(name)")
    #expect(Array(found.events.prefix(before.count)) == before, "\(name)")
    #expect(try MergeTests.isClean(disk), "\(name)")
    #expect(disk.files[PoisonTests.mark] == nil, "\(name)")
    #expect(!disk.files.keys.contains { $0.parent == bench.logFolder && $0.name.hasPrefix(".") })
    _ = try journal.append([Bench.command(900)], to: bench.log, keys: bench.keys)
    disk.crash()
    let written = try Bench.journal(on: bench.copy(of: disk)).contents(of: bench.log)
    #expect(written.events.count == found.events.count + 1, "\(name)")
  }
}
