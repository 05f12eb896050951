import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Opening a journal with a cache of the ends of its logs.
@Suite struct LogEndCacheTests {
  /// The cache of a journal, after encoding and decoding.
  private static func logEndCache(of journal: borrowing Journal) throws -> LogEndCache {
    try LogEndCache(decoding: journal.logEndCache().encode())
  }

  private static func ends(
    of bench: Bench, recalling logEndCache: LogEndCache
  ) throws -> [UniqueID: LogEnd] {
    try Journal(at: Bench.folder, on: bench.machine.machine, recalling: logEndCache).logs
  }

  /// A log with two sealed events and `tail` events in its tail.
  private static func prepared(
    tail: Int, last: Command? = nil
  ) throws -> (Bench, LogEndCache) {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    for number in 0..<UInt64(tail) {
      let isLast = Int(number) + 1 == tail
      let command = (isLast ? last : nil) ?? Bench.command(number + 2)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    return (bench, try logEndCache(of: journal))
  }

  /// Flips a byte in the last frame.
  ///
  /// The file keeps its size and time.
  private static func rot(_ bench: Bench) throws {
    let path = bench.logFolder / (try #require(try bench.machine.disk.list(bench.logFolder).last))
    let size = try #require(try bench.machine.disk.status(path)).size
    bench.machine.disk.rot(path, at: size - 20, flipping: 255)
  }

  @Test(arguments: [0, 1, 3])
  func `Log end cache: an unchanged log is opened without reading its last file`(tail: Int) throws {
    let (bench, logEndCache) = try Self.prepared(tail: tail)
    let ends = try bench.journal().logs
    #expect(try Self.ends(of: bench, recalling: logEndCache) == ends)
    try Self.rot(bench)
    #expect(try Self.ends(of: bench, recalling: logEndCache) == ends)
    #expect(try bench.journal().logs != ends)
  }

  @Test(arguments: [0, 1])
  func `Log end cache: events written after caching are found`(tail: Int) throws {
    let (bench, logEndCache) = try Self.prepared(tail: tail)
    var journal = try bench.journal()
    _ = try journal.append([Bench.command(50)], to: bench.log, keys: bench.keys)
    #expect(try Self.ends(of: bench, recalling: logEndCache) == journal.logs)
    try journal.seal(bench.log, keys: bench.keys)
    #expect(try Self.ends(of: bench, recalling: logEndCache) == journal.logs)
  }

  @Test func `Log end cache: continuing a cached log writes the same files as without it`() throws {
    let (bench, logEndCache) = try Self.prepared(tail: 3)
    // The seeds of blocks come from the dice. Machines that are created with the same seed have the same dice.
    let copies = [bench.machine.disk.copy(), bench.machine.disk.copy()]
    var whole = try Bench.journal(on: bench.copy(of: copies[0]))
    var continued = try Journal(
      at: Bench.folder, on: bench.copy(of: copies[1]),
      recalling: logEndCache.continuing(bench.log))
    let isRecalled = continued.isRecalled
    #expect(!isRecalled)
    for number in [UInt64(90), 91] {
      let command = Bench.command(number)
      let expected = try whole.append([command], to: bench.log, keys: bench.keys)
      let appended = try continued.append([command], to: bench.log, keys: bench.keys)
      #expect(appended == expected)
    }
    #expect(copies[0].files == copies[1].files)
    try continued.seal(bench.log, keys: bench.keys)
    let found = try Bench.journal(on: bench.copy(of: copies[1])).contents(of: bench.log)
    #expect(found.events.map(\.sequence) == Array(1...7))
    #expect(found.damage == [])
  }

  @Test func `Log end cache: the continued log is read if its last frame is damaged`() throws {
    let (bench, logEndCache) = try Self.prepared(tail: 3)
    try Self.rot(bench)
    let continued = try Journal(
      at: Bench.folder, on: bench.machine.machine, recalling: logEndCache.continuing(bench.log))
    let (logs, isDamaged) = (continued.logs, try continued.endsInDamage(bench.log))
    #expect(logs == (try bench.journal().logs))
    #expect(isDamaged)
  }

  @Test func `Log end cache: the continued log is read if it has a different end`() throws {
    let (bench, logEndCache) = try Self.prepared(tail: 1)
    let end = try bench.journal().logs[bench.log]
    let name = try #require(try bench.machine.disk.list(bench.logFolder).last)
    // Another event of the same size, written at the same time.
    let last = Command(
      time: Bench.command(2).time, events: [NewEvent(body: Bench.body(2_001))])
    let (other, _) = try Self.prepared(tail: 1, last: last)
    let bytes = try other.machine.disk.contents(of: other.logFolder / name, limit: 1 << 20)
    let before = try #require(try bench.machine.disk.status(bench.logFolder / name))
    try bench.machine.disk.replace(bench.logFolder / name, with: bytes)
    let after = try #require(try bench.machine.disk.status(bench.logFolder / name))
    try #require(after.size == before.size && after.modified == before.modified)
    let continued = try Journal(
      at: Bench.folder, on: bench.machine.machine, recalling: logEndCache.continuing(bench.log))
    let logs = continued.logs
    #expect(logs[bench.log] != end)
    #expect(logs == (try bench.journal().logs))
  }

  @Test func `Log end cache: a file with the same size but a different time is read`() throws {
    let (bench, logEndCache) = try Self.prepared(tail: 1)
    let end = try bench.journal().logs[bench.log]
    let name = try #require(try bench.machine.disk.list(bench.logFolder).last)
    let bytes = try bench.machine.disk.contents(of: bench.logFolder / name, limit: 1 << 20)
    bench.machine.timekeeper.advance(milliseconds: 5)
    var changed = bytes
    changed[60] ^= 255
    try bench.machine.disk.replace(bench.logFolder / name, with: changed)
    #expect(try Self.ends(of: bench, recalling: logEndCache)[bench.log] != end)
  }

  @Test func `Log end cache: a log that ends in an unfinished write is left out`() throws {
    let (bench, _) = try Self.prepared(tail: 2)
    let name = try #require(try bench.machine.disk.list(bench.logFolder).last)
    let file = try OpenFile(bench.logFolder / name, .write, on: bench.machine.disk)
    try file.write([1, 2, 3], at: file.size())
    #expect(try bench.journal().logEndCache().encode() == [0x80])
  }
}
