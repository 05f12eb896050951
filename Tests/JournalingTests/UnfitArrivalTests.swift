import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

/// Frames that are valid on their own but contradict stored or staged events.
///
/// They are refused without side effects.
@Suite struct UnfitArrivalTests {
  /// A journal on the given disk.
  private static func journal(on disk: SimulatedDisk) throws -> Journal {
    try Bench.journal(on: Bench(keySeed: 40).copy(of: disk))
  }

  /// The error that a frame causes; nil if it is accepted.
  private static func refusal(
    of frame: [UInt8], by journal: inout Journal, _ log: UniqueID, acrossHoles: Bool = false
  ) -> JournalError? {
    do throws(JournalError) {
      try journal.receive(frame, of: log, on: .logs, acrossHoles: acrossHoles)
    } catch {
      return error
    }
    return nil
  }

  // MARK: After lost events

  @Test func `Reception: after lost events, only a frame with its table and a head is accepted`()
    throws
  {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    _ = try log.frame([HandWrittenLog.introduction()])
    var (unproved, untold, whole) = (log, log, log)
    let event = [HandWrittenLog.plain()]
    let unfit = [
      try unproved.frame(event, hasHead: false), try untold.frame(event, hasTable: false),
    ]
    let fit = try whole.frame(event)
    let disk = SimulatedMachine(seed: 3).disk
    var journal = try Self.journal(on: disk)
    // If the receiver holds no event of the log, such a frame is refused.
    let unknown = Self.refusal(of: fit, by: &journal, log.id, acrossHoles: true)
    #expect(unknown == .gap(log.id, held: 0, received: 3))
    try journal.receive(first, of: log.id, on: .logs)
    for frame in unfit {
      let refusal = Self.refusal(of: frame, by: &journal, log.id, acrossHoles: true)
      #expect(refusal == .gap(log.id, held: 1, received: 3))
    }
    _ = try journal.commit()
    #expect(try Self.journal(on: disk).contents(of: log.id).events.map(\.sequence) == [1])
    let refusal = Self.refusal(of: fit, by: &journal, log.id, acrossHoles: true)
    #expect(refusal == nil)
    let grown = try journal.commit()
    #expect(grown == [log.id])
    #expect(try Self.journal(on: disk).contents(of: log.id).events.map(\.sequence) == [1, 3])
  }

  /// An event of the maximum size, a tenth of which does not compress.
  private static func large() -> Event {
    var event = HandWrittenLog.plain()
    var writer = CBORWriter()
    writer.arrayHeader(4)
    for value: UInt64 in [0, 2, 5] { writer.unsigned(value) }
    writer.byteString(Seeded(seed: 1).bytes(64 << 10) + [UInt8](repeating: 0, count: 574 << 10))
    event.body = writer.bytes
    return event
  }

  @Test func `Reception: forged events for a hole are staged up to the size of a file`() throws {
    var log = try HandWrittenLog()
    let opening = try log.frame([log.opening])
    let before = log
    let lost = try log.frame([HandWrittenLog.plain("lost")])
    let behind = try log.frame([HandWrittenLog.plain("behind")])
    let disk = try ReplicaFiles(
      id: log.id, files: [(ReplicaFiles.tail, opening + behind)]
    ).disk()
    var journal = try Self.journal(on: disk)
    let hole = journal.holes(in: log.id)
    #expect(hole == [2...2])
    // An attacker repeatedly sends made-up events in place of the lost events, 3.7 MiB each time, without any proof.
    let large = Self.large()
    for number in 1...18 {
      var liar = before
      let events = [HandWrittenLog.plain("\(number)")] + [Event](repeating: large, count: 6)
      let forged = try liar.frame(events, hasHead: false)
      let refusal = Self.refusal(of: forged, by: &journal, log.id)
      #expect(refusal == (number < 18 ? nil : .unproved(log.id, sequence: 2)), "\(number)")
    }
    let none = try journal.commit()
    #expect(none == [])
    #expect(try Self.journal(on: disk).contents(of: log.id).events.map(\.sequence) == [1, 3])
    try journal.receive(lost, of: log.id, on: .logs)
    _ = try journal.commit()
    let healed = try Self.journal(on: disk).contents(of: log.id)
    #expect(healed.events.map(\.hash).last == log.hash)
    #expect(healed.events.map(\.sequence) == [1, 2, 3])
    #expect(healed.damage == [])
  }

  @Test func `Reception: a log whose end has an unknown table accepts no frame`() throws {
    var log = try HandWrittenLog()
    let told = try log.frame([log.opening, HandWrittenLog.introduction()])
    // The table at the end of the log is unknown. The first frame of a file contains its table, but this frame does
    // not.
    let untold = try log.frame([HandWrittenLog.plain()], hasTable: false)
    let next = try log.frame([HandWrittenLog.plain()])
    let disk = try ReplicaFiles(
      id: log.id, files: [("000000000001-000000000003.gz", told + untold)]
    ).disk()
    let before = disk.files
    var journal = try Self.journal(on: disk)
    let refusal = Self.refusal(of: next, by: &journal, log.id)
    #expect(refusal == .damaged(log.id))
    let none = try journal.commit()
    #expect(none == [])
    #expect(disk.files == before)
  }

  @Test func `Reception: a branch waits for lost events that added to the table before it`() throws
  {
    var log = try HandWrittenLog()
    let opening = try log.frame([log.opening])
    let lost = try log.frame([HandWrittenLog.introduction()])
    let behind = try log.frame([HandWrittenLog.plain("behind")], hasTable: false)
    var other = log
    let last = try log.frame([HandWrittenLog.plain("last")], hasTable: false)
    let branch = try other.frame([HandWrittenLog.plain("branch")])
    let disk = try ReplicaFiles(
      id: log.id, files: [(ReplicaFiles.tail, opening + behind + last)]
    ).disk()
    var journal = try Self.journal(on: disk)
    // Only the lost event shows the contents of the table at that point.
    let refusal = Self.refusal(of: branch, by: &journal, log.id)
    #expect(refusal == .damaged(log.id))
    for frame in [lost, branch] {
      try journal.receive(frame, of: log.id, on: .logs)
      _ = try journal.commit()
    }
    let whole = try Self.journal(on: disk)
    let forks = Set(whole.forks.values)
    #expect(forks == [Fork(trunk: log.id, lastShared: 3)])
    let ends = Set(whole.logs.values.map(\.hash))
    #expect(ends.isSuperset(of: [log.hash, other.hash]))
  }

  /// A log that forks after its second event, and the frame that begins the other branch.
  ///
  /// The disk has one unreadable file of that branch, whose name states that it begins at event `first`.
  private static func forked(
    damagedFrom first: UInt64
  ) throws -> (log: HandWrittenLog, branch: HandWrittenLog, frame: [UInt8], disk: SimulatedDisk) {
    var log = try HandWrittenLog()
    var bytes = try log.frame([log.opening, plain("shared")])
    var (branch, beginning) = (log, log)
    bytes += try log.frame([plain("a"), plain("b"), plain("c")])
    let frame = try branch.frame([plain("d"), plain("e"), plain("f")])
    _ = try beginning.frame([plain("d")])
    let folder = ReplicaFiles.branchID(beginning.hash).hex
    let disk = try ReplicaFiles(
      id: log.id,
      files: [
        (ReplicaFiles.tail, bytes),
        ("\(folder)/00000000000\(first)-000000000005.gz", [UInt8](repeating: 1, count: 90)),
      ]
    ).disk()
    return (log, branch, frame, disk)
  }

  @Test(arguments: [3, 4] as [UInt64])
  func `Reception: a branch with only unreadable bytes is restored`(first: UInt64) throws {
    let (log, branch, frame, disk) = try Self.forked(damagedFrom: first)
    var journal = try Self.journal(on: disk)
    let refusal = Self.refusal(of: frame, by: &journal, log.id)
    #expect(refusal == nil)
    _ = try journal.commit()
    let whole = try Self.journal(on: disk)
    let ends = Set(whole.logs.values.map(\.hash))
    #expect(ends.isSuperset(of: [log.hash, branch.hash]))
    let faults = try Verification.run(on: Bench.folder, disk: disk).faults
    #expect(faults == [])
  }

  @Test func `Reception: a branch is refused if an unreadable file has its name`() throws {
    let (log, _, frame, disk) = try Self.forked(damagedFrom: 2)
    let before = disk.files
    var journal = try Self.journal(on: disk)
    let refusal = Self.refusal(of: frame, by: &journal, log.id)
    #expect(refusal == .damaged(log.id))
    let none = try journal.commit()
    #expect(none == [])
    #expect(disk.files == before)
  }

  @Test func `Reception: a frame that is too large together with its table is refused`() throws {
    var log = try HandWrittenLog()
    let dice = Seeded(seed: 5)
    let introductions = (0..<4).map { _ in
      var writer = CBORWriter()
      writer.unsigned(1)
      writer.arrayHeader(1_024)
      let ids = (0..<1_024).map { _ in UniqueID(dice.bytes(16)) }
      for id in ids {
        writer.arrayHeader(3)
        writer.uniqueID(id)
        writer.unsigned(9)
        writer.uniqueID(id)
      }
      return HandWrittenLog.extra([writer.bytes], introduced: ids)
    }
    let beginning = try log.frame([log.opening] + introductions)
    let bodies = [1, 2].map { Bench.body($0, byteCount: 515_000) }
    let frame = try log.frame(
      bodies.map { Event(header: [5], body: $0, delta: 5) }, hasTable: false)
    let disk = SimulatedMachine(seed: 3).disk
    var journal = try Self.journal(on: disk)
    try journal.receive(beginning, of: log.id, on: .logs)
    _ = try journal.commit()
    let before = disk.files
    try journal.receive(frame, of: log.id, on: .logs)
    let byteCount = bodies.reduce(0) { $0 + 1 + $1.count }
    #expect(throws: JournalError.commandTooLarge(eventCount: 2, byteCount: byteCount)) {
      try journal.commit()
    }
    let isUnchanged = disk.files == before
    #expect(isUnchanged)
    let held = journal.logs[log.id]?.sequence
    #expect(held == 5)
  }

  // MARK: With staged events

  /// A log with three stored events and a staged event that no head proves.
  private static func staged() throws -> (log: HandWrittenLog, journal: JournalBox) {
    var log = try HandWrittenLog()
    let held = try log.frame([log.opening, plain("a"), plain("b")])
    let unproved = try log.frame([plain("c")], hasHead: false)
    let box = JournalBox(try journal(on: SimulatedMachine(seed: 3).disk))
    for frame in [held, unproved] { try box.journal.receive(frame, of: log.id, on: .logs) }
    return (log, box)
  }

  private static func plain(_ text: String) -> Event { HandWrittenLog.plain(text) }

  @Test func `Reception: a frame that extends staged events and contradicts the log is refused`()
    throws
  {
    let events = ["a", "b", "c", "d"].map(Self.plain)
    for isSpoilt in [false, true] {
      let (log, box) = try Self.staged()
      var longer = try HandWrittenLog()
      let frame = try longer.frame([longer.opening] + events) {
        if isSpoilt { $0.tableCount = 5 }
      }
      let refusal = Self.refusal(of: frame, by: &box.journal, log.id)
      #expect(refusal == (isSpoilt ? .unjoined(log.id, sequence: 1) : nil))
      _ = try box.journal.commit()
      let held = box.journal.logs[log.id]?.sequence
      #expect(held == (isSpoilt ? 3 : 5))
    }
  }

  @Test
  func `Staging: unproven events are dropped for a proven copy, which is accepted when resent`()
    throws
  {
    let (log, box) = try Self.staged()
    var again = try HandWrittenLog()
    _ = try again.frame([again.opening, Self.plain("a"), Self.plain("b")])
    let proved = try again.frame([Self.plain("c")])
    let refusal = Self.refusal(of: proved, by: &box.journal, log.id)
    #expect(refusal == .unproved(log.id, sequence: 4))
    // When sent again, it is accepted.
    try box.journal.receive(proved, of: log.id, on: .logs)
    let grown = try box.journal.commit()
    #expect(grown == [log.id])
    let hash = box.journal.logs[log.id]?.hash
    #expect(hash == log.hash)
  }

  @Test
  func `Staging: an unproven branch is dropped for a proven copy, which is accepted when resent`()
    throws
  {
    let (log, box) = try Self.staged()
    var branch = try HandWrittenLog()
    _ = try branch.frame([branch.opening, Self.plain("a")])
    var unproved = branch
    let first = try unproved.frame([Self.plain("other")], hasHead: false)
    let proved = try branch.frame([Self.plain("other"), Self.plain("more")])
    try box.journal.receive(first, of: log.id, on: .logs)
    let refusal = Self.refusal(of: proved, by: &box.journal, log.id)
    #expect(refusal == .unproved(log.id, sequence: 3))
    try box.journal.receive(proved, of: log.id, on: .logs)
    #expect(throws: JournalError.unproved(log.id, sequence: 3)) { try box.journal.commit() }
    let forks = Set(box.journal.forks.values)
    #expect(forks == [Fork(trunk: log.id, lastShared: 2)])
    let ends = Set(box.journal.logs.values.map(\.hash))
    #expect(ends.contains(branch.hash))
  }
}
