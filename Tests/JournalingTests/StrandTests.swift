import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Testing

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

/// What verification says of logs that forked, and of what is known to be missing or taken away.
@Suite struct StrandTests {
  /// A replica's files by their paths from its folder on.
  private struct Replica {
    var id: UniqueID
    var files: [(path: String, bytes: [UInt8])]
  }

  private static let tail = "000000000001.gz"

  private static func branchID(_ hash: Digest) -> UniqueID {
    SHA256.digest(of: Array("daybook branch v1".utf8) + hash.bytes).prefix16
  }

  private static func disk(
    _ replica: Replica, aside: Bool = false, holes: String? = nil
  ) throws -> SimulatedDisk {
    let disk = SimulatedMachine(seed: 1).disk
    for file in replica.files {
      let path = Path("/book/\(aside ? "aside" : "logs")/\(replica.id.hex)/\(file.path)")
      try disk.makeDirectories(path.parent)
      try disk.replace(path, with: file.bytes)
    }
    if let holes { try disk.replace(Path("/book/holes"), with: Array(holes.utf8)) }
    return disk
  }

  private static func verify(
    _ replica: Replica, aside: Bool = false, holes: String? = nil
  ) throws -> VerificationReport {
    try Verification.run(
      on: Path("/book"), disk: try disk(replica, aside: aside, holes: holes))
  }

  private static func fault(
    _ replica: Replica, _ file: String, at offset: Int = 0, _ what: Fault.What,
    sequence: UInt64? = nil
  ) -> Fault {
    Fault(
      file: "logs/\(replica.id.hex)/\(file)", offset: offset, sequence: sequence, what: what)
  }

  /// What a forked log is made of, to be spoilt.
  private struct Plan {
    var trunk: [Event] = [HandWrittenLog.plain("trunk")]
    var root: [Event] = [HandWrittenLog.plain("root")]
    var branch: [Event] = HandWrittenLog.command(2) + [HandWrittenLog.plain("branch")]
    /// How many events the first command of the branch has.
    var command = 2
    var folder: UniqueID?
    var spoil: @Sendable (inout Parts) -> Void = { _ in }
    var hasHead = true
  }

  /// A log of an opening and the trunk, which goes on in two ways.
  private static func forked(
    _ plan: Plan = Plan()
  ) throws -> (replica: Replica, root: HandWrittenLog, branch: HandWrittenLog, file: String) {
    var root = try HandWrittenLog()
    var bytes = try root.frame([root.opening] + plan.trunk)
    var (first, branch) = (root, root)
    _ = try first.frame(Array(plan.branch.prefix(plan.command)))
    let id = plan.folder ?? branchID(first.hash)
    let name = "\(id.hex)/00000000000\(root.sequence + 1).gz"
    let other = try branch.frame(plan.branch, hasHead: plan.hasHead, spoil: plan.spoil)
    bytes += try root.frame(plan.root)
    return (Replica(id: root.id, files: [(tail, bytes), (name, other)]), root, branch, name)
  }

  // MARK: Forks

  @Test func `a strand that goes on from the trunk is clean and counted`() throws {
    let (replica, root, branch, file) = try Self.forked()
    let report = try Self.verify(replica)
    #expect(report.faults == [])
    var first = VerifiedLog(id: replica.id, isAside: false)
    first.firstHash = report.logs.first?.firstHash
    (first.last, first.hash, first.files) = (root.sequence, root.hash, 1)
    (first.bytes, first.frames, first.events) = (replica.files[0].bytes.count, 2, 3)
    first.heads = 2
    let id = try #require(UniqueID(hex: String(file.prefix(32))))
    var second = VerifiedLog(id: id, replica: replica.id, isAside: false)
    (second.last, second.hash, second.files) = (branch.sequence, branch.hash, 1)
    (second.bytes, second.frames, second.events) = (replica.files[1].bytes.count, 1, 3)
    second.heads = 1
    #expect(report.logs == [first, second])
    let aside = try Self.verify(replica, aside: true)
    #expect(aside.faults == [])
    #expect(aside.logs.map(\.isAside) == [true, true])
    #expect(aside.logs.map(\.isStrand) == [false, true])
  }

  @Test func `a strand may fork again, and a log before its first event`() throws {
    var (replica, _, branch, _) = try Self.forked()
    var (left, right) = (branch, branch)
    let more = try left.frame([HandWrittenLog.plain("left")])
    let other = try right.frame([HandWrittenLog.plain("right")])
    replica.files[1].bytes += more
    replica.files.append(
      ("\(Self.branchID(right.hash).hex)/00000000000\(branch.sequence + 1).gz", other))
    var twin = try HandWrittenLog()
    var opening = twin.opening
    opening.header = [0x1a, 0x10, 0, 0, 1]
    opening.delta += 1
    let beginning = try twin.frame([opening])
    replica.files.append(("\(Self.branchID(twin.hash).hex)/\(Self.tail)", beginning))
    let report = try Self.verify(replica)
    #expect(report.faults == [])
    #expect(report.logs.count == 4)
  }

  private static let spoilt: [(String, [Fault.What], @Sendable (inout Plan) -> Void)] = [
    ("folder", [.branch], { $0.folder = UniqueID(high: 1, low: 1) }),
    ("folder of the whole branch", [.branch], { $0.command = 3 }),
    (
      "time", [.unjoined(.time)],
      {
        $0.spoil = { $0.time += 1 }
        $0.hasHead = false
      }
    ),
    ("when", [.unjoined(.when)], { $0.spoil = { $0.when = 7 } }),
    (
      "table", [.unjoined(.table)],
      {
        $0.spoil = {
          $0.tableCount = 1
          $0.table = [UniqueID(high: 1, low: 1)]
        }
      }
    ),
    (
      "same beginning", [.unforked],
      { $0.root = HandWrittenLog.command(2) + [HandWrittenLog.plain("root")] }
    ),
  ]

  @Test(arguments: spoilt.indices)
  func `a strand that does not fit its fork is told`(index: Int) throws {
    let (_, what, spoil) = Self.spoilt[index]
    var plan = Plan()
    spoil(&plan)
    let (replica, _, _, file) = try Self.forked(plan)
    #expect(
      try Self.verify(replica).faults
        == what.map { Self.fault(replica, file, $0, sequence: 3) })
  }

  @Test func `a strand that forks within a command is told`() throws {
    // The branch shares the first event of a command of two with the log.
    let command = HandWrittenLog.command(2)
    var log = try HandWrittenLog()
    let bytes = try log.frame([log.opening] + command)
    var branch = try HandWrittenLog()
    _ = try branch.frame([branch.opening, command[0]])
    let other = try branch.frame([HandWrittenLog.plain("branch")])
    let file = "\(Self.branchID(branch.hash).hex)/000000000003.gz"
    let replica = Replica(id: log.id, files: [(Self.tail, bytes), (file, other)])
    #expect(
      try Self.verify(replica).faults == [Self.fault(replica, file, .midCommand, sequence: 3)])
  }

  @Test func `a strand that goes on from nothing is told, unless that is lost`() throws {
    var log = try HandWrittenLog()
    let opening = try log.frame([log.opening])
    var branch = log
    let trunk = try log.frame([HandWrittenLog.plain("trunk")])
    let end = try log.frame([HandWrittenLog.plain("end")])
    _ = try branch.frame([HandWrittenLog.plain("another trunk")])
    let other = try branch.frame([HandWrittenLog.plain("branch")])
    let file = "\(Self.branchID(branch.hash).hex)/000000000003.gz"
    func faults(_ bytes: [UInt8]) throws -> [Fault] {
      try Self.verify(Replica(id: log.id, files: [(Self.tail, bytes), (file, other)])).faults
    }
    let replica = Replica(id: log.id, files: [])
    #expect(
      try faults(opening + trunk + end)
        == [Self.fault(replica, file, .unrooted, sequence: 3)])
    // A log that ends before the fork does not hold its trunk.
    #expect(try faults(opening) == [Self.fault(replica, file, .unrooted, sequence: 3)])
    let last = try log.frame([HandWrittenLog.plain("last")])
    #expect(
      try faults(opening + last)
        == [Self.fault(replica, Self.tail, at: opening.count, .missing(2...3))])
  }

  @Test func `a strand's heads are signed by the replica, in its name`() throws {
    var plan = Plan()
    plan.spoil = { $0.signature?[5] ^= 1 }
    let (replica, _, _, file) = try Self.forked(plan)
    #expect(
      try Self.verify(replica).faults == [Self.fault(replica, file, .head, sequence: 5)])
  }

  @Test func `a strand that has lost its first frame is told by what is missing`() throws {
    var (replica, _, branch, file) = try Self.forked()
    let more = try branch.frame([HandWrittenLog.plain("more")])
    let length = replica.files[1].bytes.count
    replica.files[1].bytes = [UInt8](repeating: 1, count: length) + more
    #expect(
      try Self.verify(replica).faults == [
        Self.fault(replica, file, .damage(count: length)),
        Self.fault(replica, file, at: length, .missing(3...5)),
      ])
    #expect(try Self.verify(replica).logs.map(\.missing) == [[], [3...5]])
  }

  @Test func `what is no strand and no file of one is told`() throws {
    var (replica, _, _, file) = try Self.forked()
    let folder = String(file.prefix(32))
    replica.files += [("\(folder)/x", [1]), ("\(folder)/\(folder)/x", [1]), ("other/x", [1])]
    #expect(
      try Self.verify(replica).faults == [
        Self.fault(replica, "\(folder)/\(folder)", .strangeName),
        Self.fault(replica, "\(folder)/x", .strangeName),
        Self.fault(replica, "other", .strangeName),
      ])
  }

  @Test func `an empty folder is what a crash left of a strand`() throws {
    let (replica, _, _, _) = try Self.forked()
    let disk = try Self.disk(replica)
    try disk.makeDirectories(
      Path("/book/logs/\(replica.id.hex)/\(UniqueID(high: 1, low: 1).hex)"))
    #expect(try Verification.run(on: Path("/book"), disk: disk).faults == [])
  }

  // MARK: Holes

  private static func holed() throws -> (replica: Replica, offset: Int) {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    _ = try log.frame([HandWrittenLog.plain(), HandWrittenLog.plain()])
    let third = try log.frame([HandWrittenLog.plain()])
    return (Replica(id: log.id, files: [(tail, first + third)]), first.count)
  }

  @Test func `a hole that is known is told as such`() throws {
    let (replica, offset) = try Self.holed()
    func faults(_ holes: String?) throws -> [Fault] {
      try Self.verify(replica, holes: holes).faults
    }
    let unknown = [Self.fault(replica, Self.tail, at: offset, .missing(2...3))]
    let known = [Self.fault(replica, Self.tail, at: offset, .knownHole(2...3))]
    #expect(try faults(nil) == unknown)
    #expect(try faults("{}") == unknown)
    #expect(try faults("{\"\(replica.id.hex)\": [[2, 2], [3, 3]]}") == unknown)
    #expect(try faults("{\"\(replica.id.hex)\": [[9, 9], [2, 3]]}") == known)
  }

  @Test(arguments: [
    "", "[]", "{\"x\": []}", "{\"01010101010101010101010101010101\": [[3, 2]]}",
    "{\"01010101010101010101010101010101\": [[0, 2]]}",
    "{\"01010101010101010101010101010101\": [[1]]}",
  ])
  func `a list of holes that makes no sense is told`(text: String) throws {
    let (replica, _, _, _) = try Self.forked()
    #expect(
      try Self.verify(replica, holes: text).faults
        == [Fault(file: "holes", offset: 0, what: .knownHoles)])
  }

  // MARK: Erased bodies

  @Test func `a body that is gone is explained by the erase that took it`() throws {
    var log = try HandWrittenLog()
    var erase = HandWrittenLog.plain()
    erase.body = [0x82, 12, 0x82, 0, 2]
    var bytes = try log.frame([log.opening, erase]) {
      // The block lost its seed to the stripped events.
      $0.blocks = [[0x82, 0x50] + HandWrittenLog.salt(of: 1) + [0x50] + HandWrittenLog.salt(of: 2)]
    }
    let (sequence, hash) = (log.sequence, log.hash.prefix16)
    bytes += try log.frame([
      HandWrittenLog.stripped(by: UniqueID(high: 8, low: 8), sequence, hash),
      HandWrittenLog.stripped(), HandWrittenLog.stripped(),
      HandWrittenLog.stripped(by: log.id, sequence, UniqueID(high: 1, low: 1)),
      HandWrittenLog.plain(), HandWrittenLog.stripped(),
    ])
    let replica = Replica(id: log.id, files: [(Self.tail, bytes)])
    let report = try Self.verify(replica)
    #expect(report.isClean)
    #expect(!report.isWhole)
    #expect(report.logs.map(\.stripped) == [5])
    #expect(report.logs.map(\.bodiless) == [[4...6, 8...8]])
    #expect(report.bodiless == 4)
    // What nobody has admitted erases nothing.
    #expect(try Self.verify(replica, aside: true).logs.map(\.bodiless) == [[3...6, 8...8]])
  }

  // MARK: Beside a writer

  @Test func `what a writer does meanwhile is no fault`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let second = try log.frame([HandWrittenLog.plain()])
    let replica = Replica(id: log.id, files: [(Self.tail, first), ("000000000002.gz", second)])
    let folder = Path("/book/logs/\(replica.id.hex)")
    let sealed = "000000000001-000000000002.gz"
    // Both tails are sealed between the listing that is read from and the reading.
    let listings = Counter()
    let disk = InterruptedDisk(try Self.disk(replica), afterListing: folder) {
      (disk: SimulatedDisk) throws(DiskError) in
      guard listings.next() == 2 else { return }
      try disk.replace(folder / sealed, with: first + second)
      try disk.remove(folder / Self.tail)
      try disk.remove(folder / "000000000002.gz")
    }
    let report = try Verification.run(on: Path("/book"), disk: disk)
    #expect(report.faults == [])
    #expect(report.logs.map(\.events) == [2])
  }

  @Test func `a fault that a change beside it explains is looked at again`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let second = try log.frame([HandWrittenLog.plain()])
    let torn = Replica(id: log.id, files: [(Self.tail, first + second.dropLast(3))])
    let path = Path("/book/logs/\(log.id.hex)")
    let listings = Counter()
    // The write ends after the file has been read, while the folder is listed for the third time.
    let disk = InterruptedDisk(try Self.disk(torn), afterListing: path) {
      (disk: SimulatedDisk) throws(DiskError) in
      if listings.next() == 3 { try disk.replace(path / Self.tail, with: first + second) }
    }
    #expect(try Verification.run(on: Path("/book"), disk: disk).faults == [])
    #expect(listings.next() == 6)
  }

  @Test func `a log that never stands still is told as it was last`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let torn = Replica(id: log.id, files: [(Self.tail, first + [1])])
    let path = Path("/book/logs/\(log.id.hex)")
    let listings = Counter()
    let disk = InterruptedDisk(try Self.disk(torn), afterListing: path) {
      (disk: SimulatedDisk) throws(DiskError) in
      let noise = [UInt8](repeating: 1, count: listings.next())
      try disk.replace(path / Self.tail, with: first + noise)
    }
    #expect(
      try Verification.run(on: Path("/book"), disk: disk).faults == [
        Self.fault(torn, Self.tail, at: first.count, .tornTail(count: 11))
      ])
  }
}

/// Counts what happens.
private final class Counter: Sendable {
  private let count = Mutex(0)

  /// The number of this call.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
