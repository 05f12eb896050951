import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Syncs of real logs, which are signed and on disk.
struct JournalSyncTests {
  static func two() throws -> (left: JournalHolder, right: JournalHolder) {
    let (left, right) = (try JournalHolder(seed: 1), try JournalHolder(seed: 2))
    try left.write(20)
    try right.write(300, byteCount: 200)
    return (left, right)
  }

  @Test func `Journal sync: sessions give two journals the same events, even after a crash`() throws
  {
    let (left, right) = try Self.two()
    for _ in 0..<2 {
      var (dialler, listener) = (Talker(.dialler, left), Talker(.listener, right))
      syncOutcome(&dialler, &listener, piece: 10_000)
      #expect(dialler.isFinished && listener.isFinished)
      #expect(dialler.report.problems + listener.report.problems == [])
      #expect(left.frontier == right.frontier)
      try left.write(2)
      try right.write(1)
      #expect(try JournalHolder(after: left).frontier == left.frontier)
    }
  }

  @Test func `Journal sync: a third journal receives both logs and passes them on`() throws {
    let (left, right) = try Self.two()
    let third = try JournalHolder(seed: 3)
    for (one, other) in [(left, right), (right, third), (third, left), (left, right)] {
      var (dialler, listener) = (Talker(.dialler, one), Talker(.listener, other))
      syncOutcome(&dialler, &listener)
    }
    #expect(third.frontier == left.frontier)
    #expect(third.frontier == right.frontier)
    #expect(third.frontier.places.count == 3)
  }

  @Test func `Journal sync: a cut session followed by a power cut loses nothing stored`() throws {
    let (left, right) = try Self.two()
    var (dialler, listener) = (Talker(.dialler, right), Talker(.listener, left))
    let said = syncOutcome(&dialler, &listener).dialler
    let whole = right.frontier
    for cut in stride(from: 0, to: said.count, by: said.count / 12) {
      let (taker, giver) = try Self.two()
      var broken = Talker(.listener, taker)
      broken.hear(Array(said[..<cut]))
      broken.hear([])
      let revived = try JournalHolder(after: taker)
      #expect(revived.frontier == taker.frontier)
      var (again, answering) = (Talker(.dialler, giver), Talker(.listener, revived))
      syncOutcome(&again, &answering)
      #expect(again.isFinished && answering.isFinished)
      #expect(revived.frontier == whole)
    }
  }

  @Test func `Journal sync: a bundle and a directory contain both logs`() throws {
    let (left, right) = try Self.two()
    let stick = SimulatedMachine(seed: 9)
    let (path, folder) = (Path("/stick/all.daybook"), Path("/stick/daybook"))
    try stick.disk.makeDirectories(folder)
    let receipt = try Bundle.write(to: path, from: left, on: stick.machine)
    #expect(receipt.sent == [left.replica: 61])
    let report = try Bundle.read(path, into: right, on: stick.machine)
    #expect(report.received == [left.replica: 61])
    #expect(report.problems == [])
    var peer = try DirectoryPeer(at: folder, on: stick.machine)
    for holder in [right, left, right] {
      #expect(try peer.pull(.book, into: holder).problems == [])
      #expect(try peer.push(from: holder).problems == [])
      try holder.write(1)
    }
    #expect(try peer.pull(.book, into: right).received == [:])
    #expect(left.frontier.sequence(of: right.replica) == 901)
    #expect(right.frontier.sequence(of: left.replica) == 61)
  }

  @Test func `Journal sync: one wrong byte ends the session or its log, and no event is stored`()
    throws
  {
    let (left, right) = try Self.two()
    var (dialler, listener) = (Talker(.dialler, left), Talker(.listener, right))
    let said = syncOutcome(&dialler, &listener).dialler
    let start = Message.hello(try Self.two().left.hello).encoded.count
    let before = try Self.two().right.frontier
    for place in stride(from: start + 30, to: said.count - 100, by: 211) {
      let taker = try Self.two().right
      var wrong = said
      wrong[place] ^= 4
      var other = Talker(.listener, taker)
      other.hear(wrong)
      // A frame with another hash before it does not join the log, which may be an honest mistake.
      #expect(other.failure != nil || !other.report.problems.isEmpty)
      #expect(taker.frontier == before)
    }
  }

  @Test func `Journal sync: frames that unpack to many bytes are stored in portions`() throws {
    let (left, right) = (try JournalHolder(seed: 1), try JournalHolder(seed: 2))
    let block = left.machine.dice.bytes(1_000)
    var writer = CBORWriter()
    writer.raw([0x84, 0, 2, 5])
    writer.byteString((0..<600).flatMap { _ in block })
    let command = Command(time: 2_000, events: [NewEvent(body: writer.bytes)])
    let replica = left.replica
    try left.withJournal { journal, keys in
      for _ in 0..<30 { _ = try journal.append([command], to: replica, keys: keys) }
    }
    var intake = Intake(right)
    var packed = 0
    var held: [UInt64] = []
    try left.forEachFrame(of: replica, lackedBy: []) { frame throws(SyncError) in
      packed += frame.count
      if try intake.take(frame, of: replica) { held.append(right.frontier.sequence(of: replica)) }
    }
    // The content of 27 frames is 16 MiB, although all frames are packed into less than one MiB.
    #expect(held == [28])
    #expect(packed < 1 << 20)
    try intake.commit()
    #expect(right.frontier.sequence(of: replica) == 31)
  }
}
