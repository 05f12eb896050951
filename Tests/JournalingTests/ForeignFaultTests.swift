import Journaling
import Testing
import Verifying

/// The faults that verification reports for frames of another log, and for misplaced frames.
@Suite struct ForeignFaultTests {
  @Test func `Foreign frame: verification reports it and the events missing at its offset`() throws
  {
    var (log, other) = (try HandWrittenLog(), try HandWrittenLog())
    let first = try log.frame([log.opening])
    _ = try log.frame([HandWrittenLog.plain()])
    let third = try log.frame([HandWrittenLog.plain("z")])
    _ = try other.frame([other.opening])
    let borrowed = try other.frame([HandWrittenLog.plain("y")]) {
      $0.replica = [UInt8](repeating: 9, count: 8)
    }
    let name = "000000000001-000000000003.gz"
    let replica = ReplicaFiles(id: log.id, files: [(name, first + borrowed + third)])
    let report = try replica.verify()
    let place = first.count + borrowed.count
    #expect(
      report.faults == [
        replica.fault(name, at: first.count, .foreign(count: borrowed.count)),
        replica.fault(name, at: place, .missing(2...2)),
      ])
    #expect(report.logs.map(\.events) == [2])
  }

  @Test func `Misplaced frame: verification reports it and ends the log before it`() throws {
    var log = try HandWrittenLog()
    let frames = try [log.opening, HandWrittenLog.plain(), HandWrittenLog.plain("z")].map {
      try log.frame([$0])
    }
    let file = frames[0] + frames[2] + frames[1]
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, file)])
    let report = try replica.verify()
    #expect(
      report.faults == [
        replica.fault(ReplicaFiles.tail, at: frames[0].count, .misplaced(3...3))
      ])
    #expect(report.logs.map(\.last) == [2])
  }

  @Test(arguments: ["000000000001-000000000003.gz", "000000000001.gz"])
  func `Foreign file: verification reports it and counts none of its events`(
    name: String
  ) throws {
    var log = try HandWrittenLog()
    let frame = try log.frame([log.opening, HandWrittenLog.plain(), HandWrittenLog.plain()]) {
      $0.replica = [UInt8](repeating: 9, count: 8)
    }
    let replica = ReplicaFiles(id: log.id, files: [(name, frame)])
    let report = try replica.verify()
    let foreign = replica.fault(name, .foreign(count: frame.count))
    let missing = replica.fault(name, .missing(1...3))
    #expect(report.faults == (name == ReplicaFiles.tail ? [foreign] : [foreign, missing]))
    #expect(report.logs.map(\.events) == [0])
  }
}
