import Bytes
import Journaling
import Testing

/// The logs to which the strands of a replica belong.
@Suite struct PlacedStrandTests {
  /// The frames of the next events of a log, each with one event.
  private static func frames(
    _ log: inout HandWrittenLog, _ texts: String...
  ) throws -> [UInt8] {
    try texts.flatMap { try log.frame([HandWrittenLog.plain($0)]) }
  }

  /// The path of a file in the folder of the branch that begins with the given event.
  private static func path(_ first: UInt64, of branch: Digest) -> String {
    "\(ReplicaFiles.branchID(branch).hex)/00000000000\(first).gz"
  }

  /// The own events of each log.
  private static func logs(of replica: ReplicaFiles) throws -> [UniqueID: ClosedRange<UInt64>] {
    let journal = try Bench.journal(on: Bench(keySeed: 40).copy(of: replica.disk()))
    var logs: [UniqueID: ClosedRange<UInt64>] = [:]
    for (log, end) in journal.logs { logs[log] = journal.lineage(of: log).first...end.sequence }
    return logs
  }

  @Test(arguments: [true, false])
  func `Strand: one that parts from its restored trunk has no log, nor have strands that leave it`(
    isLonger: Bool
  ) throws {
    var root = try HandWrittenLog()
    let opening = try root.frame([root.opening])
    var branch = root
    let restored = try Self.frames(&root, "shared", "root", "root")
    var beginning = try Self.frames(&branch, "shared")
    let name = branch.hash
    beginning += try Self.frames(&branch, "branch")
    var other = branch
    if isLonger { beginning += try Self.frames(&branch, "branch", "branch") }
    let leaving = try Self.frames(&other, "other")
    let replica = ReplicaFiles(
      id: root.id,
      files: [
        (ReplicaFiles.tail, opening + restored), (Self.path(2, of: name), beginning),
        (Self.path(4, of: other.hash), leaving),
      ])
    #expect(try Self.logs(of: replica) == [root.id: 1...4])
    let journal = try Bench.journal(on: Bench(keySeed: 40).copy(of: replica.disk()))
    #expect(journal.forks == [:])
  }

  @Test(arguments: [true, false], [true, false])
  func `Strand: one that leaves an event after a lost table is a branch`(
    hasHole: Bool, goesOn: Bool
  ) throws {
    var root = try HandWrittenLog()
    let opening = try root.frame([root.opening])
    let introduction = try root.frame([HandWrittenLog.introduction()])
    var untold = try root.frame([HandWrittenLog.plain()], hasTable: false)
    var branch = root
    if goesOn { untold += try root.frame([HandWrittenLog.plain("root")], hasTable: false) }
    let leaving = try Self.frames(&branch, "branch")
    let replica = ReplicaFiles(
      id: root.id,
      files: [
        (ReplicaFiles.tail, hasHole ? opening : opening + introduction),
        ("000000000003.gz", untold), (Self.path(4, of: branch.hash), leaving),
      ])
    var logs = [root.id: UInt64(1)...3, ReplicaFiles.branchID(branch.hash): 4...4]
    if goesOn { logs[ReplicaFiles.branchID(root.hash)] = 4...4 }
    #expect(try Self.logs(of: replica) == logs)
  }
}
