import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Merging sealed files without losing events.
@Suite struct MergeTests {
  /// A log with `files` small sealed files and a tail.
  static func prepared(files: Int) throws -> Bench {
    let bench = try Bench()
    var journal = try bench.begun()
    for number in 1...UInt64(files) {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
      try journal.seal(bench.log, keys: bench.keys)
    }
    _ = try journal.append([Bench.command(90)], to: bench.log, keys: bench.keys)
    return bench
  }

  static func isClean(_ disk: SimulatedDisk) throws -> Bool {
    try Verification.run(on: Bench.folder, disk: disk).isClean
  }

  @Test func `Compaction: one file with all events is left`() throws {
    let bench = try Self.prepared(files: 5)
    let before = try bench.journal().contents(of: bench.log).events
    var journal = try bench.journal()
    let compaction = try journal.compact(keys: [bench.log: bench.keys])
    #expect(compaction.before.files == 6)
    #expect(compaction.after.files == 1)
    #expect(compaction.after.bytes < compaction.before.bytes)
    #expect(try bench.machine.disk.list(bench.logFolder) == ["000000000001-000000000012.gz"])
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == before)
    #expect(found.damage == [])
    #expect(try Self.isClean(bench.machine.disk))
    let again = try journal.compact(keys: [bench.log: bench.keys])
    #expect(again.before == again.after)
  }

  @Test func `Compaction: eight files of similar size are merged automatically`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    try journal.seal(bench.log, keys: bench.keys)
    for number: UInt64 in 1...8 {
      let command = Bench.command(number, events: 4, byteCount: 17_000)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    let names = try bench.machine.disk.list(bench.logFolder)
    #expect(names == ["000000000001-000000000029.gz", "000000000030-000000000033.gz"])
    #expect(try journal.contents(of: bench.log).events.count == 33)
    #expect(try Self.isClean(bench.machine.disk))
  }

  @Test func `Compaction: another device's log is merged if its heads allow it`() throws {
    let bench = try Self.prepared(files: 4)
    let other = try Bench(seed: 5, keySeed: 9)
    let source = try bench.journal()
    var journal = try other.begun()
    for frame in try source.exported(bench.log, keys: bench.keys) {
      try journal.receive(frame, of: bench.log, on: .logs)
      _ = try journal.commit()
    }
    let compaction = try journal.compact(keys: [other.log: other.keys])
    #expect(compaction.after.files == 2)
    #expect(
      try journal.contents(of: bench.log).events == source.contents(of: bench.log).events)
    #expect(try Self.isClean(other.machine.disk))
  }

  @Test func `Compaction: a damaged file is never merged`() throws {
    let bench = try Self.prepared(files: 4)
    bench.machine.disk.rot(
      bench.logFolder / "000000000004-000000000005.gz", at: 60, flipping: 255)
    let names = try bench.machine.disk.list(bench.logFolder)
    let before = try bench.journal().contents(of: bench.log)
    var journal = try bench.journal()
    _ = try journal.compact(keys: [:])
    #expect(try bench.machine.disk.list(bench.logFolder) == names)
    let after = try bench.journal().contents(of: bench.log)
    #expect(after.events == before.events)
  }

  @Test func `Compaction: a reader continues in a file that is merged while it reads`() throws {
    let bench = try Self.prepared(files: 5)
    var writer = try bench.journal()
    var reader = try writer.reader(of: bench.log)
    var sequences: [UInt64] = []
    for _ in 0..<2 { if let read = try reader.read() { sequences.append(read.frame.lastSequence) } }
    _ = try writer.compact(keys: [bench.log: bench.keys])
    while let read = try reader.read() {
      sequences += read.frame.events[read.firstNew...].map(\.sequence)
    }
    #expect(sequences == [3, 5] + Array(6...12))
    let damage = reader.damage
    #expect(damage == [])
  }

  @Test func `Compaction: a covered file is removed only if the covering file is sound`() throws {
    let bench = try Self.prepared(files: 4)
    let name = bench.logFolder / "000000000004-000000000005.gz"
    let old = try #require(bench.machine.disk.files[name])
    var journal = try bench.journal()
    _ = try journal.compact(keys: [bench.log: bench.keys])
    try bench.machine.disk.replace(name, with: old)
    let good = bench.machine.disk.copy()
    var first = try Bench.journal(on: bench.copy(of: good))
    let repairs = try first.recover()
    #expect(repairs == [Repair(file: name, kind: .removedCovered)])

    let whole = bench.logFolder / "000000000001-000000000010.gz"
    bench.machine.disk.rot(whole, at: 60, flipping: 255)
    var second = try bench.journal()
    let kept = try second.recover()
    #expect(kept == [])
    #expect(bench.machine.disk.files[name] == old)
  }

  @Test func `Compaction: a covering file is durable before the covered ones are removed`() throws {
    let bench = try Self.prepared(files: 3)
    let before = try bench.journal().contents(of: bench.log).events
    for number in 1...30 {
      let disk = bench.machine.disk.copy()
      disk.failCall(number, with: .io, .fromThenOn)
      var journal = try Bench.journal(on: bench.copy(of: disk))
      let isThrough = (try? journal.compact(keys: [bench.log: bench.keys])) != nil
      // The process ends first, and the power fails later.
      disk.kill()
      disk.clearWeather()
      var next = try Bench.journal(on: bench.copy(of: disk))
      _ = try next.recover()
      for survival in CrashTests.survivals {
        let cut = disk.copy()
        cut.crash(keeping: survival)
        let found = try Bench.journal(on: bench.copy(of: cut)).contents(of: bench.log)
        #expect(found.events == before, "\(number) \(survival)")
      }
      if isThrough { return }
    }
    Issue.record("compacting never ended")
  }
}
