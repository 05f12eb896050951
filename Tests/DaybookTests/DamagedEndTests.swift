import Bytes
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// Logs whose end is damaged while their device syncs.
struct DamagedEndTests {
  @Test func `Damaged end: storing received events quarantines it and begins a new log`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2501)
    let (one, two) = (books[0], books[1])
    try TrustingTests.add("unsent", to: one)
    try TrustingTests.add("of two", to: two)
    let (log, foreign) = (one.replica.hello.replica, two.replica.hello.replica)
    var frames: [[UInt8]] = []
    try BookReplica(of: two.replica).forEachFrame(of: foreign, lackedBy: []) {
      (frame) throws(SyncError) in
      frames.append(frame)
    }
    try one.settler.prepareToSync()
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / log.hex
    let tail = try #require(try disk.list(folder).last { !$0.contains("-") })
    let size = try #require(try disk.status(folder / tail)).size
    disk.rot(folder / tail, at: size - 20, flipping: 4)

    let guest = BookReplica(of: one.replica)
    for frame in frames { try guest.stage(frame, of: foreign) }
    _ = try guest.commit()
    try one.settler.settleAfterSync()
    #expect(try TrustingTests.names(one).contains("of two"))
    #expect(try disk.list(Office.folder / "quarantine").count == 1)
    // Other devices may hold the event that was there, so its sequence is not used again.
    let end = try #require(one.core.store.journal.logs[log])
    try TrustingTests.add("new", to: one)
    #expect(one.core.store.journal.logs[log] == end)
    #expect(one.replica.hello.replica != log)
    #expect(try TrustingTests.names(one) == ["new", "of two", "one", "two"])
    // The damage is detected only once.
    let next = one.replica.hello.replica
    try TrustingTests.add("newer", to: one)
    #expect(one.replica.hello.replica == next)
  }

  @Test func `Damaged end: a last event overwritten with zeros is a fault and begins a new log`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2502)
    let one = books[0]
    let (log, end) = (
      one.replica.hello.replica, one.core.store.journal.logs[one.replica.hello.replica]
    )
    try TrustingTests.add("lost", to: one)
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / log.hex
    let tail = folder / (try #require(try disk.list(folder).last { !$0.contains("-") }))
    let bytes = try #require(disk.files[tail])
    let last = bytes.count - (try #require(bytes.frames.last)).length
    try disk.replace(tail, with: bytes[..<last] + [UInt8](repeating: 0, count: bytes.count - last))

    let again = try office.places[0].open()
    #expect(
      try again.verifier.verify().faults == [
        Fault(
          file: "logs/\(log.hex)/\(tail.name)", offset: last,
          kind: .tornTail(count: bytes.count - last))
      ])
    try TrustingTests.add("new", to: again)
    #expect(again.core.store.journal.logs[log] == end)
    #expect(again.replica.hello.replica != log)
    #expect(try TrustingTests.names(again) == ["new", "one", "two"])
  }

  @Test func `Damaged end: in another device's log it is a loss until a sync fills it`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2503)
    let (one, two) = (books[0], books[1])
    try TrustingTests.add("of two", to: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    let log = two.replica.hello.replica
    let last = try #require(one.core.store.journal.logs[log]).sequence
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / log.hex
    let tail = folder / (try #require(try disk.list(folder).last { !$0.contains("-") }))
    // The header of the frame, which names its events, can still be read.
    disk.rot(tail, at: (try #require(try disk.status(tail)).size) - 20, flipping: 4)

    let lost = Gap(device: "two", log: log, range: last...last, isBodiless: false)
    let hurt = try office.places[0].open()
    #expect(try TrustingTests.names(hurt) == ["one", "two"])
    #expect(try hurt.losses.gaps() == [lost])
    #expect(try hurt.statusReader.status().missing.map(\.range) == [last...last])
    // A write cuts off the damaged frame.
    try TrustingTests.add("new", to: hurt)
    #expect(try disk.list(Office.folder / "quarantine").count == 1)
    let later = try office.places[0].open()
    #expect(try later.losses.gaps() == [lost])
    #expect(
      try later.verifier.verify().faults == [
        Fault(
          file: "logs/\(log.hex)", offset: 0, kind: .shortened(held: last - 1, known: last))
      ])
    _ = try later.replicator.sync(with: Office.directory)
    #expect(try later.losses.gaps() == [])
    #expect(try later.verifier.verify().isWhole)
    #expect(try TrustingTests.names(later) == ["new", "of two", "one", "two"])
  }

  /// A reopened book with 60 damaged bytes in a log in which another device has erased a record.
  private func damagedBeforeErasure(seed: UInt64) throws -> Book {
    let (office, books) = try TrustingTests.office("one", "two", seed: seed)
    let (one, two) = (books[0], books[1])
    try TrustingTests.add("secret", to: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try one.healer.compact()
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / two.replica.hello.replica.hex
    let sealed = folder / (try #require(try disk.list(folder).last { $0.contains("-") }))
    try disk.replace(
      sealed, with: try #require(disk.files[sealed]) + [UInt8](repeating: 1, count: 60))

    let secret = try #require(try two.view().lists.lists().first { $0.name == "secret" })
    _ = try two.eraser.erase(secret.head.id)
    _ = try two.replicator.sync(with: Office.directory)
    return try office.places[0].open()
  }

  @Test func `Damaged end: a sync reports damaged bytes that its stripping dropped`() throws {
    let hurt = try damagedBeforeErasure(seed: 2505)
    let receipt = try hurt.replicator.sync(with: Office.directory)
    #expect(receipt.problems == [.damageDropped(byteCount: 60)])
    #expect(try hurt.replicator.sync(with: Office.directory).problems == [])
    #expect(try hurt.verifier.verify().isWhole)
  }

  @Test func `Damaged end: settling after a sync reports the removed bytes once`() throws {
    let hurt = try damagedBeforeErasure(seed: 2506)
    try hurt.settler.prepareToSync()
    #expect(hurt.eraser.takeReport() == StripReport())
    _ = try hurt.replicator.exchange.run(with: Office.directory)
    try hurt.settler.settleAfterSync()
    #expect(hurt.eraser.takeReport().damagedBytes == 60)
    try hurt.settler.settleAfterSync()
    #expect(hurt.eraser.takeReport() == StripReport())
    #expect(try hurt.replicator.sync(with: Office.directory).problems == [])
  }

  @Test func `Damaged end: the next sync reports the bytes that a failed one dropped`() throws {
    let hurt = try damagedBeforeErasure(seed: 2507)
    try hurt.settler.prepareToSync()
    _ = try hurt.replicator.exchange.run(with: Office.directory)
    let absent = PeerAddress.directory(Office.folder / "absent" / "stick")
    #expect(throws: DaybookError.self) { try hurt.replicator.sync(with: absent) }
    #expect(try !hurt.eraser.hasErasureLeft())
    let receipt = try hurt.replicator.sync(with: Office.directory)
    #expect(receipt.problems == [.damageDropped(byteCount: 60)])
    #expect(try hurt.replicator.sync(with: Office.directory).problems == [])
  }

  @Test func `Damaged end: an incomplete write in another device's log counts as no loss`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2504)
    let (one, two) = (books[0], books[1])
    try TrustingTests.add("of two", to: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / two.replica.hello.replica.hex
    let tail = folder / (try #require(try disk.list(folder).last { !$0.contains("-") }))
    try disk.replace(tail, with: Array(try #require(disk.files[tail]).dropLast(20)))
    #expect(try office.places[0].open().losses.gaps() == [])
  }

  @Test func `Damaged end: a hole stays known when the events after it are lost as well`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2508)
    let (one, two) = (books[0], books[1])
    for title in ["first of two", "second of two"] {
      try TrustingTests.add(title, to: two)
      for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    }
    let log = two.replica.hello.replica
    let last = try #require(one.core.store.journal.logs[log]).sequence
    let disk = office.places[0].simulated.disk
    let folder = Office.folder / "logs" / log.hex
    let tail = folder / (try #require(try disk.list(folder).last { !$0.contains("-") }))
    let bytes = try #require(disk.files[tail])
    let lost = bytes.frames.suffix(2)
    let offset = bytes.count - lost.reduce(0) { $0 + $1.length }
    disk.rot(tail, at: offset + 60, flipping: 1)
    // A writer records the hole.
    try office.places[0].open().access.withLock {}
    try disk.replace(tail, with: Array(bytes[..<offset]))

    let first = try #require(lost.first).firstSequence
    let missing = Gap(device: "two", log: log, range: first...last, isBodiless: false)
    #expect(try office.places[0].open().losses.gaps() == [missing])
    // The next writer removes the hole from the list.
    try office.places[0].open().access.withLock {}
    let later = try office.places[0].open()
    #expect(try later.losses.gaps() == [missing])
    #expect(try !later.verifier.verify().isClean)
    _ = try later.replicator.sync(with: Office.directory)
    #expect(try later.losses.gaps() == [])
    #expect(try later.verifier.verify().isWhole)
  }
}
