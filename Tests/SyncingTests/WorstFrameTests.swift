import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// The command that grows most when it is stripped, with the maximum number of events and the largest headers.
struct WorstFrameTests {
  private static let dice = Seeded(seed: 77)

  private static func number() -> UInt64 {
    dice.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 2 | 1 << 61
  }

  private static func body(_ values: UInt64...) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(values.count)
    for value in values { writer.unsigned(value) }
    return writer.bytes
  }

  private static func seen(_ log: Seen.Log) -> Seen {
    Seen(log: log, sequence: number(), hash: UniqueID(dice.bytes(16)))
  }

  /// Fills the table of logs.
  private static func acceptedPeer() -> Command {
    let entries = (0..<Journaling.Limit.seenEntries).map { _ in
      seen(.introduced(UniqueID(dice.bytes(16))))
    }
    return Command(time: 2_000, events: [NewEvent(seen: entries, body: body(0, 2))])
  }

  /// Each event deletes a different entity, and takes 40 bytes.
  private static func worstCommand() -> Command {
    let events = (0..<UInt64(Journaling.Limit.commandEvents)).map { place in
      // The first event states the number of events that follow, so it has fewer bytes for other items.
      let index = place == 0 ? 1 : 300 + place % 3_000
      return NewEvent(seen: [seen(.index(index))], body: body(2, place == 0 ? 2 : 256 + place))
    }
    return Command(time: 2_000, events: events)
  }

  /// A holder of the worst frame; each of its events was erased by a separate event.
  private static func stripped() throws -> JournalHolder {
    let holder = try JournalHolder(seed: 1)
    let replica = holder.replica
    try holder.withJournal { journal, keys in
      for _ in 0..<4 { _ = try journal.append([acceptedPeer()], to: replica, keys: keys) }
      _ = try journal.append([worstCommand()], to: replica, keys: keys)
      var erasures = Erasures()
      for target in [2] + (257..<256 + UInt64(Journaling.Limit.commandEvents)) {
        erasures.insert(
          EventName(log: replica, sequence: target),
          by: Landmark(
            log: UniqueID(dice.bytes(16)), sequence: number(), hash: UniqueID(dice.bytes(16))))
      }
      let report = try journal.strip(erasures)
      // The four events before it are named by their own sequences, one of which is among the targets.
      #expect(report.bodies == [replica: Journaling.Limit.commandEvents + 1])
    }
    return holder
  }

  private static func longestFrame(
    of holder: JournalHolder, in other: JournalHolder
  ) throws -> Int {
    try other.withJournal { journal, _ in
      var reader = try journal.reader(of: holder.replica)
      var longest = 0
      while let read = try reader.read() { longest = max(longest, read.frame.length) }
      let faults = try Verification.run(
        on: JournalHolder.folder, disk: other.machine.machine.disk
      ).faults
      #expect(reader.damage.isEmpty && faults.isEmpty)
      return longest
    }
  }

  @Test func `Worst frame: it is stripped and read, and is sent by line, directory and bundle`()
    throws
  {
    let holder = try Self.stripped()
    let length = try Self.longestFrame(of: holder, in: JournalHolder(after: holder))
    #expect(length > Journaling.Limit.frameBytes)

    let caller = try JournalHolder(seed: 2)
    var (dialler, listener) = (Talker(.dialler, caller), Talker(.listener, holder))
    syncOutcome(&dialler, &listener, piece: 1 << 20)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(try Self.longestFrame(of: holder, in: caller) == length)

    let (stick, reader) = (SimulatedMachine(seed: 9), try JournalHolder(seed: 3))
    let (folder, bundle) = (Path("/stick/daybook"), Path("/stick/all.daybook"))
    try stick.disk.makeDirectories(folder)
    var peer = try DirectoryPeer(at: folder, on: stick.machine)
    #expect(try peer.push(from: holder).problems == [])
    #expect(try peer.pull(.book, into: reader).problems == [])
    #expect(try Self.longestFrame(of: holder, in: reader) == length)
    _ = try Bundle.write(to: bundle, from: holder, on: stick.machine)
    let last = try JournalHolder(seed: 4)
    #expect(try Bundle.read(bundle, into: last, on: stick.machine).problems == [])
    #expect(try Self.longestFrame(of: holder, in: last) == length)
  }
}
