import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization
import Testing

/// Threads that append together.
@Suite struct GroupCommitTests {
  /// Counts down, for whoever waits for threads.
  private final class Answers: Sendable {
    let all = Mutex<[Int: Result<[Appended], JournalError>]>([:])
    var count: Int { all.withLock { $0.count } }
  }

  /// Lets threads hand in a command each while another thread has the journal.
  private static func together(
    _ bench: Bench, _ group: GroupCommit, _ commands: [Command],
    then: @escaping @Sendable (borrowing Journal) -> Void = { _ in }
  ) throws -> [Int: Result<[Appended], JournalError>] {
    let answers = Answers()
    try group.withJournal { journal throws(JournalError) in
      for (number, command) in commands.enumerated() {
        SystemThread.start {
          let answer: Result<[Appended], JournalError>
          do throws(JournalError) {
            answer = .success(try group.append([command]))
          } catch {
            answer = .failure(error)
          }
          answers.all.withLock { $0[number] = answer }
        }
      }
      while group.waitingCount < commands.count {}
      then(journal)
    }
    while answers.count < commands.count {}
    return answers.all.withLock { $0 }
  }

  @Test func `callers that wait share one flush`() throws {
    let bench = try Bench()
    let disk = bench.machine.disk
    let group = GroupCommit(try bench.begun(), log: bench.log, keys: bench.keys)
    _ = try group.append([Bench.command(1)])
    let calls = disk.calls.mutating
    let answers = try Self.together(
      bench, group, (0..<8).map { Bench.command(UInt64(10 + $0), events: 2) })
    #expect(disk.calls.mutating == calls + 2, "one write and one flush")
    disk.crash()
    let events = try bench.journal().contents(of: bench.log).events
    #expect(events.count == 18)
    for number in 0..<8 {
      let appended = try #require(try answers[number]?.get())
      let found = appended.map { events[Int($0.sequence) - 1].body }
      #expect(found == (0..<2).map { Bench.body(UInt64(10 + number) * 1_000 + $0) })
    }
  }

  @Test func `an error reaches every caller of the batch`() throws {
    let bench = try Bench()
    let disk = bench.machine.disk
    let group = GroupCommit(try bench.begun(), log: bench.log, keys: bench.keys)
    let answers = try Self.together(bench, group, (0..<4).map { Bench.command(UInt64(10 + $0)) }) {
      _ in disk.becomeFull(afterBytes: 0)
    }
    let full = JournalError.disk(DiskError(.write, bench.logFolder / "000000000001.gz", .full))
    #expect(answers.count == 4)
    #expect(answers.values.allSatisfy { $0 == .failure(full) })
    disk.clearWeather()
    #expect(try group.append([Bench.command(20)]).map(\.sequence) == [2])
  }

  @Test func `a command that is too large fails alone`() throws {
    let bench = try Bench()
    let group = GroupCommit(try bench.begun(), log: bench.log, keys: bench.keys)
    let bad = Command(time: Bench.start, events: [NewEvent(body: [0x80])])
    let answers = try Self.together(
      bench, group, [Bench.command(10), bad, Bench.command(11)])
    let failures = answers.filter { if case .failure = $0.value { true } else { false } }
    #expect(failures.keys.sorted() == [1])
    #expect(try bench.journal().contents(of: bench.log).events.count == 3)
  }

  @Test func `each caller's commands stay in order`() throws {
    let bench = try Bench()
    let group = GroupCommit(try bench.begun(), log: bench.log, keys: bench.keys)
    let sequences = Mutex<[Int: [UInt64]]>([:])
    let done = Atomic(0)
    for thread in 0..<4 {
      SystemThread.start {
        for number in 0..<10 {
          let command = Bench.command(UInt64(thread * 100 + number))
          let appended = try? group.append([command])
          sequences.withLock { $0[thread, default: []] += (appended ?? []).map(\.sequence) }
        }
        done.add(1, ordering: .acquiringAndReleasing)
      }
    }
    while done.load(ordering: .acquiring) < 4 {}
    let all = sequences.withLock { $0 }
    #expect(all.values.allSatisfy { $0.count == 10 && $0 == $0.sorted() })
    #expect(all.values.flatMap(\.self).sorted() == Array(2...41))
  }
}
