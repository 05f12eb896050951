import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

private typealias Event = HandWrittenLog.Event
private typealias Parts = HandWrittenLog.Parts

/// Verification of forked logs.
@Suite struct StrandTests {
  /// The parts of a forked log, which tests can change.
  private struct Plan {
    var trunk: [Event] = [HandWrittenLog.plain("trunk")]
    var root: [Event] = [HandWrittenLog.plain("root")]
    var branch: [Event] = HandWrittenLog.command(2) + [HandWrittenLog.plain("branch")]
    /// The number of events in the first command of the branch.
    var command = 2
    var folder: UniqueID?
    var spoil: @Sendable (inout Parts) -> Void = { _ in }
    var hasHead = true
  }

  /// A log that begins with an opening and the trunk, and continues in two different ways.
  private static func forked(
    _ plan: Plan = Plan()
  ) throws -> (replica: ReplicaFiles, root: HandWrittenLog, branch: HandWrittenLog, file: String) {
    var root = try HandWrittenLog()
    var bytes = try root.frame([root.opening] + plan.trunk)
    var (first, branch) = (root, root)
    _ = try first.frame(Array(plan.branch.prefix(plan.command)))
    let id = plan.folder ?? ReplicaFiles.branchID(first.hash)
    let name = "\(id.hex)/00000000000\(root.sequence + 1).gz"
    let other = try branch.frame(plan.branch, hasHead: plan.hasHead, spoil: plan.spoil)
    bytes += try root.frame(plan.root)
    return (
      ReplicaFiles(id: root.id, files: [(ReplicaFiles.tail, bytes), (name, other)]), root, branch,
      name
    )
  }

  @Test func `Strand: a valid branch is clean and counted`() throws {
    let (replica, root, branch, file) = try Self.forked()
    let report = try replica.verify()
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
    let aside = try replica.verify(aside: true)
    #expect(aside.faults == [])
    #expect(aside.logs.map(\.isAside) == [true, true])
    #expect(aside.logs.map(\.isStrand) == [false, true])
  }

  @Test func `Strand: further forks, and one before the first event, are clean`() throws {
    var (replica, _, branch, _) = try Self.forked()
    var (left, right) = (branch, branch)
    let more = try left.frame([HandWrittenLog.plain("left")])
    let other = try right.frame([HandWrittenLog.plain("right")])
    replica.files[1].bytes += more
    replica.files.append(
      ("\(ReplicaFiles.branchID(right.hash).hex)/00000000000\(branch.sequence + 1).gz", other))
    var twin = try HandWrittenLog()
    var opening = twin.opening
    opening.header = [0x1a, 0x10, 0, 0, 1]
    opening.delta += 1
    let beginning = try twin.frame([opening])
    replica.files.append(
      ("\(ReplicaFiles.branchID(twin.hash).hex)/\(ReplicaFiles.tail)", beginning))
    let report = try replica.verify()
    #expect(report.faults == [])
    #expect(report.logs.count == 4)
  }

  private static let spoilt: [(String, [Fault.Kind], @Sendable (inout Plan) -> Void)] = [
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
  func `Strand: a branch that contradicts its fork is reported`(index: Int) throws {
    let (_, what, spoil) = Self.spoilt[index]
    var plan = Plan()
    spoil(&plan)
    let (replica, _, _, file) = try Self.forked(plan)
    #expect(
      try replica.verify().faults
        == what.map { replica.fault(file, $0, sequence: 3) })
  }

  /// A log with a command of two events, and a branch that shares only the first of them.
  private static func forkedWithinCommand() throws -> (replica: ReplicaFiles, file: String) {
    let command = HandWrittenLog.command(2)
    var log = try HandWrittenLog()
    let bytes = try log.frame([log.opening] + command)
    var branch = try HandWrittenLog()
    _ = try branch.frame([branch.opening, command[0]])
    let other = try branch.frame([HandWrittenLog.plain("branch")])
    let file = "\(ReplicaFiles.branchID(branch.hash).hex)/000000000003.gz"
    return (
      ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, bytes), (file, other)]), file
    )
  }

  @Test func `Strand: a fork within a command is reported, and the branch belongs to no log`()
    throws
  {
    let (replica, file) = try Self.forkedWithinCommand()
    #expect(
      try replica.verify().faults == [replica.fault(file, .midCommand, sequence: 3)])
    let journal = try Bench.journal(on: Bench(keySeed: 40).copy(of: try replica.disk()))
    #expect(journal.logs.mapValues(\.sequence) == [replica.id: 3])
    #expect(journal.forks == [:])
    #expect(journal.unplacedEvents == [replica.id: [3...3]])
  }

  @Test func `Reception: a branch that begins within a command is refused`() throws {
    let (replica, _) = try Self.forkedWithinCommand()
    var journal = try Bench(keySeed: 40).begun()
    try journal.receive(replica.files[0].bytes, of: replica.id, on: .logs)
    _ = try journal.commit()
    #expect(throws: JournalError.unjoined(replica.id, sequence: 3)) {
      try journal.receive(replica.files[1].bytes, of: replica.id, on: .logs)
    }
  }

  @Test func `Strand: a branch without a trunk is reported, unless the trunk is in a hole`() throws
  {
    var log = try HandWrittenLog()
    let opening = try log.frame([log.opening])
    var branch = log
    let trunk = try log.frame([HandWrittenLog.plain("trunk")])
    let end = try log.frame([HandWrittenLog.plain("end")])
    _ = try branch.frame([HandWrittenLog.plain("another trunk")])
    let other = try branch.frame([HandWrittenLog.plain("branch")])
    let file = "\(ReplicaFiles.branchID(branch.hash).hex)/000000000003.gz"
    func faults(_ bytes: [UInt8]) throws -> [Fault] {
      try ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, bytes), (file, other)])
        .verify().faults
    }
    let replica = ReplicaFiles(id: log.id, files: [])
    #expect(
      try faults(opening + trunk + end)
        == [replica.fault(file, .unrooted, sequence: 3)])
    // A log that ends before the fork does not contain the trunk of the branch.
    #expect(try faults(opening) == [replica.fault(file, .unrooted, sequence: 3)])
    let last = try log.frame([HandWrittenLog.plain("last")])
    #expect(
      try faults(opening + last)
        == [replica.fault(ReplicaFiles.tail, at: opening.count, .missing(2...3))])
  }

  @Test func `Strand: a head with a wrong signature is reported`() throws {
    var plan = Plan()
    plan.spoil = { $0.signature?[5] ^= 1 }
    let (replica, _, _, file) = try Self.forked(plan)
    #expect(
      try replica.verify().faults == [replica.fault(file, .head, sequence: 5)])
  }

  @Test func `Strand: a lost first frame is reported as damage and missing events`() throws {
    var (replica, _, branch, file) = try Self.forked()
    let more = try branch.frame([HandWrittenLog.plain("more")])
    let length = replica.files[1].bytes.count
    replica.files[1].bytes = [UInt8](repeating: 1, count: length) + more
    #expect(
      try replica.verify().faults == [
        replica.fault(file, .damage(count: length)),
        replica.fault(file, at: length, .missing(3...5)),
      ])
    #expect(try replica.verify().logs.map(\.missing) == [[], [3...5]])
  }

  @Test func `Strand: unknown folders and files are reported`() throws {
    var (replica, _, _, file) = try Self.forked()
    let folder = String(file.prefix(32))
    replica.files += [("\(folder)/x", [1]), ("\(folder)/\(folder)/x", [1]), ("other/x", [1])]
    #expect(
      try replica.verify().faults == [
        replica.fault("\(folder)/\(folder)", .strangeName),
        replica.fault("\(folder)/x", .strangeName),
        replica.fault("other", .strangeName),
      ])
  }

  @Test func `Strand: an empty folder that a crash left is clean`() throws {
    let (replica, _, _, _) = try Self.forked()
    let disk = try replica.disk()
    try disk.makeDirectories(
      Path("/book/logs/\(replica.id.hex)/\(UniqueID(high: 1, low: 1).hex)"))
    #expect(try Verification.run(on: Path("/book"), disk: disk).faults == [])
  }
}
