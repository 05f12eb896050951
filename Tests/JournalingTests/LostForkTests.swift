import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Forked logs with damage.
@Suite struct LostForkTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  private func journal(on disk: SimulatedDisk) throws -> Journal {
    try Bench.journal(on: bench.copy(of: disk))
  }

  private func write(_ commands: [UInt64], to disk: SimulatedDisk) throws {
    var journal = try Bench.journal(on: bench.copy(of: disk, seed: commands.first ?? 3))
    for number in commands {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
  }

  /// Two machines that continued the same three events with commands of two events each.
  private func machines(
    _ ours: [UInt64], _ theirs: [UInt64]
  ) throws -> (ours: SimulatedDisk, theirs: SimulatedDisk) {
    _ = try bench.begun()
    try write([1], to: bench.machine.disk)
    let copy = bench.machine.disk.copy()
    try write(ours, to: bench.machine.disk)
    try write(theirs, to: copy)
    return (bench.machine.disk, copy)
  }

  /// The sequence numbers of each log's own events.
  private func contents(of disk: SimulatedDisk) throws -> [UniqueID: [UInt64]] {
    let journal = try journal(on: disk)
    var contents: [UniqueID: [UInt64]] = [:]
    for log in journal.logs.keys {
      let own = journal.lineage(of: log).first...(journal.logs[log]?.sequence ?? 0)
      let events = try journal.contents(of: log).events
      contents[log] = events.map(\.sequence).filter { own.contains($0) }
    }
    return contents
  }

  /// Damages frames of the tail, given by their indices.
  private func damage(_ frames: [Int], on disk: SimulatedDisk) throws {
    let tail = bench.logFolder / "000000000001.gz"
    let bytes = try disk.contents(of: tail, limit: 1 << 20)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    for frame in frames { disk.rot(tail, at: starts[frame] + 60, flipping: 1) }
  }

  @Test func `Damaged fork: a branch without its first command is not claimed, then restored`()
    throws
  {
    let (ours, theirs) = try machines([2, 3], [4])
    try bench.send(from: ours, to: theirs, passingGaps: true)
    try bench.send(from: theirs, to: ours, passingGaps: true)
    let whole = try contents(of: ours)
    #expect(whole.values.map(\.count).sorted() == [2, 3, 4])
    try damage([2], on: ours)
    #expect(try contents(of: ours).values.map(\.count).sorted() == [2, 3])
    #expect(try journal(on: ours).unplacedEvents == [bench.log: [4...7]])
    let ends = try journal(on: theirs).places().filter { $0.sequence == 7 }
    #expect(try journal(on: ours).landmarks(for: ends).map(\.sequence) == [2, 3])
    try bench.send(from: theirs, to: ours, passingGaps: true)
    #expect(try contents(of: ours) == whole)
    #expect(try journal(on: ours).unplacedEvents == [:])
  }

  /// Two machines: one with two branches, one of which is lost from its first command on, and one with only the other
  /// branch.
  ///
  /// - Parameter isBegun: Whether the trunk's file on the first machine also holds the first command of the other
  ///   branch.
  /// - Returns: The disks of the machines.
  /// - Throws: An error if the test's logs cannot be written.
  private func machinesWithOneBranchLeft(
    isBegun: Bool = false
  ) throws -> (ours: SimulatedDisk, theirs: SimulatedDisk) {
    let (ours, theirs) = try machines([2, 3], [4])
    let tail = bench.logFolder / "000000000001.gz"
    let begun = try theirs.contents(of: tail, limit: 1 << 20)
    try bench.send(from: theirs, to: ours)
    var journal = try Bench.journal(on: bench.copy(of: theirs, seed: 9))
    // The branch has both sealed files and a tail.
    let large = Bench.command(5, events: 2, byteCount: 40_000)
    for command in [large, Bench.command(6)] {
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
      try bench.send(from: theirs, to: ours)
    }
    #expect(try contents(of: ours).values.map(\.count).sorted() == [3, 4, 5])
    if isBegun { try ours.replace(tail, with: begun) } else { try damage([2, 3], on: ours) }
    return (ours, theirs)
  }

  @Test(arguments: [false, true])
  func `Damaged fork: the only remaining branch becomes the log again`(isBegun: Bool) throws {
    let (ours, theirs) = try machinesWithOneBranchLeft(isBegun: isBegun)
    var journal = try journal(on: ours)
    _ = try journal.recover()
    #expect(journal.forks == [:])
    #expect(try contents(of: ours) == contents(of: theirs))
    ours.crash()
    #expect(try contents(of: ours) == contents(of: theirs))
    #expect(try Verification.run(on: Bench.folder, disk: ours).faults == [])
  }

  @Test func `Damaged fork: a branch joins a device's log only after the device leaves it`() throws
  {
    let (ours, theirs) = try machinesWithOneBranchLeft()
    var journal = try journal(on: ours)
    _ = try journal.recover(for: bench.log)
    let isForked = journal.isForked(bench.log)
    #expect(isForked)
    _ = try journal.recover()
    #expect(try contents(of: ours) == contents(of: theirs))
  }

  @Test(arguments: [false, true])
  func `Damaged fork: a crash while a branch joins the log loses nothing`(isBegun: Bool) throws {
    let (ours, theirs) = try machinesWithOneBranchLeft(isBegun: isBegun)
    let whole = try contents(of: theirs)
    ours.record()
    var journal = try journal(on: ours)
    _ = try journal.recover()
    let states = ours.recorded()
    #expect(states.count > 6)
    for state in states {
      for survival in CrashTests.survivals {
        let cut = state.copy()
        cut.crash(keeping: survival)
        var left = try self.journal(on: cut)
        _ = try left.recover()
        #expect(try contents(of: cut) == whole)
      }
    }
  }

  /// Damages frames on a disk that also contains the key of the log, like the disk of the device that writes it.
  private func lose(_ frames: [Int], on disk: SimulatedDisk) throws {
    // The device that writes a log also holds events that no head proves yet.
    try disk.makeDirectories(Bench.folder / "keys")
    try disk.replace(Bench.folder / "keys" / "\(bench.log.hex).pem", with: [1])
    try damage(frames, on: disk)
  }

  @Test(arguments: [[2], [2, 3]])
  func `Damaged fork: unrooted remains of a branch do not block the log's events`(
    lost: [Int]
  ) throws {
    let (ours, theirs) = try machines([2, 3, 4], [5, 6])
    try lose(lost, on: ours)
    try bench.send(from: theirs, to: ours, passingGaps: true)
    #expect(try contents(of: ours) == contents(of: theirs))
    ours.crash()
    #expect(try contents(of: ours) == contents(of: theirs))
    // The branch is kept and reported.
    let faults = try Verification.run(on: Bench.folder, disk: ours).faults
    #expect(faults.map(\.kind) == [.unrooted])
    let first = UInt64(4 + 2 * lost.count)
    #expect(faults.map(\.sequence) == [first])
    #expect(try journal(on: ours).unplacedEvents == [bench.log: [first...9]])
    // The branch does not claim the lost events before it.
    let places = try journal(on: ours).places()
    #expect(try places == journal(on: theirs).places())
  }

  @Test(arguments: [([2], [5]), ([2, 3], [5, 6]), ([2, 3], [5])])
  func `Damaged fork: a branch whose beginning is restored is complete again`(
    lost: [Int], others: [UInt64]
  ) throws {
    let (ours, theirs) = try machines([2, 3, 4], others)
    let holder = ours.copy()
    try lose(lost, on: ours)
    try bench.send(from: theirs, to: ours, passingGaps: true)
    try bench.send(from: theirs, to: holder, passingGaps: true)
    try bench.send(from: holder, to: ours, passingGaps: true)
    #expect(try contents(of: ours) == contents(of: holder))
    ours.crash()
    // The next writer quarantines the bytes after the end of the log.
    var journal = try journal(on: ours)
    _ = try journal.recover()
    #expect(try Verification.run(on: Bench.folder, disk: ours).faults == [])
  }

  @Test func `Damaged fork: a branch after a damaged trunk keeps its name`() throws {
    let (ours, theirs) = try machines([2, 3, 4], [5])
    let holder = ours.copy()
    try bench.send(from: theirs, to: holder, passingGaps: true)
    let whole = try contents(of: holder)
    #expect(whole.values.map(\.count).sorted() == [2, 3, 6])
    // A shared event and a command of the branch are lost.
    try lose([1, 3], on: ours)
    try bench.send(from: theirs, to: ours, passingGaps: true)
    var left = whole
    let branch = try #require(left.first { $0.value.count == 6 }?.key)
    left[branch] = [4, 5, 8, 9]
    #expect(try contents(of: ours) == left)
    try bench.send(from: holder, to: ours, passingGaps: true)
    #expect(try contents(of: ours) == whole)
  }

  @Test func `Damaged fork: a log and a branch with one remaining event are restored`() throws {
    let (ours, theirs) = try machines([2, 3], [4])
    try bench.send(from: theirs, to: ours, passingGaps: true)
    let holder = ours.copy()
    let whole = try contents(of: holder)
    try damage([0, 1, 2], on: ours)
    let branches = ours.files.keys.filter { $0.parent.parent == bench.logFolder }
    #expect(branches.count == 1)
    for path in branches { ours.rot(path, at: 60, flipping: 1) }
    #expect(try contents(of: ours).values.map(\.count).sorted() == [2])
    // The branch is received once the trunk that it leaves is restored.
    for _ in 0..<2 { try bench.send(from: holder, to: ours, passingGaps: true) }
    #expect(try contents(of: ours) == whole)
  }

  @Test func `Damaged fork: a branch restored together with its trunk stays whole`() throws {
    let (ours, theirs) = try machines([2], [4])
    let early = ours.copy()
    try write([3], to: ours)
    try bench.send(from: ours, to: theirs, passingGaps: true)
    let holder = theirs.copy()
    let whole = try contents(of: holder)
    #expect(whole.values.map(\.count).sorted() == [2, 3, 4])
    try damage([0, 1, 2], on: theirs)
    try bench.send(from: early, to: theirs)
    #expect(try contents(of: theirs) == whole.filter { $0.value.count > 2 })
    try bench.send(from: holder, to: theirs, passingGaps: true)
    #expect(try contents(of: theirs) == whole)
  }

  @Test(arguments: [[1], [1, 2]])
  func `Damaged fork: a frame that continues in another branch restores the trunk before it`(
    lost: [Int]
  ) throws {
    let (ours, theirs) = try machines([2], [4])
    // The lost events and the events of the other branch are in one frame.
    var journal = try journal(on: theirs)
    _ = try journal.compact(keys: [bench.log: bench.keys])
    try bench.send(from: theirs, to: ours)
    let whole = try contents(of: ours)
    #expect(whole.values.map(\.count).sorted() == [2, 2, 3])
    try bench.send(from: ours, to: theirs)
    try damage(lost, on: ours)
    #expect(try contents(of: ours) != whole)
    // As in the files of a directory peer, the frames begin before the lost events.
    let frames = try self.journal(on: theirs).exported(bench.log, keys: bench.keys)
    journal = try self.journal(on: ours)
    for frame in frames { try journal.receive(frame, of: bench.log, on: .logs) }
    _ = try journal.commit()
    #expect(try contents(of: ours) == whole)
    ours.crash()
    // The next writer quarantines the bytes after the end of the log.
    journal = try self.journal(on: ours)
    _ = try journal.recover()
    #expect(try contents(of: ours) == whole)
    #expect(try Verification.run(on: Bench.folder, disk: ours).faults == [])
  }

  @Test(arguments: [false, true])
  func `Damaged fork: a frame restores the trunk first if all of its branch is lost as well`(
    introduces: Bool
  ) throws {
    // Without the second event, the table of the trunk at the fork may be unknown.
    var second = NewEvent(body: Bench.body(2))
    if introduces {
      let (other, hash) = (UniqueID(high: 3, low: 4), UniqueID(high: 1, low: 1))
      second.seen = [Seen(log: .introduced(other), sequence: 1, hash: hash)]
    }
    var journal = try bench.begun()
    let command = Command(time: Bench.start, events: [second])
    _ = try journal.append([command], to: bench.log, keys: bench.keys)
    let ours = bench.machine.disk
    try write([3], to: ours)
    let theirs = ours.copy()
    try write([4], to: ours)
    try write([5], to: theirs)
    // The lost events of both strands are in one frame.
    journal = try self.journal(on: theirs)
    _ = try journal.compact(keys: [bench.log: bench.keys])
    try bench.send(from: theirs, to: ours)
    let whole = try contents(of: ours)
    #expect(whole.values.map(\.count).sorted() == [2, 2, 4])
    let branch = try #require(ours.files.keys.first { $0.parent.parent == bench.logFolder })
    try damage([1], on: ours)
    ours.rot(branch, at: 60, flipping: 1)
    #expect(try contents(of: ours) != whole)
    for _ in 1...2 { try bench.send(from: theirs, to: ours) }
    #expect(try contents(of: ours) == whole)
    journal = try self.journal(on: ours)
    _ = try journal.recover()
    #expect(try Verification.run(on: Bench.folder, disk: ours).faults == [])
  }

  @Test func `Damaged fork: events after a hole become the branch that they follow`() throws {
    // Three machines continue the log: after the third event, after the fifth, and with the rest of their log.
    let (ours, others) = try machines([], [])
    var seeing = Bench.command(2, events: 2)
    let other = UniqueID(high: 3, low: 4)
    seeing.events[0].seen = [Seen(log: .introduced(other), sequence: 1, hash: .none)]
    var shared = try Bench.journal(on: bench.copy(of: ours, seed: 7))
    _ = try shared.append([seeing], to: bench.log, keys: bench.keys)
    let left = ours.copy()
    var short = try Bench.journal(on: bench.copy(of: others, seed: 8))
    try write([3], to: ours)
    _ = try short.append([Bench.command(4)], to: bench.log, keys: bench.keys)
    var torn = try Bench.journal(on: bench.copy(of: left, seed: 9))
    _ = try torn.append([Bench.command(5)], to: bench.log, keys: bench.keys)
    let holder = left.copy()
    for disk in [others, ours] { try bench.send(from: disk, to: holder, passingGaps: true) }
    let whole = try contents(of: holder)
    try damage([0, 1, 2], on: left)
    for disk in [others, ours] { try bench.send(from: disk, to: left, passingGaps: true) }
    #expect(try contents(of: left) == whole)
    left.crash()
    #expect(try contents(of: left) == whole)
    // The logs to which it refers are known too, although a lost event was the first to name them.
    #expect(try journal(on: left).logs == journal(on: holder).logs)
    #expect(try Verification.run(on: Bench.folder, disk: left).faults == [])
  }

  @Test func `Damaged fork: events after a hole that either branch may fill belong to no log`()
    throws
  {
    let (ours, theirs) = try machines([2], [5])
    let early = ours.copy()
    try write([3, 4], to: ours)
    let holder = ours.copy()
    try damage([1, 2, 3], on: ours)
    let twin = ours.copy()
    // Each device receives the two branches in a different order, between two processes.
    for (disk, others) in [(ours, [early, theirs]), (twin, [theirs, early])] {
      for other in others { try bench.send(from: other, to: disk, passingGaps: true) }
    }
    #expect(try contents(of: ours).values.map(\.count).sorted() == [2, 2, 3])
    #expect(try contents(of: twin) == contents(of: ours))
    // The events are kept and reported.
    for disk in [ours, twin] {
      disk.crash()
      let faults = try Verification.run(on: Bench.folder, disk: disk).faults
      #expect(faults.map(\.kind) == [.unrooted])
      #expect(faults.map(\.sequence) == [8])
    }
    try bench.send(from: theirs, to: holder, passingGaps: true)
    for disk in [ours, twin] {
      try bench.send(from: holder, to: disk, passingGaps: true)
      #expect(try contents(of: disk) == contents(of: holder))
    }
  }
}
