import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Files with valid frames that belong to another log or are at a wrong offset, as a faulty disk may leave them.
@Suite struct ForeignFrameTests {
  let bench: Bench
  /// Another device.
  ///
  /// Each command of its log ends in a head.
  let guest: Bench
  let frames: [[UInt8]]
  let whole: [Found]

  private static let zeros = [UInt8](repeating: 0, count: 40)

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

  private var ownTail: Path { bench.logFolder / "000000000001.gz" }
  private var guestTail: Path {
    Bench.folder / "logs" / guest.log.hex / "000000000001.gz"
  }

  private func bytes(of path: Path) throws -> [UInt8] {
    try bench.machine.disk.contents(of: path, limit: 1 << 20)
  }

  private func put(_ file: [UInt8], in path: Path) throws {
    try bench.machine.disk.replace(path, with: file)
  }

  /// The frames of the device's own log, as stored in its file.
  private func ownFrames() throws -> [[UInt8]] {
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

  // MARK: Frames of another log

  /// The pieces of which a file consists.
  private enum Piece: CaseIterable {
    case ownFrame, otherFrame, zeros
  }

  /// All sequences of `count` pieces.
  private static func layouts(of count: Int) -> [[Piece]] {
    guard count > 0 else { return [[]] }
    return layouts(of: count - 1).flatMap { rest in Piece.allCases.map { rest + [$0] } }
  }

  @Test func `Foreign frame: a file is read as if the frame's bytes were damaged`() throws {
    let own = try ownFrames()
    for layout in Self.layouts(of: 5) where layout.contains(.otherFrame) {
      var (file, cleared): ([UInt8], [UInt8]) = ([], [])
      for (place, piece) in layout.enumerated() {
        let bytes =
          switch piece {
          case .ownFrame: frames[place]
          case .otherFrame: own[place]
          case .zeros: Self.zeros
          }
        file += bytes
        cleared += piece == .otherFrame ? [UInt8](repeating: 7, count: bytes.count) : bytes
      }
      try put(cleared, in: guestTail)
      let expected = try Reading(of: guest.log, bench.journal())
      try put(file, in: guestTail)
      #expect(try Reading(of: guest.log, bench.journal()) == expected, "\(layout)")
    }
  }

  /// The state of a log as a journal shows it.
  private struct Reading: Equatable {
    let end: UInt64?
    let holes: [ClosedRange<UInt64>]
    let events: [Found]
    let forks: Int

    init(of log: UniqueID, _ journal: consuming Journal) throws {
      end = journal.logs[log]?.sequence
      holes = journal.holes(in: log)
      events = end == nil ? [] : try journal.contents(of: log).events
      forks = journal.forks.count
    }
  }

  @Test func `Foreign file: none of its events are shown, and the log's own are restored`() throws {
    try put(try bytes(of: ownTail), in: guestTail)
    #expect(try bench.journal().contents(of: guest.log).events == [])
    try heal()
    let found = try bench.journal().contents(of: guest.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Foreign frame: between two frames of the log, it is skipped`() throws {
    let own = try ownFrames()
    for place in own.indices {
      let file = frames[..<place].joined() + own[place] + frames[place...].joined()
      try put(Array(file), in: guestTail)
      #expect(try bench.journal().contents(of: guest.log).events == whole)
    }
  }

  @Test func `Foreign frame: at the end of a tail, it is quarantined`() throws {
    let own = try ownFrames()
    try put(frames[0] + Self.zeros + own[2] + own[3], in: guestTail)
    var journal = try bench.journal()
    #expect(journal.logs[guest.log]?.sequence == 1)
    _ = try journal.recover()
    #expect(try bytes(of: guestTail) == frames[0])
    let kept = bench.machine.disk.files.filter { $0.key.parent.name == "quarantine" }
    #expect(kept.map(\.value) == [Self.zeros + own[2] + own[3]])
    try heal()
    #expect(try bench.journal().contents(of: guest.log).events == whole)
  }

  @Test func `Foreign frame: the log's own frame after it stays when a tail is rewritten`()
    throws
  {
    let own = try ownFrames()
    try put(Self.zeros + own[1] + own[2] + Self.zeros + frames[2], in: guestTail)
    try bench.machine.disk.replace(PoisonTests.mark, with: [])
    var journal = try bench.journal()
    #expect(try journal.contents(of: guest.log).events == [whole[2]])
    _ = try journal.recover()
    #expect(try bench.journal().contents(of: guest.log).events == [whole[2]])
  }

  @Test func `Copied frames: if the files of two logs hold them, only their own log shows them`()
    throws
  {
    let own = try ownFrames()
    for path in [ownTail, guestTail] { try put(Self.zeros + own[1] + own[2], in: path) }
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 3, guest.log: 0])
    try put(own[0] + own[1] + own[2], in: ownTail)
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 3, guest.log: 0])
    try heal()
    #expect(try bench.journal().contents(of: guest.log).events == whole)
  }

  @Test func `Copied frames: a lost beginning is restored to their own log`() throws {
    for path in [ownTail, guestTail] {
      try put(Self.zeros + frames[1] + frames[2], in: path)
    }
    var journal = try bench.journal()
    try journal.receive(frames[0], of: guest.log, on: .logs)
    _ = try journal.commit()
    #expect(journal.logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 3])
    #expect(try journal.contents(of: guest.log).events == Array(whole[..<3]))
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 0, guest.log: 3])
  }

  @Test(arguments: ["000000000002.gz", "000000000002-000000000003.gz"])
  func `Foreign frame: in a second file, the log ends before that file`(file: String) throws {
    let own = try ownFrames()
    let folder = guestTail.parent
    try bench.machine.disk.remove(guestTail)
    try put(frames[0], in: folder / "000000000001-000000000001.gz")
    try put(Self.zeros + own[1] + own[2], in: folder / file)
    // Their own log has lost them, so no other file contains them.
    try put(own[0], in: ownTail)
    #expect(try bench.journal().logs.mapValues(\.sequence) == [bench.log: 1, guest.log: 1])
    try heal()
    let journal = try bench.journal()
    #expect(journal.forks == [:])
    #expect(try journal.contents(of: guest.log).events == whole)
  }

  @Test func `Foreign frame: events that it replaced in the device's own log are restored`() throws
  {
    var journal = try bench.journal()
    let sent = try journal.exported(bench.log, after: 1, keys: bench.keys)
    _ = try journal.append([Bench.command(5)], to: bench.log, keys: bench.keys)
    let mine = try journal.contents(of: bench.log).events
    let own = try ownFrames()
    try bench.machine.disk.makeDirectories(Bench.folder / "keys")
    try put(Array("a key".utf8), in: Bench.folder / "keys" / "\(bench.log.hex).pem")
    try put(frames[0], in: guestTail)
    try put(own[0] + Self.zeros + frames[2] + Self.zeros + own[4] + own[5], in: ownTail)
    journal = try bench.journal()
    for frame in sent { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    #expect(journal.forks == [:])
    #expect(try bench.journal().contents(of: bench.log).events == mine)
  }

  @Test func `Foreign frame: when received, it is refused, and no part of it is kept`() throws {
    let frame = try #require(try ownFrames().last)
    var journal = try bench.journal()
    #expect(throws: JournalError.refused(guest.log, .foreign)) {
      _ = try journal.receive(frame, of: guest.log, on: .logs)
    }
    #expect(try journal.commit() == [])
    #expect(try bench.journal().contents(of: guest.log).events == whole)
  }

  // MARK: Frames of the log itself

  @Test func `Misplaced frame: events that it hides reappear once the hole is filled`()
    throws
  {
    // Only the second frame is lost. The third frame is after the frames that should follow it.
    let file = [0, 3, 4, 2].flatMap { frames[$0] }
    try put(file, in: guestTail)
    var journal = try bench.journal()
    let holes = journal.holes(in: guest.log)
    #expect(holes == [2...3])
    _ = try journal.recover()
    #expect(try bytes(of: guestTail) == file)
    try journal.receive(frames[1], of: guest.log, on: .logs)
    _ = try journal.commit()
    let left = journal.holes(in: guest.log)
    #expect(left == [])
    #expect(try journal.contents(of: guest.log).events == whole)
    #expect(try bench.journal().contents(of: guest.log).events == whole)
  }

  @Test func `Misplaced frame: it is left out when a hole is filled whose events contradict it`()
    throws
  {
    // A copy of the device continued the log after the first event, and a disk wrote one of its frames into the tail.
    let copy = guest.copy(of: guest.machine.disk.copy())
    var other = try Bench.journal(on: copy)
    for number: UInt64 in 21...23 {
      _ = try other.append([Bench.command(number)], to: guest.log, keys: guest.keys)
    }
    let astray = try other.exported(guest.log, after: 7, keys: guest.keys)[0]
    var chain = Chain()
    #expect(try Frame.decode(astray.span, at: 0, &chain).firstSequence == 8)
    var journal = try bench.journal()
    var theirs = try guest.journal()
    var sent: [[UInt8]] = []
    for number: UInt64 in 31...36 {
      let end = theirs.logs[guest.log]?.sequence ?? 0
      _ = try theirs.append([Bench.command(number)], to: guest.log, keys: guest.keys)
      sent += try theirs.exported(guest.log, after: end, keys: guest.keys)
    }
    // The last two of events 6 to 11 are before the frame of the copy; the others are lost.
    try put(frames.joined() + sent[4] + sent[5] + astray, in: guestTail)
    journal = try bench.journal()
    for frame in sent[..<4] { try journal.receive(frame, of: guest.log, on: .logs) }
    _ = try journal.commit()
    #expect(journal.forks == [:])
    let left = journal.holes(in: guest.log)
    #expect(left == [])
    #expect(try journal.contents(of: guest.log).events == theirs.contents(of: guest.log).events)
  }

  @Test(arguments: 1...3, 0...4)
  func `Misplaced frame: it is skipped, and the event that it replaced is restored`(
    place: Int, moved: Int
  ) throws {
    guard moved != place else { return }
    var file = frames
    file[place] = frames[moved]
    try put(Array(file.joined()), in: guestTail)
    let left = whole.enumerated().filter { $0.offset != place }.map(\.element)
    #expect(try bench.journal().contents(of: guest.log).events == left)
    try heal()
    #expect(try bench.journal().contents(of: guest.log).events == whole)
  }
}
