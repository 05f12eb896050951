import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// The reports of verification about known missing events and stripped bodies.
@Suite struct AbsenceTests {
  private static func holed() throws -> (replica: ReplicaFiles, offset: Int) {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    _ = try log.frame([HandWrittenLog.plain(), HandWrittenLog.plain()])
    let third = try log.frame([HandWrittenLog.plain()])
    return (ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, first + third)]), first.count)
  }

  @Test func `Verification: missing events listed as one hole are reported as a known hole`() throws
  {
    let (replica, offset) = try Self.holed()
    func faults(_ holes: String?) throws -> [Fault] {
      try replica.verify(holes: holes).faults
    }
    let unknown = [replica.fault(ReplicaFiles.tail, at: offset, .missing(2...3))]
    let known = [replica.fault(ReplicaFiles.tail, at: offset, .knownHole(2...3))]
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
  func `Verification: an invalid list of holes is reported`(text: String) throws {
    var log = try HandWrittenLog()
    let opening = try log.frame([log.opening])
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, opening)])
    #expect(
      try replica.verify(holes: text).faults
        == [Fault(file: "holes", offset: 0, kind: .knownHoles)])
  }

  @Test func `Verification: a stripped body counts as missing unless the book has its erase`()
    throws
  {
    var log = try HandWrittenLog()
    var erase = HandWrittenLog.plain()
    erase.body = [0x82, 12, 0x82, 0, 2]
    var bytes = try log.frame([log.opening, erase]) {
      // The block has salts instead of a seed because of the stripped events.
      $0.blocks = [[0x82, 0x50] + HandWrittenLog.salt(of: 1) + [0x50] + HandWrittenLog.salt(of: 2)]
    }
    let (sequence, hash) = (log.sequence, log.hash.prefix16)
    bytes += try log.frame([
      HandWrittenLog.stripped(by: UniqueID(high: 8, low: 8), sequence, hash),
      HandWrittenLog.stripped(), HandWrittenLog.stripped(),
      HandWrittenLog.stripped(by: log.id, sequence, UniqueID(high: 1, low: 1)),
      HandWrittenLog.plain(), HandWrittenLog.stripped(),
    ])
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, bytes)])
    let report = try replica.verify()
    #expect(report.isClean)
    #expect(!report.isWhole)
    #expect(report.logs.map(\.stripped) == [5])
    #expect(report.logs.map(\.bodiless) == [[4...6, 8...8]])
    #expect(report.bodiless == 4)
    // An `erase` in a log that is set aside also explains missing bodies of logs that are set aside.
    #expect(try replica.verify(aside: true).logs.map(\.bodiless) == [[4...6, 8...8]])
  }
}
