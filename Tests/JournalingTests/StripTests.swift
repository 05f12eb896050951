import Bytes
import Crypto
import Gzip
import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// Erasing on the disk: files, blocks, late copies and crashes.
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

  private static func add(_ number: UInt64) -> Command {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(0)
    writer.unsigned(5)
    writer.text(text(number))
    return Command(time: Bench.start, events: [NewEvent(body: writer.bytes)])
  }

  /// A journal whose events from 2 on are adds, each told by its sequence; the first are sealed.
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

  /// All that lies in the files of a disk, unpacked.
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

  /// Those of the events whose texts lie somewhere on a disk.
  private static func found(_ sequences: [UInt64], on disk: SimulatedDisk) -> [UInt64] {
    let all = everything(on: disk)
    return sequences.filter { all.contains(Array(text($0).utf8)) }
  }

  private static func verified(_ disk: any Disk) throws -> [Fault] {
    try Verification.run(on: Bench.folder, disk: disk).faults
  }

  @Test func `bodies go out of sealed files and tails, and seeds out of their whole blocks`() throws
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
    // Blocks 0 and 1 are touched, block 2 keeps its seed.
    var reader = try journal.reader(of: bench.log)
    var seeded: Set<UInt64> = []
    while let frame = try reader.read()?.frame { seeded.formUnion(frame.seededBlocks) }
    #expect(seeded == [2])
    #expect(try journal.strip(Self.erasing(3, 90, in: bench.log)).isNothing)
  }

  @Test func `the owner goes on in a block whose seed is gone`() throws {
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

  @Test func `a seed goes on both sides of a fork`() throws {
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

  @Test func `a late copy is stripped before it is stored`() throws {
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

  @Test func `a block held with its seed is salted when a stripped event of it arrives`() throws {
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
  func `a crash at any moment is made good by doing it again`(survival: Survival) throws {
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
}
