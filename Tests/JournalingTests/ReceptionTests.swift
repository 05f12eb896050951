import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Frames that one device sends to another.
@Suite struct ReceptionTests {
  /// A device whose log has a sealed file and a tail.
  private static func sender(commands: Int = 6) throws -> Bench {
    let bench = try Bench()
    var journal = try bench.begun()
    for number in 1...UInt64(commands) {
      _ = try journal.append([Bench.command(number, events: 3)], to: bench.log, keys: bench.keys)
      if number == 3 { try journal.seal(bench.log, keys: bench.keys) }
    }
    return bench
  }

  private static func receive(
    _ frames: [[UInt8]], of log: UniqueID, into journal: inout Journal,
    on shelf: LogShelf = .logs
  ) throws -> [UniqueID] {
    for frame in frames { try journal.receive(frame, of: log, on: shelf) }
    return try journal.commit()
  }

  @Test func `Reception: a log arrives unchanged`() throws {
    let bench = try Self.sender()
    let journal = try bench.journal()
    let sent = try journal.contents(of: bench.log).events
    let frames = try journal.exported(bench.log, keys: bench.keys)
    #expect(frames.count == 2)

    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    let grown = try Self.receive(frames, of: bench.log, into: &receiver)
    #expect(grown == [bench.log])
    other.machine.disk.crash()
    let reopened = try other.journal()
    let found = try reopened.contents(of: bench.log)
    #expect(found.events == sent)
    #expect(found.damage == [])
    let (held, ours) = (reopened.logs[bench.log], journal.logs[bench.log])
    #expect(held == ours)
    // That device can forward the log.
    #expect(try reopened.exported(bench.log, keys: nil).isEmpty == false)
  }

  @Test(arguments: Array(UInt64(0)...19))
  func `Reception: a suffix from any event on extends the stored events`(held: UInt64) throws {
    let bench = try Self.sender()
    let journal = try bench.journal()
    let sent = try journal.contents(of: bench.log).events
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    let all = try journal.exported(bench.log, keys: bench.keys)
    _ = try Self.receive([all[0]], of: bench.log, into: &receiver)
    // The stored events end at 10. A request for more than the missing events results in an overlap.
    let frames = try journal.exported(bench.log, after: min(held, 10), keys: bench.keys)
    _ = try Self.receive(frames, of: bench.log, into: &receiver)
    let found = try other.journal().contents(of: bench.log)
    #expect(found.events == sent)
    #expect(found.damage == [])
    let none = try journal.exported(bench.log, after: 19, keys: bench.keys)
    #expect(none == [])
  }

  @Test func `Reception: a long log arrives in sealed files and is sealed again as it grows`()
    throws
  {
    let bench = try Bench()
    var journal = try bench.begun()
    let commands = (1...3_000).map { Bench.command(UInt64($0), byteCount: 100) }
    _ = try journal.append(commands, to: bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    for number: UInt64 in 0..<40 {
      let held = receiver.logs[bench.log]?.sequence ?? 0
      let frames = try journal.exported(bench.log, after: held, keys: bench.keys)
      _ = try Self.receive(frames, of: bench.log, into: &receiver)
      let command = Bench.command(10_000 + number, byteCount: 6_000)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    let found = try other.journal().contents(of: bench.log)
    #expect(found.events.count == 3_001 + 39)
    #expect(found.damage == [])
    let tails = try other.machine.disk.list(Bench.folder / "logs" / bench.log.hex)
      .filter { !$0.contains("-") }
    #expect(tails.count <= 1)
    let verified = try other.journal().exported(bench.log, keys: nil)
    let third = try Bench(keySeed: 70)
    var last = try third.begun()
    _ = try Self.receive(verified, of: bench.log, into: &last)
    let (copied, held) = (last.logs[bench.log], receiver.logs[bench.log])
    #expect(copied == held)
  }

  @Test func `Reception: large frames are stored unchanged, regardless of the preceding data`()
    throws
  {
    let bench = try Bench()
    var journal = try bench.begun()
    for number: UInt64 in 1...3 {
      let large = (0..<900).map { Bench.command(number * 1_000 + $0, byteCount: 100) }
      _ = try journal.append(large, to: bench.log, keys: bench.keys)
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
      try journal.seal(bench.log, keys: bench.keys)
    }
    let frames = try journal.exported(bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    _ = try Self.receive(frames, of: bench.log, into: &receiver)
    let folder = Bench.folder / "logs" / bench.log.hex
    let files = try other.machine.disk.list(folder).sorted().map { name in
      try other.machine.disk.contents(of: folder / name, limit: 1 << 24)
    }
    // The first event opens the log and was sealed alone. After a large frame, each command is in a separate frame.
    #expect(frames.map { $0.count > 2_000 } == [false, true, false, true, false, true, false])
    #expect(files == [frames.joined().map(\.self)])
  }

  @Test func `Reception: a frame that covers the tail replaces it unchanged`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    let few = try journal.exported(bench.log, keys: bench.keys)
    _ = try Self.receive(few, of: bench.log, into: &receiver)
    let folder = Bench.folder / "logs" / bench.log.hex
    let disk = other.machine.disk
    #expect(try disk.list(folder) == ["000000000001.gz"])

    for number: UInt64 in 2...9 {
      let command = Bench.command(number, events: 10, byteCount: 900)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    try journal.seal(bench.log, keys: bench.keys)
    let held = try #require(receiver.logs[bench.log]?.sequence)
    let frames = try journal.exported(bench.log, after: held, keys: bench.keys)
    _ = try Self.receive(frames, of: bench.log, into: &receiver)
    let names = try disk.list(folder)
    #expect(names == ["000000000001-000000000082.gz"])
    let stored = try names.map { try disk.contents(of: folder / $0, limit: 1 << 24) }
    #expect(stored == [frames.joined().map(\.self)])
    // The frame was on the disk before the tail was removed.
    disk.crash()
    let found = try other.journal().contents(of: bench.log)
    #expect(try found.events == journal.contents(of: bench.log).events)
    #expect(found.damage == [])
  }

  @Test func `Reception: a journal opens while another process admits a log`() throws {
    let bench = try Self.sender()
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    _ = try Self.receive(frames, of: bench.log, into: &receiver, on: .aside)
    let name = bench.log.hex
    let disk = InterruptedDisk(other.machine.disk, afterListing: Bench.folder / "aside") {
      (disk) throws(DiskError) in
      try disk.rename(Bench.folder / "aside" / name, to: Bench.folder / "logs" / name)
    }
    let journal = try Bench.journal(
      on: Machine(
        disk: disk, timekeeper: other.machine.timekeeper, dice: other.machine.dice,
        network: other.machine.network))
    #expect(journal.aside.isEmpty)
    #expect(journal.logs[bench.log]?.sequence == 19)
  }

  @Test func `Reception: events before a gap are kept`() throws {
    let bench = try Self.sender()
    let journal = try bench.journal()
    let first = try journal.exported(bench.log, keys: bench.keys)[0]
    let beyond = try journal.exported(bench.log, after: 13, keys: bench.keys)[0]
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    try receiver.receive(first, of: bench.log, on: .logs)
    #expect(throws: JournalError.gap(bench.log, held: 10, received: 14)) {
      try receiver.receive(beyond, of: bench.log, on: .logs)
    }
    let grown = try receiver.commit()
    #expect(grown == [bench.log])
    #expect(try other.journal().logs[bench.log]?.sequence == 10)
  }

  @Test func `Reception: a frame after a gap is refused`() throws {
    let bench = try Self.sender()
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    var receiver = try Bench(keySeed: 40).begun()
    #expect(throws: JournalError.gap(bench.log, held: 0, received: 11)) {
      _ = try Self.receive([frames[1]], of: bench.log, into: &receiver)
    }
  }

  @Test func `Reception: events that no head proves are not kept`() throws {
    let bench = try Self.sender()
    let tail = try #require(bench.machine.disk.files[bench.logFolder / "000000000011.gz"])
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    // The first frame of the tail, which has no head.
    var reader = try bench.journal().reader(of: bench.log, from: 11)
    let length = try #require(try reader.read()?.frame.length)
    let unproved = Array(tail[..<length])
    #expect(throws: JournalError.unproved(bench.log, sequence: 10)) {
      _ = try Self.receive([frames[0], unproved], of: bench.log, into: &receiver)
    }
    #expect(try other.journal().contents(of: bench.log).events.count == 10)
  }

  @Test func `Reception: a head signed with the wrong key is refused`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    let liar = try Bench(keySeed: 90)
    let frames = try journal.exported(bench.log, keys: liar.keys)
    var receiver = try Bench(keySeed: 40).begun()
    #expect(throws: JournalError.wrongHead(bench.log, sequence: 2)) {
      _ = try Self.receive(frames, of: bench.log, into: &receiver)
    }
  }

  @Test func `Reception: a log sent under a wrong id is refused`() throws {
    let bench = try Self.sender()
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    var receiver = try Bench(keySeed: 40).begun()
    #expect(throws: JournalError.self) {
      _ = try Self.receive(frames, of: UniqueID(high: 1, low: 1), into: &receiver)
    }
    let count = receiver.logs.count
    #expect(count == 1)
  }

  @Test func `Reception: an unknown device's log stays aside until it is admitted`() throws {
    let bench = try Self.sender()
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    _ = try Self.receive(frames, of: bench.log, into: &receiver, on: .aside)
    let (waiting, logs) = (Set(receiver.aside.keys), Set(receiver.logs.keys))
    #expect(waiting == [bench.log])
    #expect(logs == [other.log])
    try receiver.admit(bench.log)
    other.machine.disk.crash()
    let reopened = try other.journal()
    let (after, none) = (Set(reopened.logs.keys), reopened.aside.count)
    #expect(after == [bench.log, other.log])
    #expect(none == 0)
    #expect(try reopened.contents(of: bench.log).events.count == 19)
  }

  @Test func `Reception: a frame with a flipped bit is refused`() throws {
    let bench = try Self.sender()
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    var receiver = try Bench(keySeed: 40).begun()
    for offset in frames[0].indices {
      var frame = frames[0]
      frame[offset] ^= 1 << UInt8(offset % 8)
      #expect(throws: JournalError.self) {
        try receiver.receive(frame, of: bench.log, on: .logs)
      }
    }
  }

  @Test func `Reception: after a power cut, only whole commands that heads prove are kept`() throws
  {
    let bench = try Self.sender()
    let journal = try bench.journal()
    let sent = try journal.contents(of: bench.log).events
    let frames = try journal.exported(bench.log, keys: bench.keys)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    _ = try Self.receive([frames[0]], of: bench.log, into: &receiver)
    var number = 1
    while true {
      let disk = other.machine.disk.copy()
      disk.failCall(number, with: .io, .fromThenOn)
      var isThrough = false
      do {
        var receiver = try Bench.journal(on: other.copy(of: disk))
        _ = try Self.receive([frames[1]], of: bench.log, into: &receiver)
        isThrough = true
      } catch {}
      for survival in CrashTests.survivals {
        let cut = disk.copy()
        cut.clearWeather()
        cut.crash(keeping: survival)
        var left = try Bench.journal(on: other.copy(of: cut))
        _ = try left.recover()
        let events = try left.contents(of: bench.log).events
        #expect(events == sent || (!isThrough && events == Array(sent.prefix(10))))
        _ = try Self.receive([frames[1]], of: bench.log, into: &left)
        cut.crash()
        let healed = try Bench.journal(on: other.copy(of: cut)).contents(of: bench.log)
        #expect(healed.events == sent)
        #expect(healed.damage == [])
      }
      if isThrough { break }
      number += 1
    }
    #expect(number > 1)
  }

  @Test func `Reception: any part of a tail with a table extends the stored events`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let other = UniqueID(high: 5, low: 5)
    let seen = Seen(log: .introduced(other), sequence: 3, hash: UniqueID(high: 1, low: 1))
    let first = Command(time: Bench.start, events: [NewEvent(seen: [seen], body: Bench.body(1))])
    _ = try journal.append([first], to: bench.log, keys: bench.keys)
    // Two commands in one frame, which does not contain the table.
    _ = try journal.append(
      [Bench.command(2, events: 2), Bench.command(3, events: 2)], to: bench.log,
      keys: bench.keys)
    let sent = try journal.contents(of: bench.log).events
    for held: UInt64 in 0...5 {
      let machine = SimulatedMachine(seed: 8).machine
      var receiver = try Bench.journal(on: machine)
      let all = try journal.exported(bench.log, keys: bench.keys)
      // A log whose frames are divided as they were requested.
      var early = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
      _ = try early.append([Bench.command(4)], to: bench.log, keys: bench.keys)
      let rest = try early.exported(bench.log, after: held, keys: bench.keys)
      _ = try Self.receive(all, of: bench.log, into: &receiver)
      _ = try Self.receive(rest, of: bench.log, into: &receiver)
      let found = try Bench.journal(on: machine).contents(of: bench.log)
      #expect(Array(found.events.dropLast()) == sent)
      #expect(found.damage == [])
      let (table, expected) = (receiver.logs[bench.log]?.table, [other])
      #expect(table == expected)
    }
  }
}
