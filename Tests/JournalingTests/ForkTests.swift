import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// One log that several machines continue independently.
@Suite struct ForkTests {
  /// The logs and forks of one replica.
  ///
  /// Equal trees show that two devices hold the same events.
  struct Tree: Hashable {
    var logs: [UniqueID: [Found]]
    var forks: [UniqueID: Fork]
  }

  private let bench: Bench

  init() throws { bench = try Bench() }

  /// The device's machine, with a log that contains `commands`.
  private func device(commands: [UInt64]) throws -> SimulatedDisk {
    var journal = try bench.begun()
    for number in commands {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
    return bench.machine.disk
  }

  /// A copy of a machine that continues the log independently.
  private func copy(_ disk: SimulatedDisk, appending commands: [UInt64]) throws -> SimulatedDisk {
    let copy = disk.copy()
    var journal = try Bench.journal(on: bench.copy(of: copy, seed: commands.first ?? 3))
    for number in commands {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
    return copy
  }

  private func journal(on disk: SimulatedDisk) throws -> Journal {
    try Bench.journal(on: bench.copy(of: disk))
  }

  private func tree(on disk: SimulatedDisk) throws -> Tree {
    let journal = try journal(on: disk)
    var logs: [UniqueID: [Found]] = [:]
    for log in journal.logs.keys {
      let own = journal.lineage(of: log).first...(journal.logs[log]?.sequence ?? 0)
      logs[log] = try journal.contents(of: log).events.filter { own.contains($0.sequence) }
    }
    return Tree(logs: logs, forks: journal.forks)
  }

  @Test func `Fork: two branches become separate logs, the same on every device`() throws {
    let ours = try device(commands: [1, 2])
    let theirs = try copy(ours, appending: [3, 4])
    try write([5], to: ours)
    let before = (try tree(on: ours), try tree(on: theirs))
    try bench.send(from: ours, to: theirs)
    try bench.send(from: theirs, to: ours)
    let (left, right) = (try tree(on: ours), try tree(on: theirs))
    #expect(left == right)
    #expect(left.forks.count == 2)
    #expect(left.forks.values.allSatisfy { $0 == Fork(trunk: bench.log, lastShared: 5) })
    #expect(left.logs[bench.log]?.count == 5)
    let events = Set(left.logs.values.joined())
    #expect(events == Set(before.0.logs.values.joined()).union(before.1.logs.values.joined()))
    ours.crash()
    #expect(try tree(on: ours) == left)
  }

  @Test func `Fork: admitting its logs one by one, starting with any of them, admits all`() throws {
    let ours = try device(commands: [1, 2])
    let theirs = try copy(ours, appending: [3])
    try write([5], to: ours)
    try bench.send(from: theirs, to: ours)
    let whole = try tree(on: ours)
    for log in whole.logs.keys.sorted() {
      let holder = SimulatedMachine(seed: 9).disk
      try bench.send(from: ours, to: holder, on: .aside)
      var journal = try journal(on: holder)
      #expect(Set(journal.aside.keys) == Set(whole.logs.keys))
      try journal.admit(log)
      for other in whole.logs.keys.sorted() { try journal.admit(other) }
      #expect(try tree(on: holder) == whole)
    }
  }

  private func write(_ commands: [UInt64], to disk: SimulatedDisk) throws {
    var journal = try Bench.journal(on: bench.copy(of: disk, seed: 77))
    for number in commands {
      _ = try journal.append([Bench.command(number, events: 2)], to: bench.log, keys: bench.keys)
    }
  }

  @Test func `Fork: the id of a branch is derived from the hash at the end of its first command`()
    throws
  {
    let ours = try device(commands: [1])
    let theirs = try copy(ours, appending: [2])
    try write([3], to: ours)
    try bench.send(from: theirs, to: ours)
    let journal = try journal(on: theirs)
    let hash = try #require(try journal.hash(of: bench.log, at: 5))
    #expect(try tree(on: ours).forks[.branch(firstCommandHash: hash)]?.lastShared == 3)
  }

  @Test func `Fork: branches of branches form the same tree in any order of arrival`() throws {
    let root = try device(commands: [1, 2, 3])
    let early = try copy(root, appending: [10, 11])
    let middle = try copy(early, appending: [20])
    let late = try copy(early, appending: [30, 31])
    try write([40], to: root)
    let machines = [root, early, middle, late]
    var trees: Set<Tree> = []
    for order in permutations(of: [0, 1, 2, 3]) {
      let holder = SimulatedMachine(seed: 9).disk
      for index in order { try bench.send(from: machines[index], to: holder) }
      // Events that are already stored have no effect.
      for index in order { try bench.send(from: machines[index], to: holder) }
      trees.insert(try tree(on: holder))
    }
    #expect(trees.count == 1)
    let tree = try #require(trees.first)
    #expect(tree.logs.count == 5)
    #expect(tree.forks.count == 4)
    #expect(Set(tree.forks.values.map(\.lastShared)) == [7, 11])
    #expect(tree.logs.values.map(\.count).sorted() == [2, 2, 4, 4, 7])
  }

  private func permutations(of items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { item in
      permutations(of: items.filter { $0 != item }).map { [item] + $0 }
    }
  }

  @Test func `Fork: different first events give two branches without a trunk`() throws {
    let ours = try device(commands: [1])
    let other = SimulatedMachine(seed: 5)
    var journal = try Bench.journal(on: bench.copy(of: other.disk, seed: 5))
    _ = try journal.begin(
      bench.keys, incarnation: Bench.incarnation, name: "desk again", at: Bench.start)
    try bench.send(from: other.disk, to: ours)
    try bench.send(from: ours, to: other.disk)
    let (left, right) = (try tree(on: ours), try tree(on: other.disk))
    #expect(left == right)
    #expect(left.logs.count == 2)
    #expect(left.forks.values.map(\.lastShared) == [0, 0])
  }

  @Test func `Fork: events from a device that does not know the fork extend the right branch`()
    throws
  {
    let ours = try device(commands: [1])
    let theirs = try copy(ours, appending: [2])
    try write([3], to: ours)
    try bench.send(from: theirs, to: ours)
    let more = try copy(theirs, appending: [4, 5])
    try bench.send(from: more, to: ours)
    try bench.send(from: ours, to: more)
    #expect(try tree(on: ours) == tree(on: more))
    #expect(try tree(on: ours).logs.values.map(\.count).sorted() == [2, 3, 6])
  }

  @Test func `Fork: nothing is exported to a device that holds both branches`() throws {
    let ours = try device(commands: [1])
    let theirs = try copy(ours, appending: [2])
    try write([3], to: ours)
    try bench.send(from: theirs, to: ours)
    try bench.send(from: ours, to: theirs)
    for (sender, receiver) in [(ours, theirs), (theirs, ours)] {
      let places = try journal(on: receiver).places()
      var export = try journal(on: sender)
        .export(of: bench.log, lackedBy: places, keys: bench.keys)
      #expect(try export.next() == nil)
    }
  }

  /// A forked log with a lost event in its trunk, and a machine that holds the whole log.
  private func damaged() throws -> (holder: SimulatedDisk, damaged: SimulatedDisk) {
    let ours = try device(commands: [1, 2, 3])
    let theirs = try copy(ours, appending: [10, 11])
    try write([20], to: ours)
    try bench.send(from: theirs, to: ours)
    let damaged = ours.copy()
    var reader = try journal(on: ours).reader(of: bench.log)
    var offset = 0
    for _ in 0..<2 { offset += try #require(try reader.read()).frame.length }
    damaged.rot(bench.logFolder / "000000000001.gz", at: offset + 60, flipping: 4)
    return (ours, damaged)
  }

  @Test func `Fork: events lost before it are not claimed, and a peer restores them`() throws {
    let (holder, damaged) = try damaged()
    let places = try journal(on: damaged).places()
    #expect(places.map(\.sequence) == [3, 3])
    let landmarks = try journal(on: damaged).landmarks(for: [
      Place(log: bench.log, sequence: 9, hash: Chain.zero(of: bench.log))
    ])
    #expect(landmarks.allSatisfy { $0.sequence <= 3 })
    try bench.send(from: holder, to: damaged)
    #expect(try tree(on: damaged) == tree(on: holder))
    #expect(try journal(on: damaged).holes(in: bench.log) == [])
  }

  @Test(arguments: [false, true])
  func `Fork: a branch that lost its beginning is restored by a peer`(hasMore: Bool) throws {
    let ours = try device(commands: [1, 2, 3])
    let theirs = try copy(ours, appending: [10, 11])
    try write([20], to: ours)
    try bench.send(from: theirs, to: ours)
    // An event that arrives separately has a frame of its own.
    if hasMore { try bench.send(from: try copy(theirs, appending: [12]), to: ours) }
    let damaged = ours.copy()
    let branch = try #require(damaged.files.keys.first { $0.parent.parent == bench.logFolder })
    damaged.rot(branch, at: 60, flipping: 4)
    try bench.send(from: ours, to: damaged)
    #expect(try tree(on: damaged) == tree(on: ours))
    #expect(damaged.files.keys.contains { $0.parent.name == "quarantine" })
  }
}
