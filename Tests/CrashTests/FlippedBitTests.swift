import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// A flipped bit in each byte of a journal with 200 events, and its repair from an intact copy.
struct FlippedBitTests {
  static let partCount = 4

  @Test(arguments: [false, true], 0..<partCount)
  func `Flipped bit: it is detected or harmless, confined to its frame, and restorable`(
    isSealed: Bool, part: Int
  ) throws {
    let (desk, path) = try Self.written(isSealed: isSealed)
    let intact = try desk.journal(on: desk.disk)
    let whole = try Contents(of: intact)
    #expect(whole.count == 200)
    let frames = try Self.frames(of: desk)
    let byteCount = try #require(desk.disk.files[path]).count
    #expect(frames.last?.bytes.upperBound == byteCount)
    let dice = Seeded(seed: 3)
    var problems: [String] = []
    for offset in 0..<byteCount where offset % Self.partCount == part {
      let bits: [UInt8] = offset % 64 == part ? Array(0..<8) : [UInt8(dice.number() % 8)]
      for bit in bits {
        let disk = desk.disk.copy()
        disk.rot(path, at: offset, flipping: 1 << bit)
        let isFound = try !Verification.run(on: Desk.folder, disk: disk).isClean
        let read = try Contents(of: desk.journal(on: disk)).logs[desk.log] ?? [:]
        if !isFound, read != whole.logs[desk.log] { problems.append("\(offset).\(bit) not found") }
        for frame in frames where !frame.bytes.contains(offset) {
          let isServed = frame.events.allSatisfy { read[$0] == whole.logs[desk.log]?[$0] }
          if !isServed { problems.append("\(offset).\(bit) hides \(frame.events)") }
        }
        for (sequence, held) in read where whole.logs[desk.log]?[sequence] != held {
          problems.append("\(offset).\(bit) changes \(sequence)")
        }
        guard isFound else { continue }
        try Self.heal(disk, from: intact, desk)
        let isClean = try Verification.run(on: Desk.folder, disk: disk).isClean
        let isWhole = try Contents(of: desk.journal(on: disk)) == whole
        if !isClean || !isWhole { problems.append("\(offset).\(bit) does not heal") }
      }
    }
    #expect(problems == [])
  }

  /// Records the lost events as holes and fills them from an intact copy.
  private static func heal(
    _ disk: SimulatedDisk, from intact: borrowing Journal, _ desk: Desk
  ) throws {
    var journal = try desk.journal(on: disk)
    _ = try journal.recover()
    let lost = try Contents(of: journal).damage.compactMap { damage in
      if case .missing(let range) = damage.kind { range } else { nil }
    }
    try journal.note(holes: [desk.log: lost])
    var export = try intact.export(of: desk.log, lackedBy: try journal.places(), keys: desk.keys)
    while let frame = try export.next() { try journal.receive(frame, of: desk.log, on: .logs) }
    _ = try journal.commit()
  }

  /// A log that consists of one file, and the path of that file.
  private static func written(isSealed: Bool) throws -> (Desk, Path) {
    let desk = try Desk()
    var journal = try desk.journal(on: desk.disk)
    try desk.begin(&journal)
    for number in UInt64(1)...9 {
      try desk.append([Desk.command(number, events: 20, byteCount: 2)], to: &journal)
    }
    try desk.append([Desk.command(10, events: 19, byteCount: 2)], to: &journal)
    if isSealed { try journal.seal(desk.log, keys: desk.keys) }
    let path = try #require(desk.disk.files.keys.first)
    #expect(desk.disk.files.count == 1)
    return (desk, path)
  }

  private static func frames(
    of desk: Desk
  ) throws -> [(bytes: Range<Int>, events: ClosedRange<UInt64>)] {
    let journal = try desk.journal(on: desk.disk)
    var reader = try journal.reader(of: desk.log)
    var frames: [(bytes: Range<Int>, events: ClosedRange<UInt64>)] = []
    while let read = try reader.read() {
      frames.append(
        (
          read.offset..<read.offset + read.frame.length,
          read.frame.firstSequence...read.frame.lastSequence
        ))
    }
    return frames
  }
}
