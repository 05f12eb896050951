import Bytes
import Crypto
import Gzip
import Platform
import SimulatedPlatform
import Testing
import Verifying

@testable import Journaling

/// Stripping on disk: files, blocks, late copies and crashes.
struct StripTests {
  private static let erase = Landmark(
    log: UniqueID(high: 4, low: 4), sequence: 9, hash: UniqueID(high: 5, low: 5))

  private static func erasing(_ sequences: UInt64..., in log: UniqueID) -> Erasures {
    var erasures = Erasures()
    for sequence in sequences {
      erasures.insert(EventName(log: log, sequence: sequence), by: erase)
    }
    return erasures
  }

  private static func text(_ number: UInt64) -> String { "secret number \(number) of all" }

  /// A body that sets a text field of an entity to text with the given number.
  private static func body(
    _ verb: UInt64, _ number: UInt64, of subject: (inout CBORWriter) -> Void
  ) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(verb)
    subject(&writer)
    writer.unsigned(5)
    writer.text(text(number))
    return writer.bytes
  }

  private static func add(_ number: UInt64) -> Command {
    let body = body(0, number) { $0.unsigned(0) }
    return Command(time: Bench.start, events: [NewEvent(body: body)])
  }

  /// A journal whose events from 2 on add entities, with the sequence number as text.
  ///
  /// The first `sealed` events are in a sealed file.
  private static func journal(
    _ bench: Bench, sealed: UInt64, inTail: UInt64
  ) throws -> Journal {
    var journal = try bench.begun()
    for sequence in 2...sealed {
      _ = try journal.append([add(sequence)], to: bench.log, keys: bench.keys)
    }
    try journal.seal(bench.log, keys: bench.keys)
    for sequence in sealed + 1...sealed + inTail {
      _ = try journal.append([add(sequence)], to: bench.log, keys: bench.keys)
    }
    return journal
  }

  /// The bytes of all files on a disk, packed and unpacked.
  private static func everything(on disk: SimulatedDisk) -> [UInt8] {
    var bytes: [UInt8] = []
    for file in disk.files.sorted(by: { $0.key.string < $1.key.string }).map(\.value) {
      bytes += file
      var offset = 0
      while let member = try? GzipMember.decompress(file.span, at: offset, outputLimit: 1 << 23) {
        bytes += member.content
        offset += member.length
      }
    }
    return bytes
  }

  /// Which of the given events have text that occurs anywhere on the disk.
  private static func found(_ sequences: [UInt64], on disk: SimulatedDisk) -> [UInt64] {
    let all = everything(on: disk)
    return sequences.filter { all.contains(Array(text($0).utf8)) }
  }

  private static func verified(_ disk: any Disk) throws -> [Fault] {
    try Verification.run(on: Bench.folder, disk: disk).faults
  }

  @Test func `Stripping: bodies are removed from sealed files and tails, and seeds from blocks`()
    throws
  {
    let bench = try Bench()
    let disk = bench.machine.disk
    var journal = try Self.journal(bench, sealed: 100, inTail: 60)
    let before = try journal.contents(of: bench.log).events
    let quarantined = Bench.folder / "quarantine" / "\(bench.log.hex).1.2.x"
    try disk.makeDirectories(quarantined.parent)
    try disk.replace(quarantined, with: Array(Self.text(90).utf8))

    let report = try journal.strip(Self.erasing(3, 90, in: bench.log))

    #expect(report.bodies == [bench.log: 2])
    #expect(
      report.files.map(\.name).sorted() == ["000000000001-000000000100.gz", "000000000101.gz"])
    #expect(report.removed == [quarantined])
    #expect(Self.found([2, 3, 90, 101, 160], on: disk) == [2, 101, 160])
    #expect(try Self.verified(disk).isEmpty)
    let after = try Bench.journal(on: bench.machine.machine).contents(of: bench.log)
    #expect(after.damage.isEmpty)
    #expect(after.events.map(\.hash) == before.map(\.hash))
    // Blocks 0 and 1 are affected, and block 2 keeps its seed.
    var reader = try journal.reader(of: bench.log)
    var seeded: Set<UInt64> = []
    while let frame = try reader.read()?.frame { seeded.formUnion(frame.seededBlocks) }
    #expect(seeded == [2])
    #expect(try journal.strip(Self.erasing(3, 90, in: bench.log)).isNothing)
  }

  @Test func `Stripping: the log continues in a block whose seed was removed`() throws {
    let bench = try Bench()
    var journal = try Self.journal(bench, sealed: 4, inTail: 3)
    var reader = try journal.reader(of: bench.log)
    let opening = try #require(try reader.read()).frame
    guard case .seed(let seed)? = opening.information.blocks.first else {
      Issue.record("a new block has a seed")
      return
    }
    _ = try journal.strip(Self.erasing(6, in: bench.log))
    for sequence: UInt64 in 8...12 {
      _ = try journal.append([Self.add(sequence)], to: bench.log, keys: bench.keys)
    }
    let isTold = Self.everything(on: bench.machine.disk).contains(seed.bytes)
    #expect(!isTold)
    #expect(try Self.verified(bench.machine.disk).isEmpty)
    var reopened = try bench.journal()
    _ = try reopened.append([Self.add(13)], to: bench.log, keys: bench.keys)
    try reopened.seal(bench.log, keys: bench.keys)
    #expect(try Self.verified(bench.machine.disk).isEmpty)
    #expect(try reopened.contents(of: bench.log).events.count == 13)
  }

  @Test func `Stripping: a seed is removed on both sides of a fork`() throws {
    let bench = try Bench()
    var journal = try Self.journal(bench, sealed: 4, inTail: 2)
    var reader = try journal.reader(of: bench.log)
    let opening = try #require(try reader.read()).frame
    guard case .seed(let seed)? = opening.information.blocks.first else {
      Issue.record("a new block has a seed")
      return
    }
    var clone = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    _ = try clone.append([Self.add(20)], to: bench.log, keys: bench.keys)
    _ = try journal.append([Self.add(7)], to: bench.log, keys: bench.keys)
    for frame in try clone.exported(bench.log, after: 6, keys: bench.keys) {
      try journal.receive(frame, of: bench.log, on: .logs)
    }
    _ = try journal.commit()
    #expect(journal.forks.count == 2)
    _ = try journal.strip(Self.erasing(3, in: bench.log), in: [bench.log])
    let isTold = Self.everything(on: bench.machine.disk).contains(seed.bytes)
    #expect(!isTold)
    #expect(try Self.verified(bench.machine.disk).isEmpty)
  }

  @Test func `Stripping: a late copy is stripped before it is stored`() throws {
    let bench = try Bench()
    var source = try Self.journal(bench, sealed: 10, inTail: 5)
    let early = try source.exported(bench.log, keys: bench.keys)
    for sequence: UInt64 in 16...20 {
      _ = try source.append([Self.add(sequence)], to: bench.log, keys: bench.keys)
    }
    let late = try source.exported(bench.log, after: 15, keys: bench.keys)

    let machine = SimulatedMachine(seed: 5)
    var journal = try Bench.journal(on: machine.machine)
    for frame in early { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    let erasures = Self.erasing(4, 17, in: bench.log)
    _ = try journal.strip(erasures)
    for frame in late { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()

    #expect(Self.found([4, 17, 18], on: machine.disk) == [18])
    #expect(try Self.verified(machine.disk).isEmpty)
    #expect(try journal.strip(erasures).isNothing)
  }

  @Test func `Stripping: a reference through an unknown branch is stripped before it is stored`()
    throws
  {
    let (bench, guest) = (try Bench(), try Bench(keySeed: 40))
    var journal = try Self.journal(bench, sealed: 3, inTail: 2)
    _ = try journal.strip(Self.erasing(4, in: bench.log))
    let hashes = try journal.contents(of: bench.log).events.map(\.hash)
    var source = try guest.begun()
    // If the log had forked after its second event, the rest of it would be named after the third.
    let branch = UniqueID.branch(firstCommandHash: hashes[2])
    let other = UniqueID.branch(firstCommandHash: hashes[4])
    for (index, log) in [(0, branch), (1, other)] as [(UInt64, UniqueID)] {
      let seen = Seen(log: .introduced(log), sequence: 4, hash: hashes[3].prefix16)
      let edit = Self.body(1, 30 + index) { Reference(index: index, sequence: 4).encode(to: &$0) }
      let command = Command(time: Bench.start, events: [NewEvent(seen: [seen], body: edit)])
      _ = try source.append([command], to: guest.log, keys: guest.keys)
    }
    for frame in try source.exported(guest.log, keys: guest.keys) {
      try journal.receive(frame, of: guest.log, on: .logs)
    }
    _ = try journal.commit()
    #expect(Self.found([4, 30, 31], on: bench.machine.disk) == [31])
    #expect(try Self.verified(bench.machine.disk).isEmpty)
  }

  @Test func `Stripping: the next pass removes the seed of a block stripped in part on arrival`()
    throws
  {
    let bench = try Bench()
    var source = try Self.journal(bench, sealed: 10, inTail: 5)
    let early = try source.exported(bench.log, keys: bench.keys)
    for sequence: UInt64 in 16...20 {
      _ = try source.append([Self.add(sequence)], to: bench.log, keys: bench.keys)
    }
    let erasures = Self.erasing(17, in: bench.log)
    let machine = SimulatedMachine(seed: 5)
    var journal = try Bench.journal(on: machine.machine)
    for frame in early { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    _ = try journal.strip(erasures)
    for frame in try source.exported(bench.log, after: 15, keys: bench.keys) {
      try journal.receive(frame, of: bench.log, on: .logs)
    }
    _ = try journal.commit()
    #expect(try journal.strip(erasures, in: [bench.log]).bodies == [bench.log: 0])
    #expect(try Self.verified(machine.disk).isEmpty)
  }

  @Test(arguments: [Survival.nothing, .everything])
  func `Stripping: repeating it completes a run that a crash interrupted`(survival: Survival) throws
  {
    let bench = try Bench()
    let start = try Self.journal(bench, sealed: 70, inTail: 20)
    let hashes = try start.contents(of: bench.log).events.map(\.hash)
    let erasures = Self.erasing(3, 80, in: bench.log)
    var calls = 0
    while true {
      calls += 1
      let disk = bench.machine.disk.copy()
      let machine = bench.copy(of: disk)
      var journal = try Bench.journal(on: machine)
      disk.failCall(calls, with: .io, .fromThenOn)
      let isDone = (try? journal.strip(erasures)) != nil
      disk.crash(keeping: survival)
      disk.clearWeather()
      var again = try Bench.journal(on: machine)
      _ = try again.recover()
      _ = try again.strip(erasures)
      #expect(Self.found([3, 80], on: disk) == [])
      #expect(try again.contents(of: bench.log).events.map(\.hash) == hashes)
      #expect(try Self.verified(disk).isEmpty)
      if isDone { break }
    }
    #expect(calls > 8)
  }

  @Test(arguments: [Survival.nothing, .everything])
  func `Stripping: a file that grows too large is split, even after a crash`(
    survival: Survival
  ) throws {
    let bench = try Bench()
    var start = try Self.journal(bench, sealed: 10, inTail: 1)
    for last: UInt64 in [20, 30] {
      for sequence in last - 8...last {
        _ = try start.append([Self.add(sequence)], to: bench.log, keys: bench.keys)
      }
      try start.seal(bench.log, keys: bench.keys)
      if last < 30 { _ = try start.append([Self.add(21)], to: bench.log, keys: bench.keys) }
    }
    let folder = bench.logFolder
    // One file of three frames: neighbouring frames are joined only if they are small.
    var whole: [UInt8] = []
    let names = try bench.machine.disk.list(folder).sorted()
    #expect(names.count == 3)
    for name in names {
      whole += try bench.machine.disk.contents(of: folder / name, limit: 1 << 20)
      try bench.machine.disk.remove(folder / name)
    }
    try bench.machine.disk.replace(folder / "000000000001-000000000030.gz", with: whole)
    try bench.machine.disk.flushDirectory(folder)
    let hashes = try bench.journal().contents(of: bench.log).events.map(\.hash)
    #expect(hashes.count == 30)
    var calls = 0
    while true {
      calls += 1
      let disk = bench.machine.disk.copy()
      let machine = bench.copy(of: disk)
      var journal = try Bench.journal(on: machine)
      journal.parts.store.rewrittenBytes = 300
      disk.failCall(calls, with: .io, .fromThenOn)
      let isDone = (try? journal.strip(Self.erasing(3, 15, 29, in: bench.log))) != nil
      disk.crash(keeping: survival)
      disk.clearWeather()
      var again = try Bench.journal(on: machine)
      again.parts.store.rewrittenBytes = 300
      _ = try again.recover()
      _ = try again.strip(Self.erasing(3, 15, 29, in: bench.log))
      #expect(Self.found([2, 3, 15, 29], on: disk) == [2])
      #expect(try disk.list(folder).count == 3)
      #expect(try again.contents(of: bench.log).events.map(\.hash) == hashes)
      #expect(try Self.verified(disk).isEmpty)
      if isDone { break }
    }
    #expect(calls > 8)
  }

  @Test func `Stripping: if one frame would grow too large, the others are still stripped`() throws
  {
    let bench = try Bench()
    var journal = try Self.journal(bench, sealed: 4, inTail: 2)
    try journal.seal(bench.log, keys: bench.keys)
    let dice = Seeded(seed: 3)
    // More events than daybook writes into a frame, but no more than a frame may have.
    let count: UInt64 = 40_000
    var draft = FrameDraft(after: try #require(journal.logs[bench.log]))
    var chain = Chain()
    var erasures = Self.erasing(3, in: bench.log)
    for _ in 0..<count {
      let target = draft.end.sequence + 1
      var writer = CBORWriter()
      writer.arrayHeader(2)
      writer.unsigned(2)
      writer.unsigned(target)
      draft.append(
        NewEvent(body: writer.bytes), time: Bench.start, more: 0, bench.machine.dice, &chain)
      let erase = Landmark(
        log: UniqueID(dice.bytes(16)), sequence: 9, hash: UniqueID(dice.bytes(16)))
      erasures.insert(EventName(log: bench.log, sequence: target), by: erase)
    }
    var drafts = [draft]
    try journal.parts.sealer.sign(&drafts, of: bench.log, with: bench.keys)
    try journal.parts.sealer.writeSealed(drafts, of: bench.log)
    _ = try journal.append([Self.add(count + 7)], to: bench.log, keys: bench.keys)
    erasures.merge(Self.erasing(count + 7, in: bench.log).entities)

    let events = drafts[0].count
    #expect(
      throws: JournalError.commandTooLarge(eventCount: events, byteCount: drafts[0].bytes.count)
    ) { try journal.strip(erasures) }
    #expect(Self.found([2, 3, count + 7], on: bench.machine.disk) == [2])
  }

  @Test func `Stripping: an event with an invalid body is kept`() throws {
    let bench = try Bench()
    var journal = try Self.journal(bench, sealed: 2, inTail: 1)
    // The body is a `delete` whose target is text.
    let senseless: [UInt8] = [0x82, 2, 0x61, 0x78]
    _ = try journal.append(
      [Command(time: Bench.start, events: [NewEvent(body: senseless)])], to: bench.log,
      keys: bench.keys)
    _ = try journal.strip(Self.erasing(2, 3, 4, in: bench.log))
    #expect(Self.found([2, 3], on: bench.machine.disk) == [])
    #expect(try journal.contents(of: bench.log).events.last?.body == senseless)
  }
}
