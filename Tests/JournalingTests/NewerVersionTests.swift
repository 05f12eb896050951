import Bytes
import Crypto
import Gzip
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Files that a newer version has written stay unchanged.
struct NewerVersionTests {
  private static let version: UInt8 = 2

  /// A log of three events, followed by a frame of version 2 with `extra` bytes in its header.
  private func written(_ bench: Bench, extra: [UInt8] = []) throws -> Path {
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1), Bench.command(2)], to: bench.log, keys: bench.keys)
    let path = bench.logFolder / "000000000001.gz"
    let disk = bench.machine.disk
    let bytes = try disk.contents(of: path, limit: 1 << 20)
    try disk.replace(path, with: bytes + Self.frame(of: Self.version, extra))
    return path
  }

  /// A frame with a valid header, and content that only its version can read.
  private static func frame(of version: UInt8, _ more: [UInt8] = []) -> [UInt8] {
    let content: [UInt8] = [1, 2, 3]
    return GzipMember.compress(content.span, level: 6, extraCount: 29 + more.count) { length in
      [0x44, 0x42, UInt8(25 + more.count), 0, version, UInt8(length), 0, 0, 0]
        + [4, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0] + [UInt8](repeating: 7, count: 8)
        + more
    }
  }

  @Test(arguments: [[], [1, 2, 3]] as [[UInt8]])
  func `Newer version: its frames are kept, and every write fails`(extra: [UInt8]) throws {
    let bench = try Bench()
    let path = try written(bench, extra: extra)
    let disk = bench.machine.disk
    let before = disk.files
    var journal = try bench.journal()
    #expect(try journal.contents(of: bench.log).events.count == 3)
    let newer = JournalError.newer(bench.log, version: Self.version)
    #expect(throws: newer) { _ = try journal.recover() }
    #expect(throws: newer) {
      _ = try journal.append([Bench.command(3)], to: bench.log, keys: bench.keys)
    }
    var erasures = Erasures()
    erasures.insert(
      EventName(log: bench.log, sequence: 2),
      by: Landmark(log: bench.log, sequence: 3, hash: UniqueID(high: 0, low: 0)))
    #expect(throws: newer) { _ = try journal.strip(erasures) }
    #expect(disk.files == before)
    #expect(disk.files[path] != nil)
  }

  @Test func `Newer version: filling a hole fails in a file that it has extended`() throws {
    let bench = try Bench()
    let (path, disk) = (bench.logFolder / "000000000001.gz", bench.machine.disk)
    var journal = try bench.begun()
    for number: UInt64 in 1...2 {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
    }
    let frames = try journal.exported(bench.log, keys: bench.keys)
    var reader = try journal.reader(of: bench.log, from: 2)
    let lost = try #require(try reader.read()?.offset)
    disk.rot(path, at: lost + 50, flipping: 255)
    journal = try bench.journal()
    let bytes = try disk.contents(of: path, limit: 1 << 20)
    try disk.replace(path, with: bytes + Self.frame(of: Self.version))
    let before = disk.files
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    #expect(throws: JournalError.newer(bench.log, version: Self.version)) {
      _ = try journal.commit()
    }
    #expect(disk.files == before)
  }

  /// Writes a sealed file whose second frame is of version 2, and `others` files after it.
  private func sealed(
    _ bench: Bench, others: Int
  ) throws -> (log: UniqueID, newer: JournalError) {
    var log = try HandWrittenLog()
    let folder = Bench.folder / "logs" / log.id.hex
    try bench.machine.disk.makeDirectories(folder)
    var bytes = try log.frame([log.opening])
    bytes += try log.frame([HandWrittenLog.plain()]) { $0.version = Self.version }
    bytes += try log.frame([HandWrittenLog.plain()])
    try bench.machine.disk.replace(folder / "000000000001-000000000003.gz", with: bytes)
    for number in 0..<others {
      try bench.machine.disk.replace(
        folder / "00000000000\(4 + number).gz", with: try log.frame([HandWrittenLog.plain()]))
    }
    return (log.id, .newer(log.id, version: Self.version))
  }

  @Test func `Newer version: a frame before the last one of the newest file is noticed`() throws {
    let bench = try Bench()
    let (_, newer) = try sealed(bench, others: 0)
    let journal = try bench.journal()
    #expect(throws: newer) { try journal.refuseNewer() }
  }

  @Test
  func `Newer version: a frame in an earlier sealed file is noticed once its event is missed`()
    throws
  {
    let bench = try Bench()
    let (log, newer) = try sealed(bench, others: 1)
    var journal = try bench.journal()
    // Opening reads only the last file.
    try journal.refuseNewer()
    #expect(try journal.contents(of: log).events.count == 3)
    try journal.note(holes: [log: [2...2]])
    #expect(throws: newer) { try journal.refuseNewer() }
    var again = try bench.journal()
    #expect(again.holes(in: log) == [2...2])
    #expect(throws: newer) { try again.refuseNewer() }
    let before = bench.machine.disk.files
    #expect(throws: newer) { _ = try again.recover() }
    #expect(bench.machine.disk.files == before)
  }

  @Test func `Newer version: other damage of a sealed file is not taken for one`() throws {
    let bench = try Bench()
    let (log, _) = try sealed(bench, others: 1)
    let file = Bench.folder / "logs" / log.hex / "000000000001-000000000003.gz"
    var bytes = try bench.machine.disk.contents(of: file, limit: 1 << 20)
    let place = try #require(
      bytes.indices.dropFirst(16).first { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) })
    bytes[place + 20] ^= 1
    try bench.machine.disk.replace(file, with: bytes)
    var journal = try bench.journal()
    try journal.note(holes: [log: [2...2]])
    try journal.refuseNewer()
    #expect(journal.holes(in: log) == [2...2])
  }

  @Test func `Newer version: a frame with a damaged header is cut off like other damage`() throws {
    let bench = try Bench()
    var bytes = Self.frame(of: Self.version)
    bytes[20] ^= 1
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    let path = bench.logFolder / "000000000001.gz"
    let disk = bench.machine.disk
    let whole = try disk.contents(of: path, limit: 1 << 20)
    try disk.replace(path, with: whole + bytes)
    var reopened = try bench.journal()
    #expect(try reopened.recover().count == 1)
    #expect(disk.files[path] == whole)
  }
}
