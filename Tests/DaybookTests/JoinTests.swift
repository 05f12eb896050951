import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// Two books that were founded separately.
struct JoinTests {
  private static func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name)
  }

  private static func add(_ name: String, to book: Book) throws {
    _ = try book.commands.perform(.addList(name: name, colour: nil))
  }

  /// Joins the machine's book to the peer's.
  private func join(_ office: Office, _ name: String, from peer: PeerAddress) throws -> Book {
    let place = try office.place(name)
    place.book = nil
    return try office.join(name, from: peer)
  }

  @Test func `Join: on a full disk it completes or leaves nothing of the other book`() throws {
    var hasJoined: Set<Bool> = []
    for room in stride(from: 0, through: 2_400, by: 80) {
      let office = Office(seed: 2607)
      _ = try office.found("one").replicator.writeBundle(to: MountedDisk.stick(0) / "a.bundle")
      let two = try office.found("two")
      let place = try office.place("two")
      place.simulated.disk.becomeFull(afterBytes: room)
      let isTold: Bool
      do throws(DaybookError) {
        _ = try BookFactory.join(
          at: Office.folder, from: .file(MountedDisk.stick(0) / "a.bundle"), on: place.machine,
          deviceName: "two", view: .memory, confirm: { _ in true })
        isTold = true
      } catch .storedBefore(.joining, _) {
        isTold = true
      } catch {
        isTold = false
      }
      place.simulated.disk.clearWeather()
      let book = try place.open()
      #expect((book.id != two.id) == isTold, "\(room)")
      let logs = try place.machine.disk.list(Office.folder / "logs").count
      #expect(logs == (isTold ? 2 : 1), "\(room)")
      hasJoined.insert(isTold)
    }
    #expect(hasJoined == [true, false])
  }

  @Test func `Join: bodies erased before the join count as erased on all devices`() throws {
    let office = Office(seed: 2_613)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let alone = try office.found("two")
    let added = try alone.commands.perform(.addList(name: "Secret", colour: nil))
    _ = try alone.eraser.erase(try #require(added.changes.first).document.id)
    let two = try join(office, "two", from: Office.directory)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    let log = try #require(try two.core.localDevice.ownLog)
    #expect(one.core.store.journal.aside[log]?.sequence == 3)
    for book in [two, one] {
      #expect(try book.statusReader.status().missing.map(\.range) == [])
      #expect(try book.verifier.verify().logs.map(\.bodiless) == [[], []])
    }
    // The erasure counts once its device is admitted.
    try office.exchange()
    for book in [two, one] {
      #expect(try book.statusReader.status().missing.map(\.range) == [])
      #expect(try book.verifier.verify().logs.map(\.bodiless) == [[], []])
    }
  }

  @Test func `Join: a failed join keeps a log that another process received meanwhile`() throws {
    let office = Office(seed: 2_612)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    let three = try office.join("three")
    try TrustingTests.add("Theirs", to: three)
    _ = try three.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    let beside = try office.place("two").open()
    #expect(throws: DaybookError.self) {
      try two.joiner.joining { () throws(DaybookError) in
        _ = try beside.replicator.sync(with: Office.directory)
        throw .sync(.noBook)
      }
    }
    #expect(try TrustingTests.names(try office.place("two").open()) == TrustingTests.names(one))
    #expect(try TrustingTests.names(one).contains("Theirs"))
  }

  @Test func `Join: a bundle without the book's beginning is refused, leaving nothing`() throws {
    let office = Office(seed: 2608)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try office.join("three")
    try office.exchange()
    try Self.add("Later", to: two)
    try Self.add("Latest", to: try office.join("three"))
    try office.exchange()
    _ = try one.replicator.sync(with: Office.directory)
    let late = try office.join("late")
    try office.exchange()
    let bundle = MountedDisk.stick(0) / "since"
    _ = try one.replicator.writeBundle(to: bundle, since: "two")
    try Self.add("Very late", to: late)
    _ = try late.replicator.sync(with: Office.directory)
    try #require(try one.replicator.sync(with: Office.directory).problems == [])
    _ = try one.replicator.writeBundle(to: bundle, since: "two")
    let other = try office.found("other")
    try Self.add("Own", to: other)
    let before = (try other.statusReader.digest(), try other.deviceList.devices().map(\.replica))
    let place = try office.place("other")
    #expect(throws: DaybookError.self) {
      try BookFactory.join(
        at: Office.folder, from: .file(bundle), on: place.machine, deviceName: "other",
        view: .memory, confirm: { _ in true })
    }
    let after = try place.open()
    #expect(try after.statusReader.digest() == before.0)
    #expect(try after.deviceList.devices().map(\.replica) == before.1)
    #expect(try place.machine.disk.list(Office.folder / "logs").count == 1)
  }

  @Test func `Join: two books become one, and an absent third machine joins later`() throws {
    let office = Office(seed: 501)
    let one = try office.found("one")
    try Self.add("Home", to: one)
    let two = try office.found("two")
    try Self.add("Work", to: two)
    try office.stick.makeDirectories(MountedDisk.stick(0) / "shared")
    let shared = PeerAddress.directory(MountedDisk.stick(0) / "shared")
    _ = try two.replicator.sync(with: shared)
    let three = try office.join("three", from: shared)
    try Self.add("Away", to: three)
    _ = try three.replicator.sync(with: shared)
    _ = try two.replicator.sync(with: shared, admission: .always)
    #expect(try Self.names(two) == ["Away", "Work"])
    // This event is written while the device is offline.
    try Self.add("Late", to: three)

    let bundle = MountedDisk.stick(0) / "bundle"
    _ = try one.replicator.writeBundle(to: bundle)
    let joined = try join(office, "two", from: .file(bundle))
    #expect(joined.id == one.id)
    #expect(try Self.names(joined) == ["Home", "Work"])
    _ = try joined.replicator.writeBundle(to: bundle)
    let receipt = try one.replicator.sync(with: .file(bundle), admission: .always)
    #expect(receipt.admitted.map(\.name).sorted() == ["three", "two"])
    #expect(try Self.names(one) == ["Away", "Home", "Work"])
    _ = try one.replicator.writeBundle(to: bundle)
    _ = try joined.replicator.sync(with: .file(bundle))
    #expect(try Self.names(joined) == ["Away", "Home", "Work"])
    #expect(try one.statusReader.digest() == joined.statusReader.digest())

    _ = try joined.replicator.writeBundle(to: bundle)
    let away = #expect(throws: DaybookError.self) { try three.replicator.sync(with: .file(bundle)) }
    guard case .sync(.joinedInto(let id)) = away else {
      Issue.record("\(String(describing: away)) says nothing of joining")
      return
    }
    #expect(id == one.id)
    let third = try join(office, "three", from: .file(bundle))
    #expect(try Self.names(third) == ["Away", "Home", "Late", "Work"])
    _ = try third.replicator.writeBundle(to: bundle)
    _ = try one.replicator.sync(with: .file(bundle), admission: .always)
    _ = try one.replicator.writeBundle(to: bundle)
    for book in [joined, third] { _ = try book.replicator.sync(with: .file(bundle)) }
    #expect(Set(try [one, joined, third].map { try $0.statusReader.digest() }).count == 1)
    for book in [one, joined, third] {
      #expect(try Self.names(book) == ["Away", "Home", "Late", "Work"])
      #expect(try book.isTakingPart())
      #expect(try book.verifier.verify().faults == [])
    }
  }

  @Test func `Join: two books become one through a directory`() throws {
    let office = Office(seed: 502)
    let (one, two) = (try office.found("one"), try office.found("two"))
    try Self.add("Home", to: one)
    try Self.add("Work", to: two)
    _ = try one.replicator.sync(with: Office.directory)
    let joined = try join(office, "two", from: Office.directory)
    #expect(try Self.names(joined) == ["Home", "Work"])
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try joined.replicator.sync(with: Office.directory)
    #expect(try Self.names(one) == ["Home", "Work"])
    #expect(try one.statusReader.digest() == joined.statusReader.digest())
    #expect(try joined.statusReader.status().events == 2)
  }

  @Test func `Join: a declined join leaves the book unchanged`() throws {
    let office = Office(seed: 503)
    let (one, two) = (try office.found("one"), try office.found("two"))
    try Self.add("Home", to: one)
    try Self.add("Work", to: two)
    _ = try one.replicator.sync(with: Office.directory)
    let place = try office.place("two")
    let files = place.simulated.disk.files
    let declined = #expect(throws: DaybookError.self) {
      try BookFactory.join(
        at: Office.folder, from: Office.directory, on: place.machine, deviceName: "two",
        view: .memory, confirm: { _ in false })
    }
    guard case .declined = declined else { Issue.record("\(String(describing: declined))"); return }
    #expect(place.simulated.disk.files == files)
    #expect(throws: DaybookError.self) {
      try two.replicator.sync(with: .file(MountedDisk.stick(0) / "nothing"))
    }
    #expect(try Self.names(two) == ["Work"])
  }
}

extension Book {
  /// Whether other devices fold its events.
  fileprivate func isTakingPart() throws -> Bool { try statusReader.status().isAdmitted }
}
