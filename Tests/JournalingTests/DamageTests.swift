import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Files that have changed since the journal wrote them.
@Suite struct DamageTests {
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

  private static func put(_ bytes: [UInt8], at path: Path, _ bench: Bench) throws {
    try bench.machine.disk.replace(path, with: bytes)
  }

  @Test
  func `Recovery: a torn tail is cut after its last whole frame, and the rest is quarantined`()
    throws
  {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    let all = try bench.journal().contents(of: bench.log).events
    for size in offsets[3] + 1..<whole.count {
      let disk = bench.machine.disk.copy()
      try disk.replace(tail, with: Array(whole.prefix(size)))
      let machine = bench.copy(of: disk)
      let read = try Bench.journal(on: machine).contents(of: bench.log)
      #expect(read.events == Array(all.prefix(5)))
      #expect(
        read.damage == [
          Damage(file: tail, offset: offsets[3], kind: .tornTail(byteCount: size - offsets[3]))
        ])
      #expect(disk.files[tail]?.count == size, "a reader cuts nothing")

      var journal = try Bench.journal(on: machine)
      let repairs = try journal.recover()
      #expect(repairs.count == 1)
      #expect(disk.files[tail] == Array(whole.prefix(offsets[3])))
      let copies = disk.files.filter { $0.key.parent == Bench.folder / "quarantine" }
      #expect(Array(copies.values) == [Array(whole[offsets[3]..<size])])
      let again = try Bench.journal(on: machine).contents(of: bench.log)
      #expect(again.events == Array(all.prefix(5)))
      #expect(again.damage == [])
    }
  }

  @Test func `Recovery: an append quarantines a torn end first`() throws {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    try Self.put(Array(whole.dropLast()), at: tail, bench)
    var journal = try bench.journal()
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let copies = bench.machine.disk.files.filter { $0.key.parent.name == "quarantine" }
    #expect(Array(copies.values) == [Array(whole[offsets[3]...].dropLast())])
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.count == 6)
    #expect(found.damage == [])
  }

  @Test func `Recovery: a damaged frame within a tail stays, and the other frames remain readable`()
    throws
  {
    let (bench, tail, offsets) = try Self.prepared()
    let all = try bench.journal().contents(of: bench.log).events
    bench.machine.disk.rot(tail, at: offsets[1] + 50, flipping: 255)
    let before = bench.machine.disk.files
    var journal = try bench.journal()
    let repairs = try journal.recover()
    #expect(repairs == [])
    var after = bench.machine.disk.files
    let holes = after.removeValue(forKey: Bench.folder / "holes")
    #expect(after == before)
    #expect(holes == Array("{\"\(bench.log.hex)\":[[2,3]]}\n".utf8))
    let found = try journal.contents(of: bench.log)
    #expect(found.events == [all[0]] + all[3...])
    #expect(found.damage.map(\.offset) == [offsets[1], offsets[2]])
    #expect(found.damage.last?.kind == .missing(2...3))
    // Later events are read too, and sealing does not affect the hole.
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    let later = try bench.journal().contents(of: bench.log)
    #expect(later.events.count == 6)
    #expect(later.events.last?.sequence == 8)
  }

  @Test func `Recovery: a tail without a whole frame counts as damage and refuses appends`() throws
  {
    let (bench, tail, _) = try Self.prepared()
    let size = try #require(bench.machine.disk.files[tail]).count
    try Self.put(Array(repeating: 1, count: size), at: tail, bench)
    var journal = try bench.journal()
    let repairs = try journal.recover()
    #expect(repairs == [])
    let isSound = journal.isSound(bench.log)
    #expect(!isSound)
    #expect(throws: JournalError.damaged(bench.log)) {
      _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    }
  }

  @Test func `Recovery: zeros after the last frame mark a damaged end and allow appends`() throws {
    let (bench, tail, _) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    try Self.put(whole + Array(repeating: 0, count: 500), at: tail, bench)
    var journal = try bench.journal()
    // There may have been an event here.
    #expect(try journal.endsInDamage(bench.log))
    let found = try journal.contents(of: bench.log)
    #expect(found.events.count == 7)
    #expect(found.damage == [])
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let later = try bench.journal().contents(of: bench.log)
    #expect(later.events.count == 8)
    #expect(later.damage == [])
  }

  @Test(arguments: [(1, false), (2, true)])
  func `Recovery: a partial frame at the end of a tail is damage unless it is the next frame`(
    frame: Int, isDamage: Bool
  ) throws {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    // The whole header of the frame, and a part of its content.
    let cut = whole[offsets[frame]...].prefix(60)
    try Self.put(Array(whole[..<offsets[1]]) + cut, at: tail, bench)
    #expect(try bench.journal().endsInDamage(bench.log) == isDamage)
  }

  @Test(arguments: [0, 7])
  func `Recovery: bytes between consecutive frames mark the end as damaged`(
    remnant: Int
  ) throws {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    let noise = [UInt8](repeating: 1, count: 30)
    let moved = Array(whole[..<offsets[1]]) + noise + whole[offsets[1]..<offsets[3]]
    try Self.put(moved + whole[offsets[3]...].prefix(remnant), at: tail, bench)
    #expect(try bench.journal().contents(of: bench.log).events.count == 5)
    #expect(try bench.journal().endsInDamage(bench.log))
    // If an event is missing before a frame, the bytes before that frame are what is left of the event.
    try Self.put(Array(whole[..<offsets[1]]) + noise + whole[offsets[2]...], at: tail, bench)
    #expect(try !bench.journal().endsInDamage(bench.log))
  }

  @Test func `Recovery: a leftover tail of a sealed file is ignored and removed`() throws {
    let (bench, tail, _) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    try Self.put(whole, at: tail, bench)
    var reopened = try bench.journal()
    let found = try reopened.contents(of: bench.log)
    #expect(found.events.count == 7)
    #expect(found.damage == [])
    let repairs = try reopened.recover()
    #expect(repairs == [Repair(file: tail, kind: .removedCovered)])
    #expect(try bench.machine.disk.list(bench.logFolder) == ["000000000001-000000000007.gz"])
  }

  /// A log with its tail and the sealed file made from it.
  ///
  /// The sealed file has a changed byte or is empty.
  private static func sealedBadly(at hit: Int?) throws -> (bench: Bench, sealed: Path, tail: Path) {
    let (bench, tail, _) = try prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let sealed = try #require(bench.machine.disk.files.keys.first { $0.name.contains("-") })
    var bytes = try #require(bench.machine.disk.files[sealed])
    if let hit { bytes[hit] ^= 1 } else { bytes = [] }
    try put(bytes, at: sealed, bench)
    try put(whole, at: tail, bench)
    return (bench, sealed, tail)
  }

  @Test(arguments: [0, 40, nil])
  func `Recovery: a damaged sealed file is quarantined if its tail is whole`(hit: Int?) throws {
    let (bench, sealed, _) = try Self.sealedBadly(at: hit)
    let bytes = try #require(bench.machine.disk.files[sealed])
    var journal = try bench.journal()
    #expect(try journal.recover() == [Repair(file: sealed, kind: .removedCovered)])
    let found = try journal.contents(of: bench.log)
    #expect(found.events.count == 7)
    #expect(found.damage == [])
    #expect(bench.machine.disk.files[sealed] == nil)
    let copies = bench.machine.disk.files.filter { $0.key.string.contains("quarantine") }
    #expect(copies.map(\.value) == [bytes])
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    #expect(try bench.journal().contents(of: bench.log).events.count == 8)
  }

  @Test func `Recovery: a damaged sealed file stays if its tail has lost events too`() throws {
    let (bench, sealed, tail) = try Self.sealedBadly(at: 40)
    let bytes = try #require(bench.machine.disk.files[sealed])
    try Self.put(try #require(bench.machine.disk.files[tail]).dropLast(), at: tail, bench)
    var journal = try bench.journal()
    #expect(try journal.recover() == [])
    #expect(bench.machine.disk.files[sealed] == bytes)
  }

  @Test func `Append: a full disk fails the commit and leaves the log intact`() throws {
    let (bench, tail, _) = try Self.prepared()
    let before = bench.machine.disk.files[tail]
    var journal = try bench.journal()
    for room in [0, 1, 60, 120] {
      bench.machine.disk.becomeFull(afterBytes: room)
      #expect(throws: JournalError.self) {
        _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
      }
      #expect(bench.machine.disk.files[tail] == before)
      bench.machine.disk.clearWeather()
    }
    _ = try journal.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.count == 8)
    #expect(found.damage == [])
  }

  @Test func `Reader: a log that is sealed in the meantime can still be read`() throws {
    let (bench, _, _) = try Self.prepared()
    var writer = try bench.journal()
    var reader = try writer.reader(of: bench.log)
    let first = try reader.read()
    #expect(first?.frame.lastSequence == 1)
    try writer.seal(bench.log, keys: bench.keys)
    _ = try writer.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    var late = try writer.reader(of: bench.log, from: 8)
    var sequences: [UInt64] = []
    while let read = try reader.read() { sequences.append(read.frame.lastSequence) }
    let lateEnd = try late.read()?.frame.lastSequence
    #expect(sequences == [3, 5, 7])
    #expect(lateEnd == 8)
    let damage = reader.damage
    #expect(damage == [])
  }

  @Test func `Journal: writing a log that another journal has changed is refused`() throws {
    let (bench, _, _) = try Self.prepared()
    var late = try bench.journal()
    var first = try bench.journal()
    _ = try first.append([Bench.command(9)], to: bench.log, keys: bench.keys)
    let afterAppend = bench.machine.disk.files
    #expect(throws: JournalError.changed(bench.log)) {
      _ = try late.append([Bench.command(10)], to: bench.log, keys: bench.keys)
    }
    #expect(throws: JournalError.changed(bench.log)) {
      try late.seal(bench.log, keys: bench.keys)
    }
    #expect(bench.machine.disk.files == afterAppend)
    try first.seal(bench.log, keys: bench.keys)
    late = try bench.journal()
    _ = try first.append([Bench.command(11)], to: bench.log, keys: bench.keys)
    let afterSeal = bench.machine.disk.files
    #expect(throws: JournalError.changed(bench.log)) {
      _ = try late.append([Bench.command(12)], to: bench.log, keys: bench.keys)
    }
    #expect(bench.machine.disk.files == afterSeal)
  }

  @Test func `Append: an event that readers would refuse is rejected, and no file changes`() throws
  {
    let (bench, _, _) = try Self.prepared()
    let before = bench.machine.disk.files
    var journal = try bench.journal()
    let unknown = Seen(log: .index(0), sequence: 1, hash: UniqueID(high: 1, low: 1))
    let events = [
      NewEvent(body: []), NewEvent(body: [0x80]), NewEvent(body: [0x81, 0x08]),
      NewEvent(body: [0x82, 0, 2, 0]), NewEvent(seen: [unknown], body: Bench.body(1)),
      NewEvent(link: Reference(sequence: 8), body: Bench.body(1)),
    ]
    for event in events {
      #expect(throws: JournalError.self) {
        _ = try journal.append(
          [Command(time: Bench.start, events: [event])], to: bench.log, keys: bench.keys)
      }
    }
    #expect(bench.machine.disk.files == before)
  }

  @Test func `Stray bytes: they are quarantined and removed from a file that holds all its events`()
    throws
  {
    let (bench, _, _) = try Self.prepared()
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let before = try journal.contents(of: bench.log).events
    let file = bench.logFolder / "000000000001-000000000007.gz"
    let whole = try #require(bench.machine.disk.files[file])
    let (front, back) = ([UInt8](repeating: 1, count: 30), [UInt8](repeating: 2, count: 60))
    try Self.put(front + whole + back, at: file, bench)
    var hurt = try bench.journal()
    let repairs = try hurt.removeStrayBytes()
    let copies = bench.machine.disk.files.filter { $0.key.string.contains("/quarantine/") }
    #expect(Set(copies.values) == [front, back])
    #expect(
      Set(repairs)
        == Set(
          copies.map { path, bytes in
            Repair(file: file, kind: .trimmed(byteCount: bytes.count, copiedTo: path))
          } + [Repair(file: file, kind: .renewed)]))
    #expect(bench.machine.disk.files[file] == whole)
    #expect(try hurt.contents(of: bench.log).events == before)
    #expect(try hurt.removeStrayBytes() == [])
  }

  @Test func `Stray bytes: they are left in a file that has lost events`() throws {
    let (bench, tail, offsets) = try Self.prepared()
    let whole = try #require(bench.machine.disk.files[tail])
    let noise = [UInt8](repeating: 1, count: 30)
    let hurt = Array(whole[..<offsets[1]]) + noise + whole[offsets[2]...]
    try Self.put(hurt, at: tail, bench)
    var journal = try bench.journal()
    #expect(try journal.removeStrayBytes() == [])
    #expect(bench.machine.disk.files[tail] == hurt)
  }
}
