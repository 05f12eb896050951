import Bytes
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// What a disk that writes to a wrong place puts into the file of another log.
@Suite struct ForeignFrameTests {
  let bench: Bench
  /// A log of somebody else, whose every command ends in a head.
  let guest: Bench
  let frames: [[UInt8]]
  let whole: [Found]

  init() throws {
    bench = try Bench()
    guest = try Bench(keySeed: 40)
    var own = try bench.begun()
    var theirs = try guest.begun()
    var frames = try theirs.exported(guest.log, keys: guest.keys)
    for number: UInt64 in 1...4 {
      _ = try own.append([Bench.command(number)], to: bench.log, keys: bench.keys)
      _ = try theirs.append([Bench.command(10 + number)], to: guest.log, keys: guest.keys)
      frames += try theirs.exported(guest.log, after: number, keys: guest.keys)
    }
    for frame in frames { try own.receive(frame, of: guest.log, on: .logs) }
    _ = try own.commit()
    self.frames = frames
    whole = try theirs.contents(of: guest.log).events
  }

  var ownTail: Path { bench.logFolder / "000000000001.gz" }
  var guestTail: Path {
    Bench.folder / "logs" / guest.log.hex / "000000000001.gz"
  }

  func bytes(of path: Path) throws -> [UInt8] {
    try bench.machine.disk.contents(of: path, limit: 1 << 20)
  }

  /// The frames of the own log, as they lie in its file.
  func ownFrames() throws -> [[UInt8]] {
    let bytes = try bytes(of: ownTail)
    var reader = try bench.journal().reader(of: bench.log)
    var frames: [[UInt8]] = []
    while let read = try reader.read() {
      frames.append(Array(bytes[read.offset..<read.offset + read.frame.length]))
    }
    return frames
  }

  private func heal() throws {
    var journal = try bench.journal()
    for frame in frames { try journal.receive(frame, of: guest.log, on: .logs) }
    _ = try journal.commit()
  }

  @Test func `a log begins from its own hash, and not with another one's first event`() throws {
    try bench.machine.disk.replace(guestTail, with: try bytes(of: ownTail))
    var found = try bench.journal().contents(of: guest.log)
    #expect(found.events == [])
    try heal()
    found = try bench.journal().contents(of: guest.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `another log's frame between two of a log is passed over`() throws {
    let (own, theirs) = (try ownFrames(), try bytes(of: guestTail))
    for place in 0..<own.count {
      // At the end, too, where nothing of the log follows.
      var file = Array(theirs)
      file += own[place]
      try bench.machine.disk.replace(guestTail, with: file)
      let found = try bench.journal().contents(of: guest.log).events
      #expect(found == whole)
    }
  }

  @Test func `what another log holds is passed over behind a gap`() throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(guestTail, with: frames[0] + zeros + own[2] + own[3])
    var journal = try bench.journal()
    #expect(journal.logs[guest.log]?.sequence == 1)
    _ = try journal.recover()
    let holes = journal.holes(in: guest.log)
    #expect(holes == [])
    try heal()
    #expect(try bench.journal().contents(of: guest.log).events == whole)
    let kept = bench.machine.disk.files.keys.filter { $0.parent.name == "quarantine" }
    #expect(kept.count == 1)
  }

  @Test func `what lies behind another log's frames stays as a file in doubt is written anew`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    // The last one has the number of one before it, which is the other log's.
    try bench.machine.disk.replace(guestTail, with: zeros + own[1] + own[2] + zeros + frames[2])
    try bench.machine.disk.replace(PoisonTests.mark, with: [])
    var journal = try bench.journal()
    #expect(try journal.contents(of: guest.log).events == [whole[2]])
    _ = try journal.recover()
    #expect(try bench.journal().contents(of: guest.log).events == [whole[2]])
  }

  @Test func `what two logs hold whose beginning is lost is neither's`() throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(ownTail, with: zeros + own[1] + own[2])
    try bench.machine.disk.replace(guestTail, with: zeros + own[1] + own[2])
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 0])
    // Once the beginning of one is there again, so is what follows it.
    try bench.machine.disk.replace(ownTail, with: own[0] + own[1] + own[2])
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 3, guest.log: 0])
    try heal()
    let found = try bench.journal().contents(of: guest.log)
    #expect(found.events == whole)
  }

  @Test(arguments: ["000000000002.gz", "000000000002-000000000003.gz"])
  func `what begins a file and does not follow the event before it is passed over`(
    file: String
  ) throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    let folder = guestTail.parent
    try bench.machine.disk.remove(guestTail)
    try bench.machine.disk.replace(folder / "000000000001-000000000001.gz", with: frames[0])
    try bench.machine.disk.replace(folder / file, with: zeros + own[1] + own[2])
    // Its own log has lost it, so that nobody else holds it.
    try bench.machine.disk.replace(ownTail, with: own[0])
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 1, guest.log: 1])
    try heal()
    let journal = try bench.journal()
    #expect(journal.forks == [:])
    #expect(try journal.contents(of: guest.log).events == whole)
  }

  @Test func `what two logs hold is shown at once by the one whose beginning comes back`() throws {
    let zeros = [UInt8](repeating: 0, count: 40)
    let theirs = zeros + frames[1] + frames[2] + frames[3] + frames[4]
    for path in [ownTail, guestTail] { try bench.machine.disk.replace(path, with: theirs) }
    var journal = try bench.journal()
    #expect(journal.logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 0])
    for frame in frames { try journal.receive(frame, of: guest.log, on: .logs) }
    _ = try journal.commit()
    #expect(journal.logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 5])
    let found = try journal.contents(of: guest.log)
    #expect(found.events == whole)
  }

  @Test func `what joins the beginning that comes back stays behind frames of another log`() throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    let theirs = zeros + own[3] + own[4] + zeros + frames[2]
    try bench.machine.disk.replace(guestTail, with: theirs)
    var journal = try bench.journal()
    let holes = journal.holes(in: guest.log)
    #expect(holes == [1...2])
    for frame in frames[..<2] { try journal.receive(frame, of: guest.log, on: .logs) }
    _ = try journal.commit()
    #expect(journal.logs[guest.log]?.sequence == 3)
    #expect(try bench.journal().contents(of: guest.log).events == Array(whole[..<3]))
  }

  @Test func `what two logs hold goes on behind the beginning that comes back`() throws {
    let zeros = [UInt8](repeating: 0, count: 40)
    let theirs = zeros + frames[1] + frames[2]
    for path in [ownTail, guestTail] { try bench.machine.disk.replace(path, with: theirs) }
    var journal = try bench.journal()
    try journal.receive(frames[0], of: guest.log, on: .logs)
    _ = try journal.commit()
    #expect(journal.logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 3])
    #expect(try journal.contents(of: guest.log).events == Array(whole[..<3]))
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 3])
  }

  @Test
  func `what two logs hold is neither's where it lies at the start of a tail that nothing joins`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    let second = guestTail.parent / "000000000002.gz"
    try bench.machine.disk.replace(ownTail, with: zeros + own[1] + own[2])
    try bench.machine.disk.remove(guestTail)
    try bench.machine.disk.replace(
      guestTail.parent / "000000000001-000000000001.gz", with: frames[0])
    try bench.machine.disk.replace(second, with: zeros + own[1] + own[2])
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 1])
    var journal = try bench.journal()
    try journal.receive(frames[1], of: guest.log, on: .logs)
    _ = try journal.commit()
    // What comes for the one tells that the rest is the other's.
    #expect(journal.logs.mapValues(\.sequence) == [bench.log: 3, guest.log: 2])
    #expect(try bench.journal().logs == journal.logs)
    try heal()
    journal = try bench.journal()
    #expect(journal.forks == [:])
    #expect(try journal.contents(of: guest.log).events == whole)
  }

  @Test(arguments: ["000000000002.gz", "000000000002-000000000005.gz"])
  func `what another log holds is passed over in a tail that was left`(next: String) throws {
    let own = try ownFrames()
    // The beginning came back, and the disk failed before the tail that had lost it was gone.
    let folder = guestTail.parent
    try bench.machine.disk.replace(folder / "000000000001-000000000001.gz", with: frames[0])
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(guestTail, with: zeros + own[1] + own[2] + zeros)
    try bench.machine.disk.replace(folder / next, with: Array(frames[1...].joined()))
    var journal = try bench.journal()
    #expect(try journal.contents(of: guest.log).events == whole)
    #expect(journal.recollection().logs[guest.log] == nil)
    _ = try journal.recover()
    #expect(try journal.contents(of: guest.log).events == whole)
  }

  @Test func `what lies behind a gap follows what was passed over before it, or is another log's`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    let folder = guestTail.parent
    try bench.machine.disk.remove(guestTail)
    try bench.machine.disk.replace(
      folder / "000000000001-000000000003.gz", with: frames[0] + zeros + own[1])
    try bench.machine.disk.replace(
      folder / "000000000004-000000000005.gz", with: frames[3] + frames[4])
    let found = try bench.journal().contents(of: guest.log, from: 2)
    #expect(found.events == Array(whole[3...]))
  }

  @Test func `what lies behind frames of another log is looked at without them`() throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(guestTail, with: zeros + own[3] + own[4] + zeros + own[1])
    #expect(try bench.journal().logs[guest.log]?.sequence == 0)
    try heal()
    let found = try bench.journal().contents(of: guest.log)
    #expect(found.events == whole)
  }

  @Test func `what ends in another one's head gives way in the log that is written here, too`()
    throws
  {
    let zeros = [UInt8](repeating: 0, count: 40)
    var journal = try bench.journal()
    let sent = try journal.exported(bench.log, after: 1, keys: bench.keys)
    _ = try journal.append([Bench.command(5)], to: bench.log, keys: bench.keys)
    let mine = try journal.contents(of: bench.log).events
    let own = try ownFrames()
    try bench.machine.disk.makeDirectories(Bench.folder / "keys")
    let key = Bench.folder / "keys" / "\(bench.log.hex).pem"
    try bench.machine.disk.replace(key, with: Array("a key".utf8))
    // Its own log has lost it, so that nobody else holds it.
    try bench.machine.disk.replace(guestTail, with: frames[0])
    try bench.machine.disk.replace(
      ownTail, with: own[0] + zeros + frames[2] + zeros + own[4] + own[5])
    journal = try bench.journal()
    for frame in sent { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    #expect(journal.forks == [:])
    #expect(try bench.journal().contents(of: bench.log).events == mine)
  }

  @Test func `what two logs hold is the one's whose head proves it`() throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(guestTail, with: frames[0] + zeros + frames[2] + frames[3])
    try bench.machine.disk.replace(ownTail, with: own[0] + zeros + frames[2] + frames[3])
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 1, guest.log: 4])
  }

  @Test func `what no head proves gives way to what one does`() throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(guestTail, with: zeros + own[1] + own[2])
    // Nobody here holds the log that they are of.
    try bench.machine.disk.remove(ownTail)
    var journal = try bench.journal()
    #expect(journal.logs[guest.log]?.sequence == 3)
    try journal.receive(frames[0], of: guest.log, on: .logs)
    _ = try journal.commit()
    #expect(journal.logs[guest.log]?.sequence == 1)
    try heal()
    let found = try bench.journal().contents(of: guest.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }
}
