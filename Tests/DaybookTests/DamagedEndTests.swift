import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// A log whose end is damaged while its device talks with another.
struct DamagedEndTests {
  @Test func `who stores what comes leaves its own log before it cuts off a damaged end`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2501)
    let (one, two) = (books[0], books[1])
    try TrustingTests.add("unsent", to: one)
    try TrustingTests.add("of two", to: two)
    let (log, foreign) = (one.hello.replica, two.hello.replica)
    var frames: [[UInt8]] = []
    try BookGuest(of: two).forEachFrame(of: foreign, lackedBy: []) { (frame) throws(SyncError) in
      frames.append(frame)
    }
    try one.prepareToSync()
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / log.hex
    let tail = try #require(try disk.list(folder).last { !$0.contains("-") })
    let size = try #require(try disk.status(folder / tail)).size
    disk.rot(folder / tail, at: size - 20, flipping: 4)

    let guest = BookGuest(of: one)
    for frame in frames { try guest.stage(frame, of: foreign) }
    _ = try guest.commit()
    try one.settleAfterSync()
    #expect(try TrustingTests.names(one).contains("of two"))
    #expect(try disk.list(Office.folder / "quarantine").count == 1)
    // Others may hold the event that stood there, so no other one takes its number.
    let end = try #require(one.journal.logs[log])
    try TrustingTests.add("new", to: one)
    #expect(one.journal.logs[log] == end)
    #expect(one.hello.replica != log)
    #expect(try TrustingTests.names(one) == ["new", "of two", "one", "two"])
    // Found out once, and not again.
    let next = one.hello.replica
    try TrustingTests.add("newer", to: one)
    #expect(one.hello.replica == next)
  }
}
