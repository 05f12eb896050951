import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// The table of a log with a lost frame.
struct LostTableTests {
  private let other = UniqueID(high: 3, low: 4)
  private let third = UniqueID(high: 5, low: 6)

  /// A log whose second event introduces a log, and whose fourth introduces another if `introducesLater` is set.
  private func log(_ bench: Bench, introducesLater: Bool) throws -> [UInt8] {
    var journal = try bench.begun()
    let hash = UniqueID(high: 1, low: 1)
    for number: UInt64 in 2...5 {
      var event = NewEvent(body: Bench.body(number))
      if number == 2 { event.seen = [Seen(log: .introduced(other), sequence: 1, hash: hash)] }
      if number == 4, introducesLater {
        event.seen = [Seen(log: .introduced(third), sequence: 1, hash: hash)]
      }
      let command = Command(time: Bench.start, events: [event])
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    return try bench.machine.disk.contents(of: bench.logFolder / "000000000001.gz", limit: 1 << 20)
  }

  /// Changes a byte in the frame of the fourth event.
  private func strike(_ bench: Bench, _ bytes: [UInt8]) throws {
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    try #require(starts.count == 5)
    bench.machine.disk.rot(
      bench.logFolder / "000000000001.gz", at: starts[3] + 60, flipping: 1)
  }

  @Test func `Lost table: the table is known after a hole that added nothing to it`() throws {
    let bench = try Bench()
    try strike(bench, try log(bench, introducesLater: false))
    let journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [4...4])
    #expect(journal.logs[bench.log]?.table == [other])
    let isSound = journal.isSound(bench.log)
    #expect(isSound)
  }

  @Test func `Lost table: an entry added in a hole is unknown, and the others are known`() throws {
    let bench = try Bench()
    try strike(bench, try log(bench, introducesLater: true))
    let journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [4...4])
    #expect(journal.logs[bench.log]?.table == [other, UniqueID(high: 0, low: 0)])
    let isSound = journal.isSound(bench.log)
    #expect(!isSound)
  }

  @Test func `Lost table: a log with an unknown entry is not sealed`() throws {
    let bench = try Bench()
    try strike(bench, try log(bench, introducesLater: true))
    let before = bench.machine.disk.files
    var journal = try bench.journal()
    #expect(throws: JournalError.damaged(bench.log)) {
      try journal.seal(bench.log, keys: bench.keys)
    }
    #expect(bench.machine.disk.files == before)
  }

  @Test func `Lost table: a leftover tail of a sealed file has no influence`() throws {
    let bench = try Bench()
    let tail = try log(bench, introducesLater: true)
    var sealing = try bench.journal()
    try sealing.seal(bench.log, keys: bench.keys)
    try bench.machine.disk.replace(bench.logFolder / "000000000001.gz", with: tail)
    try strike(bench, tail)
    var journal = try bench.journal()
    #expect(journal.logs[bench.log]?.table == [other, third])
    let isSound = journal.isSound(bench.log)
    #expect(isSound)
    let holes = journal.holes(in: bench.log)
    #expect(holes == [])
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    #expect(try bench.journal().contents(of: bench.log).events.map(\.sequence) == Array(1...6))
  }

  // MARK: Frames without their table

  /// The logs that events 2, 3 and 4 add to the table.
  private static let added = (2...4).map { UniqueID(high: 7, low: $0) }

  /// A log's table at its end, and whether events can follow.
  private struct End: Equatable {
    var table: [UniqueID]?
    var isSound: Bool
  }

  /// Reads a log from the given files, each with frames of one event; frames with negative numbers lack the table.
  private static func end(of layout: [String: [Int]]) throws -> End {
    var log = try HandWrittenLog()
    var frames: [Int: [UInt8]] = [:]
    let added = Self.added.map { HandWrittenLog.introduction(of: $0) }
    let events = [log.opening] + added + [HandWrittenLog.plain("5"), HandWrittenLog.plain("6")]
    for (number, event) in zip(1..., events) {
      var untold = log
      frames[-number] = try untold.frame([event], hasTable: false)
      frames[number] = try log.frame([event])
    }
    let files = try layout.map { path, numbers in
      (path: path, bytes: try numbers.flatMap { try #require(frames[$0]) })
    }
    let disk = try ReplicaFiles(id: log.id, files: files).disk()
    let journal = try Bench.journal(on: Bench(keySeed: 40).copy(of: disk))
    return End(table: journal.logs[log.id]?.table, isSound: journal.isSound(log.id))
  }

  @Test(arguments: [
    ["000000000001-000000000002.gz": [1, 2], "000000000003.gz": [3, -5, -6]],
    ["000000000001-000000000002.gz": [1, 2], "000000000003.gz": [-3, -5, -6]],
    ["000000000001.gz": [1, 2, 3], "000000000005.gz": [-5, -6]],
    ["000000000001-000000000006.gz": [1, 2, 3, -5, -6]],
  ])
  func `Lost table: after a hole, only the entry that the lost event added is unknown`(
    layout: [String: [Int]]
  ) throws {
    let table = Array(Self.added.dropLast()) + [UniqueID(high: 0, low: 0)]
    #expect(try Self.end(of: layout) == End(table: table, isSound: false))
  }

  @Test(arguments: [
    ["000000000001-000000000003.gz": [1, 2, 3], "000000000004.gz": [-4, -5, -6]],
    ["000000000001.gz": [1, 2, 3], "000000000004.gz": [-4, -5, -6]],
    ["000000000001.gz": [1, 2], "000000000003.gz": [-3], "000000000004.gz": [-4, -5, -6]],
    ["000000000001-000000000006.gz": [1, -2, -3, -4, -5, -6]],
    ["000000000001-000000000003.gz": [1, -2, -3], "000000000004.gz": [-4, -5, -6]],
  ])
  func `Lost table: a frame that lacks its table continues the table of the frames before it`(
    layout: [String: [Int]]
  ) throws {
    #expect(try Self.end(of: layout).table == Self.added)
  }
}
