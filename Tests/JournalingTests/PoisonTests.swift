import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Journals on a disk that fails to flush.
@Suite struct PoisonTests {
  static let mark = Bench.folder / "POISON"

  private static func prepared() throws -> (bench: Bench, tail: Path) {
    let bench = try Bench()
    var journal = try bench.begun()
    for number: UInt64 in 1...3 {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
    return (bench, bench.logFolder / "000000000001.gz")
  }

  private static func failed(
    _ span: FailureSpan, _ bench: Bench
  ) throws -> (journal: JournalBox, error: JournalError?) {
    var journal = try bench.journal()
    // The first call writes, and the second flushes.
    bench.machine.disk.failCall(2, of: .mutating, with: .io, span)
    do throws(JournalError) {
      _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
      return (JournalBox(journal), nil)
    } catch {
      return (JournalBox(journal), error)
    }
  }

  @Test func `Failed flush: the commit is saved in a new file and acknowledged`() throws {
    let (bench, tail) = try Self.prepared()
    let (box, error) = try Self.failed(.once, bench)
    #expect(error == nil)
    let isPoisoned = box.journal.isPoisoned
    #expect(isPoisoned)
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.count == 8)
    #expect(found.damage == [])
    #expect(try bench.machine.disk.list(bench.logFolder) == [tail.name])
    #expect(bench.machine.disk.files[Self.mark] != nil)
  }

  @Test func `Failed flush: the journal performs no further writes`() throws {
    let (bench, _) = try Self.prepared()
    let (box, _) = try Self.failed(.once, bench)
    let calls = bench.machine.disk.calls
    #expect(throws: JournalError.poisoned) {
      _ = try box.journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    }
    #expect(throws: JournalError.poisoned) { try box.journal.seal(bench.log, keys: bench.keys) }
    #expect(throws: JournalError.poisoned) { _ = try box.journal.recover() }
    #expect(throws: JournalError.poisoned) { _ = try box.journal.compact(keys: [:]) }
    #expect(throws: JournalError.poisoned) {
      try box.journal.receive([], of: UniqueID(high: 1, low: 1), on: .logs)
    }
    #expect(bench.machine.disk.calls == calls)
  }

  private static func error(of journal: inout Journal, _ bench: Bench) -> JournalError? {
    do throws(JournalError) {
      _ = try journal.append([Bench.command(30)], to: bench.log, keys: bench.keys)
    } catch {
      return error
    }
    return nil
  }

  @Test func `Failed flush: a tail that cannot be flushed again accepts no further commit`() throws
  {
    let (bench, _) = try Self.prepared()
    var journal = try bench.journal()
    // The commit takes two calls. Then the new sealed file cannot be created.
    bench.machine.disk.failCall(3, with: .full)
    _ = try journal.append(
      (20...25).map { Bench.command($0, byteCount: 10_900) }, to: bench.log, keys: bench.keys)
    let before = try bench.journal().contents(of: bench.log).events
    var number = 0
    var error: JournalError?
    repeat {
      number += 1
      let disk = bench.machine.disk.copy()
      disk.failCall(number, with: .io)
      var next = try Bench.journal(on: bench.copy(of: disk))
      error = Self.error(of: &next, bench)
      guard error == .poisoned else { continue }
      disk.crash()
      let found = try Bench.journal(on: bench.copy(of: disk)).contents(of: bench.log)
      #expect(found.events == before)
    } while error != .poisoned && number < 9
    #expect(error == .poisoned)
  }

  /// The frames that two devices send at different times, in the order in which they are stored.
  private static func sent() throws -> [(log: UniqueID, early: [[UInt8]], late: [[UInt8]])] {
    let sent = try [UInt8(10), 20].map { keySeed in
      let device = try Bench(keySeed: keySeed)
      var journal = try device.begun()
      func write(_ numbers: ClosedRange<UInt64>) throws {
        let commands = numbers.map { Bench.command($0, byteCount: 9_000) }
        _ = try journal.append(commands, to: device.log, keys: device.keys)
      }
      // Neither frame is sealed immediately, but the tail that both form is.
      try write(1...1)
      let early = try journal.exported(device.log, keys: device.keys)
      try write(2...8)
      let late = try journal.exported(device.log, after: 2, keys: device.keys)
      return (log: device.log, early: early, late: late)
    }
    return sent.sorted { $0.log < $1.log }
  }

  @Test(arguments: [false, true])
  func `Failed flush: when one log's tail cannot be flushed, the next log is not written`(
    isHeld: Bool
  ) throws {
    let (bench, sent) = (try Bench(keySeed: 40), try Self.sent())
    var journal = try bench.begun()
    for log in sent[..<(isHeld ? 2 : 1)] {
      for frame in log.early { try journal.receive(frame, of: log.log, on: .logs) }
    }
    _ = try journal.commit()
    func take(_ disk: SimulatedDisk) throws -> JournalError? {
      var journal = try Bench.journal(on: bench.copy(of: disk))
      for log in sent {
        for frame in log.early + log.late { try journal.receive(frame, of: log.log, on: .logs) }
      }
      do throws(JournalError) { _ = try journal.commit() } catch { return error }
      return nil
    }
    let whole = bench.machine.disk.copy()
    #expect(try take(whole) == nil)
    var errors: [JournalError?] = []
    for number in 1... {
      let disk = bench.machine.disk.copy()
      disk.failCall(number, of: .mutating, with: .io, .once)
      errors.append(try take(disk))
      if disk.calls.mutating - bench.machine.disk.calls.mutating < number { break }
      disk.crash()
      disk.clearWeather()
      var next = try Bench.journal(on: bench.copy(of: disk))
      _ = try next.recover()
      let isSecondWritten = next.logs[sent[1].log]?.sequence == 9
      if errors.last == .poisoned { #expect(!isSecondWritten) }
      #expect(try take(disk) == nil)
      for log in sent {
        let found = try Bench.journal(on: bench.copy(of: disk)).contents(of: log.log)
        #expect(found.events.map(\.sequence) == Array(1...9), "call \(number)")
        #expect(found.damage == [], "call \(number)")
      }
    }
    #expect(errors.contains(.poisoned))
    #expect(errors.last == .some(nil))
  }

  @Test func `Failed flush: the commit fails if earlier bytes of the tail are damaged`() throws {
    let (bench, tail) = try Self.prepared()
    var journal = try bench.journal()
    bench.machine.disk.rot(tail, at: 60, flipping: 255)
    let before = bench.machine.disk.files[tail]
    bench.machine.disk.failCall(2, of: .mutating, with: .io, .once)
    #expect(throws: JournalError.disk(DiskError(.flush, tail, .io))) {
      _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    }
    let after = try #require(bench.machine.disk.files[tail])
    #expect(after.starts(with: try #require(before)))
    #expect(bench.machine.disk.files[Self.mark] != nil)
  }

  @Test func `Failed flush: the next process discards a commit that could not be saved`() throws {
    let (bench, tail) = try Self.prepared()
    let before = try bench.journal().contents(of: bench.log).events
    // Writing the mark fails too at first, so the flush is not retried. The mark is written by hand.
    let (_, error) = try Self.failed(.fromThenOn, bench)
    #expect(error == .disk(DiskError(.flush, tail, .io)))
    bench.machine.disk.clearWeather()
    bench.machine.disk.kill()
    try bench.machine.disk.replace(Self.mark, with: [])
    #expect(try bench.journal().contents(of: bench.log).events.count == 8)

    var journal = try bench.journal()
    let repairs = try journal.recover()
    #expect(repairs == [Repair(file: tail, kind: .renewed)])
    let end = journal.logs[bench.log]?.sequence
    #expect(end == 7)
    #expect(bench.machine.disk.files[Self.mark] == nil)
    _ = try journal.append([Bench.command(10)], to: bench.log, keys: bench.keys)
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(Array(found.events.prefix(7)) == before)
    #expect(found.events.count == 8)
    #expect(found.damage == [])
  }

  @Test func `Failed flush: the next process makes an unmarked commit durable`() throws {
    let (bench, _) = try Self.prepared()
    _ = try Self.failed(.fromThenOn, bench)
    bench.machine.disk.clearWeather()
    bench.machine.disk.kill()
    var second = try bench.journal()
    _ = try second.recover()
    _ = try second.append([Bench.command(10)], to: bench.log, keys: bench.keys)
    bench.machine.disk.crash()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.count == 9)
    #expect(found.damage == [])
  }

  @Test func `Failed flush: a torn end is quarantined under its log, file and offset`() throws {
    let (bench, tail) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    try bench.machine.disk.replace(tail, with: whole + [1, 2, 3])
    try bench.machine.disk.replace(Self.mark, with: [])
    var journal = try bench.journal()
    _ = try journal.recover()
    #expect(bench.machine.disk.files[tail] == whole)
    let copies = bench.machine.disk.files.filter { $0.key.parent.name == "quarantine" }
    #expect(Array(copies.values) == [[1, 2, 3]])
    let start = "\(bench.log.hex).000000000001.gz.\(whole.count)."
    #expect(copies.keys.allSatisfy { $0.name.hasPrefix(start) })
  }
}

/// Stores a journal, so a tuple or closure can contain it.
final class JournalBox {
  var journal: Journal

  init(_ journal: consuming Journal) { self.journal = journal }
}
