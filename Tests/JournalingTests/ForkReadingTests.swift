import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Testing

/// Counts how often each file is opened.
private final class Openings: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func note(_ path: Path) {
    guard path.name.hasSuffix(".gz") else { return }
    counts.withLock { $0[path.string, default: 0] += 1 }
  }

  /// Returns the counts in ascending order and resets them.
  func take() -> [Int] {
    counts.withLock { counts in
      defer { counts = [:] }
      return counts.values.sorted()
    }
  }
}

/// How often the files of a forked log are read.
struct ForkReadingTests {
  /// Writes a log, and returns a copy of the disk for each event except the first and the last.
  private static func forked(_ bench: Bench, times: Int) throws -> [SimulatedDisk] {
    var journal = try bench.begun()
    var disks: [SimulatedDisk] = []
    for number in 1...UInt64(times) {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
      // Some forks are in a sealed file.
      if number == 4 { try journal.seal(bench.log, keys: bench.keys) }
      disks.append(bench.machine.disk.copy())
    }
    _ = try journal.append([Bench.command(50)], to: bench.log, keys: bench.keys)
    return disks
  }

  /// Appends a command on a copied disk and receives the branch.
  private static func take(
    from disk: SimulatedDisk, _ number: UInt64, _ bench: Bench, into journal: inout Journal
  ) throws {
    var clone = try Bench.journal(on: bench.copy(of: disk, seed: number + 7))
    _ = try clone.append([Bench.command(number + 100)], to: bench.log, keys: bench.keys)
    for frame in try clone.exported(bench.log, after: number + 1, keys: bench.keys) {
      try journal.receive(frame, of: bench.log, on: .logs)
    }
  }

  @Test func `Fork: opening and committing a forked log read each file at most once`() throws {
    let bench = try Bench()
    let disks = try Self.forked(bench, times: 9)
    var journal = try bench.journal()
    for (number, disk) in disks.dropLast().enumerated() {
      try Self.take(from: disk, UInt64(number) + 1, bench, into: &journal)
      _ = try journal.commit()
    }
    #expect(journal.forks.count == 16)

    let openings = Openings()
    let counting = InterruptedDisk(bench.machine.disk, opening: openings.note)
    let machine = Machine(
      disk: counting, timekeeper: bench.machine.timekeeper, dice: bench.machine.dice,
      network: bench.machine.network)
    var reopened = try Bench.journal(on: machine)
    // A sealed file, its tail, and one file for each branch.
    #expect(openings.take() == Array(repeating: 1, count: 10))
    let same = reopened.logs == journal.logs && reopened.forks == journal.forks
    #expect(same)

    try Self.take(from: disks[8], 9, bench, into: &reopened)
    _ = openings.take()
    _ = try reopened.commit()
    #expect(reopened.forks.count == 18)
    // Only the file with the event that the new branch leaves is read.
    #expect(openings.take() == [1])
    try reopened.note(holes: [bench.log: [2...2]])
    #expect(openings.take() == [1])
    _ = try reopened.commit()
    #expect(openings.take() == [])
  }
}
