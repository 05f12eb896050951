import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

@Suite struct FrameTests {
  @Test func `Frame: the chain hash is computed as the protocol defines it`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    var reader = try journal.reader(of: bench.log)
    var hash = SHA256.digest(of: Array("daybook log v1".utf8) + bench.log.bytes)
    var count = 0
    while let read = try reader.read() {
      guard case .seed(let seed)? = read.frame.information.blocks.first else { continue }
      for event in read.frame.events {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: event.sequence >> (56 - 8 * $0)) }
        let salt = SHA256.digest(of: Array("daybook salt v1".utf8) + seed.bytes + number)
        let body = Array(read.frame.content[event.body])
        let salted = SHA256.digest(of: salt.prefix16.bytes + body)
        let header = Array(read.frame.content[event.header])
        hash = SHA256.digest(of: hash.bytes + header + salted.bytes)
        #expect(event.hash == hash)
        count += 1
      }
    }
    #expect(count == 2)
    let end = journal.logs[bench.log]
    #expect(end?.hash == hash)
  }

  @Test func `Frame: a commit of one small event takes at most 141 bytes`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let path = bench.logFolder / "000000000001.gz"
    let before = try #require(bench.machine.disk.files[path]).count
    // A header of 3 bytes and a body of 17 bytes.
    let event = NewEvent(body: Bench.body(1, byteCount: 12))
    #expect(event.body.count == 17)
    _ = try journal.append(
      [Command(time: Bench.start + 1_000, events: [event])], to: bench.log, keys: bench.keys)
    let after = try #require(bench.machine.disk.files[path]).count
    #expect(after - before <= 141)
  }

  @Test func `Frame: a long batch is sealed in frames of 256 KiB with heads`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let commands = (1...4_000).map { Bench.command(UInt64($0), byteCount: 100) }
    _ = try journal.append(commands, to: bench.log, keys: bench.keys)
    var reader = try journal.reader(of: bench.log)
    var sizes: [Int] = []
    while let read = try reader.read() {
      let frame = read.frame
      sizes.append(frame.content.count)
      let head = try #require(frame.head)
      let last = try #require(frame.events.last)
      #expect(head.proves(bench.log, upTo: last, by: bench.keys.signing.publicKey))
    }
    #expect(sizes.dropFirst().dropLast().allSatisfy { (240 << 10)...(264 << 10) ~= $0 })
    let found = try journal.contents(of: bench.log)
    #expect(found.events.count == 4_001)
    #expect(
      try bench.machine.disk.list(bench.logFolder) == [
        "000000000001-000000000001.gz", "000000000002-000000004001.gz",
      ])
  }

  @Test func `Frame: a command that is too large is refused, and no file changes`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let before = bench.machine.disk.files
    #expect(throws: JournalError.self) {
      let events = Array(repeating: NewEvent(body: Bench.body(1)), count: 16_385)
      _ = try journal.append(
        [Command(time: Bench.start, events: events)], to: bench.log, keys: bench.keys)
    }
    #expect(throws: JournalError.self) {
      let events = Array(repeating: NewEvent(body: Bench.body(1, byteCount: 66_000)), count: 10)
      _ = try journal.append(
        [Command(time: Bench.start, events: events)], to: bench.log, keys: bench.keys)
    }
    #expect(bench.machine.disk.files == before)
  }

  @Test func `Frame: the largest command is stored whole`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let events = (0..<16_384).map { NewEvent(body: Bench.body(UInt64($0), byteCount: 30)) }
    _ = try journal.append(
      [Command(time: Bench.start, events: events)], to: bench.log, keys: bench.keys)
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.dropFirst().map(\.body) == events.map(\.body))
    #expect(found.damage == [])
  }

  @Test func `Frame: a flipped bit is detected and affects only its own frame`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    for number in 1...3 {
      _ = try journal.append(
        [Bench.command(UInt64(number), events: 2)], to: bench.log, keys: bench.keys)
    }
    try Self.flipEverything(bench, bench.logFolder / "000000000001.gz", frames: [1, 2, 2, 2])
    try journal.seal(bench.log, keys: bench.keys)
    try Self.flipEverything(
      bench, bench.logFolder / "000000000001-000000000007.gz", frames: [7])
  }

  /// Flips one bit of each byte of a file in turn, and compares the readable events.
  private static func flipEverything(_ bench: Bench, _ path: Path, frames: [Int]) throws {
    let whole = try bench.journal().contents(of: bench.log)
    #expect(whole.damage == [])
    #expect(whole.events.count == frames.reduce(0, +))
    let size = try #require(bench.machine.disk.files[path]).count
    for offset in 0..<size {
      let disk = bench.machine.disk.copy()
      disk.rot(path, at: offset, flipping: 1 << UInt8(offset % 8))
      let left = try Bench.journal(on: bench.copy(of: disk)).contents(of: bench.log)
      if left.events == whole.events { continue }
      #expect(!left.damage.isEmpty, "byte \(offset)")
      // Exactly the events of one frame are missing.
      let lost = Set(whole.events).subtracting(left.events).map(\.sequence).sorted()
      var first: UInt64 = 1
      var isOneFrame = false
      for count in frames {
        let range = first...first + UInt64(count) - 1
        if lost == Array(range) { isOneFrame = true }
        first = range.upperBound + 1
      }
      #expect(isOneFrame, "byte \(offset) costs \(lost)")
      #expect(Set(left.events).isSubset(of: whole.events))
      #expect(left.events.count + lost.count == whole.events.count)
    }
  }
}
