import Bytes
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// The files that are rewritten when lost events are restored.
@Suite struct MendedFilesTests {
  private let bench: Bench
  private let whole: [Found]
  private let names: [String]
  /// The whole log, in frames that another device sends.
  private let frames: [[UInt8]]

  /// A log with its first event in one sealed file, and five more files of three frames each.
  init() throws {
    bench = try Bench()
    var journal = try bench.begun()
    for number: UInt64 in 0..<5 {
      let batch = (1...3).map { Self.command(number * 3 + $0) }
      _ = try journal.append(batch, to: bench.log, keys: bench.keys)
    }
    whole = try journal.contents(of: bench.log).events
    frames = try journal.exported(bench.log, keys: bench.keys)
    names = try bench.machine.disk.list(bench.logFolder)
  }

  /// A command that fills a frame and compresses well.
  private static func command(_ number: UInt64) -> Command {
    let pattern = Seeded(seed: number).bytes(2_000)
    var bytes: [UInt8] = []
    for _ in 0..<70 { bytes += pattern }
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(2)
    writer.unsigned(number)
    writer.byteString(bytes)
    return Command(
      time: Bench.start + Int64(number) * 1_000, events: [NewEvent(body: writer.bytes)])
  }

  /// Damages the middle one of the three frames in each file except the last.
  private func loseMiddles() throws {
    var reader = try bench.journal().reader(of: bench.log)
    var places: [(file: Path, offset: Int)] = []
    while let read = try reader.read() {
      if read.frame.firstSequence % 3 == 0 { places.append((read.file, read.offset)) }
    }
    for place in places.dropLast() {
      bench.machine.disk.rot(place.file, at: place.offset + 1_000, flipping: 4)
    }
    var journal = try bench.journal()
    try journal.note(holes: [bench.log: [3...3, 6...6, 9...9, 12...12]])
    let found = try journal.contents(of: bench.log).events.map(\.sequence)
    #expect(found == [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 15, 16])
  }

  @Test func `Hole filling: a hole within a file is filled in that file`() throws {
    let ranges: [ClosedRange<UInt64>] = [1...1, 2...4, 5...7, 8...10, 11...13, 14...16]
    #expect(names == ranges.map { SegmentName.sealed($0).string })
    try loseMiddles()
    var journal = try bench.journal()
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    journal = try bench.journal()
    let found = try journal.contents(of: bench.log)
    let isWhole = found.events == whole
    #expect(isWhole)
    #expect(found.damage == [])
    let holes = journal.holes(in: bench.log)
    #expect(holes == [])
    #expect(try bench.machine.disk.list(bench.logFolder) == names)
  }

  @Test func `Hole filling: a hole is not filled if its file would exceed the size limit`() throws {
    try loseMiddles()
    let before = bench.machine.disk.files
    var journal = try bench.journal()
    // Slightly less than the size of a file with all three frames.
    let last = bench.logFolder / SegmentName.sealed(14...16).string
    journal.parts.store.mendedBytes = try #require(bench.machine.disk.files[last]).count - 500
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    let isUnchanged = bench.machine.disk.files == before
    #expect(isUnchanged)
    let holes = journal.holes(in: bench.log)
    #expect(holes == [3...3, 6...6, 9...9, 12...12])
  }
}
