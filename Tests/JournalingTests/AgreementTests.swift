import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Verification, which does not use the journal's code, accepts everything that the journal writes.
@Suite struct AgreementTests {
  @Test func `Verification: logs that a journal wrote and received have no faults`() throws {
    let (other, own) = (try Bench(seed: 3, keySeed: 40), try Bench())
    var theirs = try other.begun()
    var ours = try own.begun()
    for round: UInt64 in 1...6 {
      _ = try theirs.append(
        [Bench.command(round, events: 5)], to: other.log, keys: other.keys)
      let held = ours.logs[other.log]?.sequence ?? 0
      for frame in try theirs.exported(other.log, after: held, keys: other.keys) {
        try ours.receive(frame, of: other.log, on: .logs)
      }
      _ = try ours.commit()
      try Self.answer(round, to: other.log, own, &ours)
      if round == 3 { try ours.seal(own.log, keys: own.keys) }
      if round == 4 { try ours.seal(other.log, keys: nil) }
    }
    let batch = (10...400).map { Bench.command(UInt64($0), byteCount: 400) }
    _ = try ours.append(batch, to: own.log, keys: own.keys)
    _ = try ours.append([Bench.command(500)], to: own.log, keys: own.keys)

    let report = try Verification.run(on: Bench.folder, disk: own.machine.disk)
    #expect(report.faults == [])
    let count = report.logs.reduce(0) { $0 + $1.events }
    #expect(count == 31 + 13 + 392)
  }

  /// Appends a command that has seen the other log.
  ///
  /// Together, the rounds use every field of a header.
  private static func answer(
    _ round: UInt64, to log: UniqueID, _ own: Bench, _ journal: inout Journal
  ) throws {
    let end = try #require(journal.logs[log])
    let table = try #require(journal.logs[own.log]).table
    let seen = Seen(
      log: table.isEmpty ? .introduced(log) : .index(0), sequence: end.sequence,
      hash: end.hash.prefix16, missing: round == 2 ? [3...4, 7...7] : [])
    let events = [
      NewEvent(
        when: Bench.start - Int64(round) * 5_000, seen: [seen],
        link: round == 5 ? Reference(sequence: 2) : nil, body: Bench.body(round)),
      NewEvent(
        link: round == 6 ? Reference(index: 0, sequence: 2) : nil, body: Bench.body(round + 100)),
    ]
    _ = try journal.append(
      [Command(time: Bench.start + Int64(round), events: events)], to: own.log, keys: own.keys)
  }
}
