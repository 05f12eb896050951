import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Testing
import Verifying

@testable import Journaling

/// Lost events that are restored from a device that holds them.
@Suite struct HealTests {
  private let held: HeldTwice
  private var bench: Bench { held.bench }
  private var other: Bench { held.other }
  private var whole: [Found] { held.whole }
  private var files: [Path] { held.files }

  init() throws { held = try HeldTwice() }

  @Test(arguments: [0, 1])
  func `Hole filling: a damaged sealed file is restored`(index: Int) throws {
    try held.lose(byteAt: 120, of: files[index])
    let journal = try bench.journal()
    let lost = index == 0 ? UInt64(1)...10 : 11...19
    let (holes, places) = (journal.holes(in: bench.log), try journal.places())
    #expect(holes == [lost])
    #expect(places.first?.sequence == lost.lowerBound - 1)
    #expect(places.first?.islands == [lost.upperBound + 1...28])
    try held.heal()
    bench.machine.disk.crash()
    let healed = try bench.journal()
    let found = try healed.contents(of: bench.log)
    let left = healed.holes(in: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
    #expect(left == [])
    let quarantined = bench.machine.disk.files.keys.filter { $0.parent.name == "quarantine" }
    #expect(quarantined.count == 1)
  }

  @Test(arguments: [0, 1])
  func `Hole filling: events lost without notice are restored without a fork`(index: Int) throws {
    bench.machine.disk.rot(files[index], at: 120, flipping: 4)
    let holder = try other.journal()
    var export = try holder.export(of: bench.log, lackedBy: [], keys: nil)
    var journal = try bench.journal()
    while let frame = try export.next() { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    journal = try bench.journal()
    let forks = journal.forks
    #expect(forks == [:])
    #expect(try journal.contents(of: bench.log).events == whole)
  }

  @Test func `Hole filling: an outdated entry in the list of holes is ignored`() throws {
    try held.lose(byteAt: 120, of: files[1])
    let list = Bench.folder / "holes"
    let stale = try bench.machine.disk.contents(of: list, limit: 1 << 20)
    try held.heal()
    try bench.machine.disk.replace(list, with: stale)
    let journal = try bench.journal()
    let (holes, places) = (journal.holes(in: bench.log), try journal.places())
    #expect(holes == [])
    #expect(places.first?.sequence == 28)
    // The lost events stay on the list, because the names of files do not show them.
    try held.lose(byteAt: 120, of: files[0])
    let left = try bench.journal().holes(in: bench.log)
    #expect(left == [1...10])
  }

  @Test func `Hole filling: a removed file is restored`() throws {
    try bench.machine.disk.remove(files[1])
    let journal = try bench.journal()
    let holes = journal.holes(in: bench.log)
    #expect(holes == [11...19])
    try held.heal()
    #expect(try bench.journal().contents(of: bench.log).events == whole)
    #expect(try bench.journal().contents(of: bench.log).damage == [])
  }

  @Test func `Hole filling: restoring a file of the same size writes the list of holes`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.compact(keys: [bench.log: bench.keys])
    let frames = try journal.exported(bench.log, keys: bench.keys)
    let disk = bench.machine.disk
    let (file, bytes) = try #require(disk.files.first { $0.key.parent == bench.logFolder })
    disk.rot(file, at: 100, flipping: 1)
    var damaged = try bench.journal()
    for frame in frames { try damaged.receive(frame, of: bench.log, on: .logs) }
    _ = try damaged.commit()
    #expect(disk.files[file]?.count == bytes.count)
    #expect(disk.files[Bench.folder / "holes"] == Array("{}\n".utf8))
  }

  @Test func `Hole filling: a damaged frame in the tail is restored`() throws {
    let tail = files[2]
    var reader = try bench.journal().reader(of: bench.log, from: 20)
    let first = try #require(try reader.read()).frame.length
    bench.machine.disk.rot(tail, at: first + 60, flipping: 4)
    let holes = try bench.journal().holes(in: bench.log)
    #expect(holes == [23...25])
    try held.heal()
    let journal = try bench.journal()
    let found = try journal.contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Hole filling: one frame restores the first event and adds new ones`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    let copy = bench.machine.disk.copy()
    _ = try journal.append([Bench.command(2)], to: bench.log, keys: bench.keys)
    let frames = try journal.exported(bench.log, keys: bench.keys)
    try #require(frames.count == 1)
    copy.rot(bench.logFolder / "000000000001.gz", at: 60, flipping: 4)
    var damaged = try Bench.journal(on: bench.copy(of: copy))
    let lost = damaged.holes(in: bench.log)
    try #require(lost == [1...1])
    try damaged.receive(frames[0], of: bench.log, on: .logs)
    _ = try damaged.commit()
    let healed = try Bench.journal(on: bench.copy(of: copy)).contents(of: bench.log)
    let whole = try journal.contents(of: bench.log)
    #expect(healed.events == whole.events)
    #expect(healed.damage == [])
  }

  @Test func `Hole filling: events after a hole are sent on, and the hole is filled later`() throws
  {
    try held.lose(byteAt: 120, of: files[1])
    let third = SimulatedMachine(seed: 21)
    var journal = try Bench.journal(on: third.machine)
    var export = try bench.journal().export(of: bench.log, lackedBy: [], keys: bench.keys)
    while let frame = try export.next() {
      try journal.receive(frame, of: bench.log, on: .logs, acrossHoles: true)
    }
    _ = try journal.commit()
    third.disk.crash()
    journal = try Bench.journal(on: third.machine)
    let holes = journal.holes(in: bench.log)
    #expect(holes == [11...19])
    #expect(try journal.contents(of: bench.log).events == Array(whole[..<10] + whole[19...]))
    // The event is restored from another device that holds it, and the log continues.
    let holder = try other.journal()
    var rest = try holder.export(of: bench.log, lackedBy: try journal.places(), keys: nil)
    while let frame = try rest.next() { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    let found = try Bench.journal(on: third.machine).contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Hole filling: a frame after events that were never received is refused`() throws {
    let third = SimulatedMachine(seed: 21)
    var journal = try Bench.journal(on: third.machine)
    var export = try bench.journal().export(of: bench.log, lackedBy: [], keys: bench.keys)
    var frames: [[UInt8]] = []
    while let frame = try export.next() { frames.append(frame) }
    try journal.receive(frames[0], of: bench.log, on: .logs)
    #expect(throws: JournalError.gap(bench.log, held: 10, received: 20)) {
      try journal.receive(frames[2], of: bench.log, on: .logs)
    }
  }

  @Test func `Hole filling: a different history is accepted, and our later events become unrooted`()
    throws
  {
    try held.lose(byteAt: 120, of: files[1])
    // A different history of the same log, which diverges from ours within the lost events.
    let shared = try bench.machine.disk.contents(of: files[0], limit: 1 << 20)
    let liar = SimulatedMachine(seed: 12)
    try liar.disk.makeDirectories(bench.logFolder)
    try liar.disk.replace(files[0], with: shared)
    var lies = try Bench.journal(on: liar.machine)
    for number: UInt64 in 31...39 {
      _ = try lies.append([Bench.command(number, events: 3)], to: bench.log, keys: bench.keys)
    }
    var journal = try bench.journal()
    var lying = try lies.export(of: bench.log, lackedBy: [], keys: bench.keys)
    while let frame = try lying.next() { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    let found = try bench.journal().contents(of: bench.log).events
    #expect(try found == lies.contents(of: bench.log).events)
    let faults = try Verification.run(on: Bench.folder, disk: bench.machine.disk).faults
    #expect(faults.map(\.kind) == [.unrooted])
  }

  /// Damages frames of the tail, given by their indices.
  private func rotTail(_ frames: Set<Int>) throws {
    var reader = try bench.journal().reader(of: bench.log, from: 20)
    var (index, offsets) = (0, [Int]())
    while let read = try reader.read() {
      if frames.contains(index) { offsets.append(read.offset + 60) }
      index += 1
    }
    for offset in offsets { bench.machine.disk.rot(files[2], at: offset, flipping: 4) }
  }

  @Test func `Hole filling: two damaged frames in the tail are restored`() throws {
    var journal = try bench.journal()
    for number: UInt64 in 10...12 {
      _ = try journal.append([Bench.command(number, events: 3)], to: bench.log, keys: bench.keys)
    }
    let whole = try journal.contents(of: bench.log).events
    let frames = try journal.exported(bench.log, keys: bench.keys)
    var holder = try other.journal()
    for frame in frames { try holder.receive(frame, of: bench.log, on: .logs) }
    _ = try holder.commit()
    try rotTail([1, 3])
    let holes = try bench.journal().holes(in: bench.log)
    #expect(holes == [23...25, 29...31])
    try held.heal()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Hole filling: one frame fills a hole and restores the end of the log`() throws {
    try rotTail([0, 2])
    var journal = try bench.journal()
    for frame in try other.journal().exported(bench.log, after: 19, keys: nil) {
      try journal.receive(frame, of: bench.log, on: .logs)
    }
    _ = try journal.commit()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Hole filling: holes beyond the end of the log are ignored`() throws {
    var journal = try bench.journal()
    try journal.note(holes: [bench.log: [40...50]])
    let holes = journal.holes(in: bench.log)
    #expect(holes == [])
  }

  @Test func `Hole filling: several frames restore a lost beginning`() throws {
    let frames = try bench.journal().exported(bench.log, keys: bench.keys)
    #expect(frames.count > 2)
    try bench.machine.disk.remove(files[0])
    try bench.machine.disk.remove(files[0])
    var journal = try bench.journal()
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `Lost bodies: received frames restore some, and the others stay listed`() throws {
    var journal = try bench.journal()
    journal.note(bodiless: [bench.log: [13...16, 18...18, 21...22]])
    for frame in try other.journal().exported(bench.log, after: 19, keys: nil) {
      try journal.receive(frame, of: bench.log, on: .logs)
    }
    _ = try journal.commit()
    #expect(journal.parts.index.states[bench.log]?.losses.bodies == [13...16, 18...18])
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Lost bodies: a frame that continues on a different branch restores a body`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    var clone = try Bench.journal(on: bench.copy(of: bench.machine.disk.copy()))
    _ = try journal.append([Bench.command(2)], to: bench.log, keys: bench.keys)
    _ = try clone.append([Bench.command(3)], to: bench.log, keys: bench.keys)
    let ours = try #require(try journal.hash(of: bench.log, at: 3))
    let sent = try clone.exported(bench.log, after: 1, keys: bench.keys)
    #expect(sent.count == 1)
    let lost: [UniqueID: [ClosedRange<UInt64>]] = [
      bench.log: [2...2], .branch(firstCommandHash: ours): [3...3],
    ]
    for bodiless in [[:], lost] {
      journal.note(bodiless: bodiless)
      for frame in sent { try journal.receive(frame, of: bench.log, on: .logs) }
      _ = try journal.commit()
    }
    #expect(journal.parts.index.states[bench.log]?.losses.bodies == [3...3])
    #expect(try Verification.run(on: Bench.folder, disk: bench.machine.disk).faults == [])
  }

  @Test func `Hole filling: a frame received several times is staged once`() throws {
    try held.lose(byteAt: 120, of: files[1])
    var journal = try bench.journal()
    let frames = try other.journal().exported(bench.log, after: 10, keys: nil)
    for _ in 0..<3 { try journal.receive(frames[0], of: bench.log, on: .logs) }
    let count = journal.receiver.staged.fillers[bench.log]?.count
    #expect(count == 1)
  }

  /// Seals the tail, and damages the last file at an offset.
  private func loseEnd(byteAt offset: Int) throws {
    var journal = try bench.journal()
    try journal.seal(bench.log, keys: bench.keys)
    let file = try #require(files.last)
    bench.machine.disk.rot(file, at: offset, flipping: 4)
  }

  @Test func `Hole filling: a damaged end of the log is restored`() throws {
    try loseEnd(byteAt: 60)
    try held.heal()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }

  @Test func `Hole filling: a tail with damage throughout is restored`() throws {
    let size = bench.machine.disk.files[files[2]]?.count ?? 0
    var offset = 60
    while offset < size {
      bench.machine.disk.rot(files[2], at: offset, flipping: 4)
      offset += 40
    }
    try held.heal()
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events == whole)
    #expect(found.damage == [])
  }
}
