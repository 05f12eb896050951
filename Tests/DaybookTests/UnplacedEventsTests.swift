import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// Events that are stored, but belong to no log because events before them are lost.
struct UnplacedEventsTests {
  /// Two devices that have continued the same log: `one` with "lost" and "after it", its twin with "by the twin".
  private func forked(seed: UInt64) throws -> (one: Copyist, twin: Copyist, log: UniqueID) {
    let studio = try Studio(seed: seed, hasWitness: false)
    let one = try studio.found("one")
    try one.add("shared")
    let twin = try studio.place("twin")
    twin.restore(one.copyOfDisk())
    let log = try #require(try one.writers().first)
    try one.add("lost")
    try one.add("after it")
    try twin.add("by the twin")
    return (one, twin, log)
  }

  private func gap(_ log: UniqueID, _ range: ClosedRange<UInt64>) -> Gap {
    Gap(device: "one", log: log, range: range, isBodiless: false)
  }

  /// Damages the event "lost" of a device.
  private func damage(_ log: UniqueID, of one: Copyist) throws {
    try one.machine.disk.damageFrame(2, inTailOf: log, of: Studio.folder)
  }

  @Test func `Loss: events of a branch without its first command are reported as missing`() throws {
    let (one, twin, log) = try forked(seed: 761)
    try one.sync(after: twin)
    #expect(try one.names() == ["after it", "by the twin", "lost", "shared"])
    try damage(log, of: one)
    #expect(try one.names() == ["by the twin", "shared"])
    #expect(try one.open().losses.gaps() == [gap(log, 3...4)])
    // The twin lacks the lost event, and no other device can send it.
    try twin.sync()
    #expect(try twin.open().losses.gaps() == [])
  }

  @Test func `Accepted loss: events of a branch without its first command are no longer a fault`()
    throws
  {
    let (one, twin, log) = try forked(seed: 762)
    try one.sync(after: twin)
    try damage(log, of: one)
    let report = try one.open().verifier.verify()
    #expect(
      report.faults.first
        == Fault(file: "logs/\(log.hex)", offset: 0, kind: .unplaced(4...4)))
    #expect(report.faults.dropFirst().map(\.kind).contains(.missing(3...3)))
    #expect(!report.faults.map(\.kind).contains(.replaced(4)))
    #expect(report.logs.map(\.missing) == [[3...4], []])
    #expect(try one.open().healthCheck.diagnose().findings.contains(.holes(events: 2)))
    try expectAcceptance(of: 3...4, on: one, log)
  }

  @Test func `Accepted loss: a branch that follows an unknown event is no longer a fault`() throws {
    let (one, twin, log) = try forked(seed: 763)
    // The twin's event fills the hole, so the event after it has no place in the log.
    try damage(log, of: one)
    try one.sync(after: twin)
    #expect(try one.names() == ["by the twin", "shared"])
    let report = try one.open().verifier.verify()
    let strand = try #require(report.logs.first { $0.isStrand })
    #expect(
      report.faults == [
        Fault(file: "logs/\(log.hex)/\(strand.id.hex)", offset: 0, kind: .unplaced(4...4))
      ])
    #expect(strand.missing == [4...4])
    #expect(try one.open().healthCheck.diagnose().findings.contains(.holes(events: 1)))
    try expectAcceptance(of: 4...4, on: one, log)
  }

  /// Accepts the loss of events, and checks that they are not reported again.
  private func expectAcceptance(
    of range: ClosedRange<UInt64>, on one: Copyist, _ log: UniqueID
  ) throws {
    let (loss, after) = try one.open().verifier.acceptLoss()
    #expect(loss.gaps == [gap(log, range)])
    let count = UInt64(range.count)
    #expect(after.faults == [] && after.accepted == count)
    #expect(try one.open().losses.gaps() == [])
    #expect(try one.open().verifier.acceptLoss().loss.gaps == [])
    #expect(
      try one.open().healthCheck.diagnose().findings.contains(.holes(events: 0, accepted: count)))
  }
}

extension Disk {
  /// Flips a bit in a frame of a log's tail.
  func damageFrame(_ number: Int, inTailOf log: UniqueID, of book: Path) throws {
    let tail = book / "logs" / log.hex / "000000000001.gz"
    var bytes = try contents(of: tail, limit: 1 << 20)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    bytes[starts[number] + 60] ^= 1
    try replace(tail, with: bytes)
  }
}
