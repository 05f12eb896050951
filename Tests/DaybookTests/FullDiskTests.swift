import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// The operations that still work on a full disk.
struct FullDiskTests {
  @Test func `Full disk: a sync can still be prepared`() throws {
    let desk = try Desk(seed: 2601)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    try book.settler.prepareToSync()
    let disk = desk.simulated.disk
    // The lock file is empty, as after a power cut.
    try disk.replace(Desk.folder / "lock", with: [])
    disk.becomeFull(afterBytes: 0)
    try book.settler.prepareToSync()
    #expect(book.replica.hello.frontier.places.map(\.sequence) == [2])
  }

  @Test func `Full disk: a device can announce its address once space is free again`() throws {
    let desk = try Desk(seed: 2602)
    let book = try desk.found()
    let (short, long) = (Endpoint(host: "a", port: 1), Endpoint(host: "a.longer.name", port: 1))
    book.service.withdraw(try book.service.announce(short))
    desk.simulated.disk.becomeFull(afterBytes: 0)
    #expect(throws: DaybookError.self) { try book.service.announce(long) }
    desk.simulated.disk.clearWeather()
    #expect(try book.service.announce(long) != nil)
    #expect(try book.service.served() == long)
  }

  @Test func `Remembered trust: a missing second copy is reported until the next sync writes it`()
    throws
  {
    let desk = try Desk(seed: 2604)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let disk = desk.simulated.disk
    func trust() throws -> [Finding] {
      try book.healthCheck.diagnose().findings.filter { finding in
        if case .trust = finding { true } else { false }
      }
    }
    // The disk became full after the event was appended.
    try disk.remove(book.layout.trust)
    #expect(try trust() == [.trust(remembered: 0, isCopied: false)])
    try book.settler.prepareToSync()
    #expect(try trust() == [.trust(remembered: 0)])
  }

  /// A book with a record to erase, and enough others that rewriting the files needs space.
  private func withSecret(_ office: Office) throws -> (book: Book, id: UniqueID) {
    let book = try office.found("one")
    let id = try #require(
      try book.commands.perform(.addList(name: Self.secret, colour: nil)).changes.first
    ).document.id
    for number in 0..<30 {
      _ = try book.commands.perform(.addList(name: "List \(number &* 2_654_435_761)", colour: nil))
    }
    return (book, id)
  }

  private static let secret = "zebrasecret"

  @Test
  func `Full disk: an erasure is reported as unfinished and completed before the next bundle`()
    throws
  {
    let office = Office(seed: 2603)
    let (book, id) = try withSecret(office)
    let disk = try office.place("one").simulated.disk
    disk.becomeFull(afterBytes: 600)
    let report = try book.eraser.erase(id)
    #expect(report.records == 1 && report.bodies == 0)
    #expect(report.failure?.diskFault?.reason == .full)
    #expect(try book.eraser.hasErasureLeft())
    disk.clearWeather()
    #expect(disk.holding([Self.secret]) == [Self.secret])
    let again = try office.place("one").open()
    #expect(try again.eraser.hasErasureLeft())
    _ = try again.replicator.writeBundle(to: MountedDisk.stick(0) / "a.bundle")
    #expect(disk.holding([Self.secret]) == [])
    #expect(office.stick.holding([Self.secret]) == [])
    #expect(try !again.eraser.hasErasureLeft())
  }

  @Test func `Full disk: nothing is sent while an erasure is unfinished`() throws {
    let office = Office(seed: 2604)
    let (book, id) = try withSecret(office)
    let disk = try office.place("one").simulated.disk
    disk.becomeFull(afterBytes: 600)
    _ = try book.eraser.erase(id)
    let again = try office.place("one").open()
    for book in [book, again] {
      #expect(throws: DaybookError.self) {
        try book.replicator.writeBundle(to: MountedDisk.stick(0) / "b")
      }
      #expect(throws: DaybookError.self) { try book.replicator.sync(with: Office.directory) }
    }
    #expect(office.stick.holding([Self.secret]) == [])
    disk.clearWeather()
    _ = try again.replicator.sync(with: Office.directory)
    #expect(office.stick.holding([Self.secret]) == [])
    #expect(disk.holding([Self.secret]) == [])
  }

  @Test func `Full disk: compaction completes an unfinished erasure`() throws {
    let office = Office(seed: 2605)
    let (book, id) = try withSecret(office)
    let disk = try office.place("one").simulated.disk
    disk.becomeFull(afterBytes: 600)
    _ = try book.eraser.erase(id)
    disk.clearWeather()
    _ = try office.place("one").open().healer.compact()
    #expect(disk.holding([Self.secret]) == [])
  }

  @Test func `Full disk: a sync either reports the events it stored or stores none`() throws {
    var endings: Set<String> = []
    for room in stride(from: 0, through: 2_400, by: 40) {
      let office = Office(seed: 2606)
      let one = try office.found("one")
      _ = try one.replicator.sync(with: Office.directory)
      let two = try office.join("two")
      try office.exchange()
      _ = try one.contactBook.meet(Office.directory, called: "stick")
      _ = try two.commands.perform(.addList(name: "Came", colour: nil))
      _ = try two.replicator.sync(with: Office.directory)
      let log = try #require(try two.deviceList.devices().first(where: \.isThis)).replica
      let held = try #require(one.core.store.journal.logs[log]).sequence
      try office.place("one").simulated.disk.becomeFull(afterBytes: room)
      let ending = self.ending(of: one)
      let now = try office.place("one").open().core.store.journal.logs[log]?.sequence
      #expect(now == (ending == "nothing" ? held : held + 1), "\(room): \(ending)")
      endings.insert(ending)
    }
    #expect(endings == ["nothing", "not noted", "done"])
  }

  /// The outcome of a sync, according to its report.
  private func ending(of book: Book) -> String {
    do throws(DaybookError) {
      let receipt = try book.replicator.sync(with: Office.directory)
      guard receipt.received.map(\.events) == [1] else { return "untold" }
      let isNoted = !receipt.problems.contains { problem in
        if case .notNoted = problem { true } else { false }
      }
      return isNoted ? "done" : "not noted"
    } catch .storedBefore(.arrivals, _) {
      return "stored"
    } catch {
      return "nothing"
    }
  }
}
