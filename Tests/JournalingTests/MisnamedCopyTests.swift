import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Copies of log files under the number of a later event, as a user may leave them in the folder.
@Suite struct MisnamedCopyTests {
  /// A log with three commands in its tail, and the offsets of its frames.
  private static func prepared() throws -> (bench: Bench, tail: Path, offsets: [Int]) {
    let bench = try Bench()
    var journal = try bench.begun()
    for number: UInt64 in 1...3 {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
    var reader = try journal.reader(of: bench.log)
    var offsets: [Int] = []
    while let read = try reader.read() { offsets.append(read.offset) }
    return (bench, bench.logFolder / "000000000001.gz", offsets)
  }

  @Test(arguments: [2, 3, 6, 9], [false, true])
  func `Recovery: a copy of a file under a later number is moved into quarantine`(
    number: Int, isSealed: Bool
  ) throws {
    let (bench, tail, _) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    let copy = bench.logFolder / "00000000000\(number).gz"
    var journal = try bench.journal()
    if isSealed { try journal.seal(bench.log, keys: bench.keys) }
    try bench.machine.disk.replace(copy, with: whole)
    var reopened = try bench.journal()
    let repairs = try reopened.recover()
    let moved = bench.machine.disk.files.filter { $0.key.parent == Bench.folder / "quarantine" }
    let place = try #require(moved.keys.first)
    #expect(moved == [place: whole])
    #expect(repairs == [Repair(file: copy, kind: .moved(byteCount: whole.count, to: place))])
    #expect(bench.machine.disk.files[copy] == nil)
    let found = try reopened.contents(of: bench.log)
    #expect(found.events.count == 7 && found.damage == [])
    // Nothing prevents a new command or a new sealed file any longer.
    _ = try reopened.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    try reopened.seal(bench.log, keys: bench.keys)
    #expect(try bench.journal().contents(of: bench.log).events.count == 8)
  }

  @Test func `Recovery: a copy of a file stays if it has an event that no other file has`() throws {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    let copy = bench.logFolder / "000000000003.gz"
    try bench.machine.disk.replace(copy, with: whole)
    try bench.machine.disk.replace(tail, with: Array(whole[..<offsets[3]]))
    var journal = try bench.journal()
    #expect(try journal.recover() == [])
    #expect(bench.machine.disk.files[copy] == whole)
    #expect(try journal.contents(of: bench.log).events.count == 7)
  }
}
