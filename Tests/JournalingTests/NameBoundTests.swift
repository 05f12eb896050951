import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Files whose names contain events beyond the last possible event.
@Suite struct NameBoundTests {
  @Test(arguments: [
    "000000000001-18446744073709551615.gz", "18446744073709551615.gz",
    "000000000001-4611686018427387904.gz", "4611686018427387904.gz",
  ])
  func `Segment name: a file beyond the last possible event is reported and ignored`(
    name: String
  ) throws {
    let bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(2, events: 2)], to: bench.log, keys: bench.keys)
    let logs = journal.logs
    try bench.machine.disk.replace(bench.logFolder / name, with: [])
    journal = try bench.journal()
    #expect(journal.logs == logs)
    let holes = journal.holes(in: bench.log)
    #expect(holes == [])
    #expect(try journal.contents(of: bench.log).damage == [])
    let report = try Verification.run(on: Bench.folder, disk: bench.machine.disk)
    let place = "logs/\(bench.log.hex)/\(name)"
    #expect(report.faults == [Fault(file: place, offset: 0, kind: .strangeName)])
  }

  @Test func `Segment name: the last possible event has a name`() {
    let last = Limit.lastSequence - 1
    #expect(SegmentName("4611686018427387903.gz") == .tail(last))
    #expect(SegmentName("000000000001-4611686018427387903.gz") == .sealed(1...last))
  }
}
