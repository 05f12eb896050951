import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Tails and sealed files with the same events.
@Suite struct OverlappingTailTests: TabledLogTests {
  let log: TabledLog

  init() throws { log = try TabledLog() }

  private var disk: SimulatedDisk { bench.machine.disk }
  /// A sealed file with events 1 to 5.
  private var sealed: Path { bench.logFolder / "000000000001-000000000005.gz" }

  /// The bytes of the sealed file, as another device has written it.
  private func sealedBytes() throws -> [UInt8] {
    let other = try Bench(keySeed: 40)
    var holder = try other.begun()
    for frame in first + second { try holder.receive(frame, of: bench.log, on: .logs) }
    _ = try holder.commit()
    try holder.seal(bench.log, keys: bench.keys)
    return try other.machine.disk.contents(of: sealed, limit: 1 << 20)
  }

  @Test func `Tail: a sealed file before it holds its lost events and gives their table`() throws {
    let end = try bench.journal().end(of: bench.log, on: .logs)
    try log.lose(2...5)
    try disk.replace(sealed, with: try sealedBytes())
    let journal = try bench.journal()
    #expect(try journal.contents(of: bench.log).events == whole)
    #expect(journal.end(of: bench.log, on: .logs) == end)
  }

  @Test func `Tail: a sealed file inside it does not hide its later events`() throws {
    let end = try bench.journal().end(of: bench.log, on: .logs)
    let sealed = bench.logFolder / "000000000002-000000000005.gz"
    try bench.machine.disk.replace(sealed, with: second.flatMap { $0 })
    var journal = try bench.journal()
    #expect(journal.end(of: bench.log, on: .logs) == end)
    #expect(try journal.contents(of: bench.log).events == whole)
    _ = try journal.append([Bench.command(7)], to: bench.log, keys: bench.keys)
    #expect(try bench.journal().contents(of: bench.log).events.count == 7)
  }

  @Test func `Tail: a damaged sealed file inside it does not hide its last event`() throws {
    let end = try bench.journal().end(of: bench.log, on: .logs)
    let damaged = bench.logFolder / "000000000002-000000000006.gz"
    try disk.replace(damaged, with: second.flatMap { $0 })
    var journal = try bench.journal()
    #expect(journal.end(of: bench.log, on: .logs) == end)
    #expect(try journal.contents(of: bench.log).events == whole)
    #expect(try journal.recover() == [Repair(file: damaged, kind: .removedCovered)])
    #expect(try bench.journal().contents(of: bench.log).events == whole)
  }

  @Test func `Tail: its events after the sealed file in which it begins count`() throws {
    let bytes = try disk.contents(of: tail, limit: 1 << 20)
    let second = try #require(
      bytes.indices.dropFirst().first { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) })
    try disk.replace(sealed, with: try sealedBytes())
    try disk.replace(bench.logFolder / "000000000002.gz", with: Array(bytes[second...]))
    try disk.remove(tail)
    #expect(try bench.journal().contents(of: bench.log).events == whole)
    let report = try Verification.run(on: Bench.folder, disk: disk)
    #expect(report.logs.map(\.events) == [6])
    #expect(report.logs.flatMap(\.missing) == [])
    let repeated = (2...5).map { Fault.Kind.repeated($0...$0) }
    #expect(report.faults.map(\.kind) == [.overlap] + repeated)
  }
}
