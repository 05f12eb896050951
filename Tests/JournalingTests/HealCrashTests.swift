import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Crashes while lost events are being restored.
@Suite struct HealCrashTests {
  @Test func `Hole filling: a crash at any disk call loses nothing`() throws {
    let held = try HeldTwice()
    let (bench, whole) = (held.bench, held.whole)
    try held.lose(byteAt: 120, of: held.files[1])
    try crash(bench) { journal throws in
      let holder = try held.other.journal()
      var export = try holder.export(of: bench.log, lackedBy: try journal.places(), keys: nil)
      while let frame = try export.next() {
        try journal.receive(frame, of: bench.log, on: .logs)
      }
    } then: { events, isThrough in
      #expect(events == whole || (!isThrough && events == Array(whole[..<10] + whole[19...])))
    }
  }

  @Test func `Hole filling: a crash while a tail replaces a damaged file loses nothing`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(2), Bench.command(3)], to: bench.log, keys: bench.keys)
    var copied = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    _ = try copied.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let frames = try copied.exported(bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    _ = try journal.append([Bench.command(4)], to: bench.log, keys: bench.keys)
    let whole = try journal.contents(of: bench.log).events
    bench.machine.disk.rot(bench.logFolder / "000000000001-000000000003.gz", at: 60, flipping: 1)
    try crash(bench) { journal throws in
      for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    } then: { events, isThrough in
      #expect(events == whole || (!isThrough && events == Array(whole[3...])))
    }
  }

  /// Crashes during a reception, and passes the events to `check` after recovery.
  private func crash(
    _ bench: Bench, whileReceiving receive: (inout Journal) throws -> Void,
    then check: (_ events: [Found], _ isThrough: Bool) throws -> Void
  ) throws {
    let calls = try bench.crash(whileReceiving: receive) { disk, isThrough in
      var left = try Bench.journal(on: bench.copy(of: disk))
      _ = try left.recover()
      try check(try left.contents(of: bench.log).events, isThrough)
    }
    #expect(calls > 10)
  }

  @Test func `Hole filling: after a crash, events that are still lost remain a hole`() throws {
    let held = try HeldTwice()
    let (bench, files) = (held.bench, held.files)
    let early = try Bench()
    var short = try early.begun()
    for number: UInt64 in 1...4 {
      _ = try short.append([Bench.command(number, events: 3)], to: early.log, keys: early.keys)
      if number == 3 { try short.seal(early.log, keys: early.keys) }
    }
    let frames = try short.exported(early.log, after: 10, keys: early.keys)
    var sealing = try bench.journal()
    try sealing.seal(bench.log, keys: bench.keys)
    try bench.machine.disk.remove(files[1])
    var number = 1
    var isThrough = false
    while !isThrough {
      let trial = bench.machine.disk.copy()
      trial.failCall(number, with: .io, .fromThenOn)
      do {
        var journal = try Bench.journal(on: bench.copy(of: trial))
        for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
        _ = try journal.commit()
        isThrough = true
      } catch {}
      trial.clearWeather()
      trial.crash(keeping: .everything)
      let left = try Bench.journal(on: bench.copy(of: trial))
      let readable = try left.contents(of: bench.log).events.map(\.sequence)
      let lost = (UInt64(1)...28).filter { !readable.contains($0) }
      // Restored events may still be listed as lost, but lost events must never be listed as present.
      let told = left.holes(in: bench.log).flatMap { Array($0) }
      #expect(Set(told).isSuperset(of: lost))
      if isThrough { #expect(told == Array(14...19)) }
      number += 1
    }
  }
}

extension Bench {
  /// Makes the disk fail at each call during a reception, and passes the disk to `check` after every kind of power cut.
  ///
  /// - Returns: The number of calls.
  func crash(
    whileReceiving receive: (inout Journal) throws -> Void,
    then check: (_ disk: SimulatedDisk, _ isThrough: Bool) throws -> Void
  ) throws -> Int {
    var (number, isThrough) = (0, false)
    while !isThrough {
      number += 1
      let trial = machine.disk.copy()
      trial.failCall(number, with: .io, .fromThenOn)
      do {
        var journal = try Bench.journal(on: copy(of: trial))
        try receive(&journal)
        _ = try journal.commit()
        isThrough = true
      } catch {}
      for survival in CrashTests.survivals {
        let cut = trial.copy()
        cut.clearWeather()
        cut.crash(keeping: survival)
        try check(cut, isThrough)
      }
    }
    return number
  }
}
