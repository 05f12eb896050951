import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Opening a journal with a cache of its tails.
@Suite struct TailCacheTests {
  /// A log with three events in its tail, and the journal's cache of that tail.
  private static func prepared() throws -> (Bench, TailCache) {
    let bench = try Bench()
    var journal = try bench.begun()
    for number in 1...2 as ClosedRange<UInt64> {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    return (bench, try bench.journal().tails)
  }

  /// The log as opened by a journal with the cache and by one without a cache.
  private static func openings(
    of bench: Bench, knowing tails: TailCache
  ) throws -> (known: Opening, afresh: Opening) {
    let known = try Journal(
      at: Bench.folder, on: bench.machine.machine, knowing: FrameCache(), tails)
    return (try Opening(known, bench.log), try Opening(try bench.journal(), bench.log))
  }

  private struct Opening: Equatable {
    let end: LogEnd?
    let isSound: Bool
    let holds: [Bool]

    init(_ journal: borrowing Journal, _ log: UniqueID) throws {
      end = journal.logs[log]
      isSound = journal.isSound(log)
      var holds: [Bool] = []
      for sequence in 0...5 as ClosedRange<UInt64> {
        // A lookup beyond the end throws.
        holds.append((try? journal.hash(of: log, at: sequence)) != nil)
      }
      self.holds = holds
    }
  }

  private static func tail(of bench: Bench) throws -> Path {
    bench.logFolder / (try #require(try bench.machine.disk.list(bench.logFolder).last))
  }

  @Test func `Tail cache: events after a cached tail are read`() throws {
    let (bench, tails) = try Self.prepared()
    var journal = try bench.journal()
    _ = try journal.append([Bench.command(3)], to: bench.log, keys: bench.keys)
    let openings = try Self.openings(of: bench, knowing: tails)
    #expect(openings.known == openings.afresh)
    #expect(openings.known.end?.sequence == 4)
  }

  @Test func `Tail cache: a cached tail with any byte damaged is read again`() throws {
    let (bench, tails) = try Self.prepared()
    let path = try Self.tail(of: bench)
    let sound = try Self.openings(of: bench, knowing: tails).known
    let size = try #require(try bench.machine.disk.status(path)).size
    for place in 0..<size {
      bench.machine.disk.rot(path, at: place, flipping: 1)
      let openings = try Self.openings(of: bench, knowing: tails)
      #expect(openings.known == openings.afresh)
      bench.machine.disk.rot(path, at: place, flipping: 1)
    }
    #expect(try Self.openings(of: bench, knowing: tails).known == sound)
  }

  @Test func `Tail cache: a cached tail that was truncated or sealed is read again`() throws {
    let (bench, tails) = try Self.prepared()
    let path = try Self.tail(of: bench)
    let bytes = try bench.machine.disk.contents(of: path, limit: 1 << 20)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      try bench.machine.disk.replace(path, with: Array(bytes[..<length]))
      let openings = try Self.openings(of: bench, knowing: tails)
      #expect(openings.known == openings.afresh)
    }
    try bench.machine.disk.replace(path, with: bytes)
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let openings = try Self.openings(of: bench, knowing: tails)
    #expect(openings.known == openings.afresh)
    #expect(openings.known.end?.sequence == 3)
  }
}
