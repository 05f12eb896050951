import Bytes
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// A tail that damage has kept from being sealed, with other files after it.
@Suite struct LeftTailTests {
  private let bench: Bench
  /// Frames that another device holds, each ending in a head.
  private var held: [[UInt8]] = []
  /// The first tail.
  private let tail: Path

  /// A log with five commands in its tail.
  init() throws {
    bench = try Bench()
    tail = bench.logFolder / "000000000001.gz"
    var journal = try bench.begun()
    for number: UInt64 in 1...5 {
      let end = journal.logs[bench.log]?.sequence ?? 0
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
      held += try journal.exported(bench.log, after: end, keys: bench.keys)
    }
  }

  /// Damages frames of the first tail, given by their indices.
  private func rot(_ frames: Set<Int>) throws {
    var reader = try bench.journal().reader(of: bench.log)
    var offsets: [Int] = []
    while let read = try reader.read() { offsets.append(read.offset) }
    for frame in frames { bench.machine.disk.rot(tail, at: offsets[frame] + 50, flipping: 255) }
  }

  /// Appends until the tail is large enough to be sealed; its damage prevents that.
  private func fillTail(_ journal: inout Journal) throws {
    var number: UInt64 = 10
    while try bench.machine.disk.status(tail)?.size ?? 0 < Limit.tailBytes {
      let command = Bench.command(number, byteCount: 8_000)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
      number += 1
    }
  }

  private var tails: [String] {
    get throws { try bench.machine.disk.list(bench.logFolder).filter { !$0.contains("-") } }
  }

  @Test func `Damaged tail: if a second tail follows it, only unreadable frames are lost`() throws {
    try rot([2])
    var journal = try bench.journal()
    try fillTail(&journal)
    _ = try journal.append([Bench.command(90)], to: bench.log, keys: bench.keys)
    #expect(try tails == ["000000000001.gz", "000000000020.gz"])
    journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [4...5])
    let read = try journal.contents(of: bench.log).events.map(\.sequence)
    #expect(read == Array(1...3) + Array(6...20))
    let places = try journal.places()
    #expect(places.map(\.sequence) == [3])
    #expect(places.map(\.islands) == [[6...20]])
    let isSound = journal.isSound(bench.log)
    #expect(isSound)
  }

  @Test func `Damaged tail: its holes are known, even before a damaged sealed file`() throws {
    try rot([2])
    var journal = try bench.journal()
    try fillTail(&journal)
    let batch = (50...51).map { Bench.command($0, byteCount: 40_000) }
    _ = try journal.append(batch, to: bench.log, keys: bench.keys)
    journal = try bench.journal()
    var holes = journal.holes(in: bench.log)
    #expect(holes == [4...5])
    // If the sealed file cannot be read, the log extends to the end of the tail.
    let sealed = bench.logFolder / "000000000020-000000000021.gz"
    bench.machine.disk.rot(sealed, at: 60, flipping: 255)
    journal = try bench.journal()
    holes = journal.holes(in: bench.log)
    #expect(holes == [4...5])
    #expect(journal.logs[bench.log]?.sequence == 19)
    #expect(journal.parts.index.states[bench.log]?.ending == .lost(20...21))
  }

  @Test func `Damaged tail: events missing between it and the next file are a hole`() throws {
    try rot([2])
    var journal = try bench.journal()
    var reader = try journal.reader(of: bench.log, from: 10)
    let cut = try #require(try reader.read()).offset
    let batch = (50...51).map { Bench.command($0, byteCount: 40_000) }
    _ = try journal.append(batch, to: bench.log, keys: bench.keys)
    let bytes = try bench.machine.disk.contents(of: tail, limit: 1 << 20)
    try bench.machine.disk.replace(tail, with: Array(bytes.prefix(cut)))
    journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [4...5, 10...11])
    #expect(journal.logs[bench.log]?.sequence == 13)
  }

  @Test func `Damaged tail: several of its frames are restored in one step`() throws {
    try rot([1, 3])
    var journal = try bench.journal()
    try fillTail(&journal)
    _ = try journal.append([Bench.command(90)], to: bench.log, keys: bench.keys)
    journal = try bench.journal()
    for frame in held { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [])
    let found = try journal.contents(of: bench.log)
    #expect(found.events.map(\.sequence) == Array(1...20))
    #expect(found.damage == [])
  }

  @Test func `Damaged tail: once its first event is restored, it replaces its damaged sealed file`()
    throws
  {
    let bench = try Bench()
    var journal = try bench.begun()
    let first = try journal.exported(bench.log, after: 0, keys: bench.keys)
    // The event in the middle adds to the table, so the table after the event is unknown without it.
    let seen = Seen(log: .introduced(UniqueID(high: 3, low: 4)), sequence: 1, hash: .none)
    let event = NewEvent(seen: [seen], body: Bench.body(1))
    _ = try journal.append(
      [Command(time: Bench.start + 1_000, events: [event])], to: bench.log, keys: bench.keys)
    _ = try journal.append([Bench.command(2)], to: bench.log, keys: bench.keys)
    let (disk, tail) = (bench.machine.disk, bench.logFolder / "000000000001.gz")
    let left = try disk.contents(of: tail, limit: 1 << 20)
    var reader = try journal.reader(of: bench.log, from: 2)
    let lost = try #require(try reader.read()).offset
    try journal.seal(bench.log, keys: bench.keys)
    try disk.replace(tail, with: left)
    disk.rot(tail, at: lost + 60, flipping: 255)
    disk.rot(bench.logFolder / "000000000001-000000000003.gz", at: 60, flipping: 255)
    journal = try bench.journal()
    for frame in first { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    #expect(try disk.list(bench.logFolder) == ["000000000001.gz"])
    #expect(try bench.journal().contents(of: bench.log).events.map(\.sequence) == [1, 3])
  }
}
