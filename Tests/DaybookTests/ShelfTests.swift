import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// The shelves on which received logs are stored: `logs` or `aside`.
struct ShelfTests {
  @Test func `Shelf: a log in aside is verified although logs has an empty folder for it`() throws {
    let office = Office(seed: 2310)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory)
    let log = two.replica.hello.replica
    #expect(one.core.store.journal.aside[log]?.sequence == 1)
    try office.places[0].simulated.disk.makeDirectories(Office.folder / "logs" / log.hex)
    let report = try one.verifier.verify()
    #expect(report.faults == [])
    #expect(report.logs.filter { $0.id == log }.map(\.isAside) == [false, true])
  }

  private static func firstFrame(_ book: Book, _ log: UniqueID) throws -> [UInt8] {
    var first: [UInt8]?
    try BookReplica(of: book.replica).forEachFrame(of: log, lackedBy: []) {
      (frame) throws(SyncError) in
      first = first ?? frame
    }
    return try #require(first)
  }

  @Test func `Shelf: an admitted key's log is stored in logs, and a stranger's in aside`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 841)
    let stranger = try office.join("stranger")
    // An admitted key whose log no other device has received.
    let rekeying = try books[1].admin.rekey()
    _ = try books[1].replicator.writeBundle(to: MountedDisk.stick(0) / "bundle")
    let ahead = rekeying.replica
    let unknown = try #require(try stranger.deviceList.devices().first(where: \.isThis)).replica
    let frames = [
      (ahead, try Self.firstFrame(books[1], ahead)),
      (unknown, try Self.firstFrame(stranger, unknown)),
    ]
    func shelves() throws -> [LogShelf] {
      try frames.map { try books[0].shelves.shelf(for: $0.0, firstFrame: $0.1) }
    }
    #expect(try shelves() == [.aside, .aside])
    // Only the admission arrives first.
    let old = try books[1].deviceList.device(called: "two (old key)").replica
    var intake = Intake(BookReplica(of: books[0].replica))
    let hash = try #require(try books[1].core.store.journal.hash(of: old, at: 2))
    let held = [Place(log: old, sequence: 2, hash: hash)]
    try BookReplica(of: books[1].replica).forEachFrame(of: old, lackedBy: held) {
      (frame) throws(SyncError) in
      try intake.take(frame, of: old)
    }
    try intake.commit()
    #expect(try shelves() == [.logs, .aside])
    _ = try books[0].replicator.sync(with: .file(MountedDisk.stick(0) / "bundle"))
    #expect(books[0].core.store.journal.logs[ahead] != nil)
    #expect(books[0].core.store.journal.aside[ahead] == nil)
  }
}
