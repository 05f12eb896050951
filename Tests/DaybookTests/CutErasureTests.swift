import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// The remains of an erasure by a device that was revoked from an earlier event.
struct CutErasureTests {
  /// Two machines; the tests make the first revoke the second from a point before an erasure.
  private func office(seed: UInt64) throws -> (office: Office, one: Book, two: Book) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    _ = try two.commands.perform(.addList(name: "Kept", colour: nil))
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    return (office, one, two)
  }

  private func add(_ name: String, to book: Book) throws -> UniqueID {
    let request = Request.addBirthday(firstName: name, lastName: nil, birthdate: nil)
    return try #require(try book.commands.perform(request).changes.first).document.id
  }

  private func missing(_ book: Book) throws -> [ClosedRange<UInt64>] {
    try book.statusReader.status().missing.map(\.range)
  }

  @Test
  func `Revoked erasure: later events of a log arrive although an earlier body is lost everywhere`()
    throws
  {
    let (office, one, two) = try office(seed: 941)
    _ = try two.eraser.erase(try add("Ada", to: two))
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.revoker.revoke(one.deviceList.device(called: "two"))
    try TrustingTests.exchange([one, two])
    _ = try two.commands.perform(.addList(name: "Later", colour: nil))
    try TrustingTests.exchange([one, two])
    let three = try office.join("three")
    let log = try #require(two.writer)
    for book in [one, three] {
      #expect(book.core.store.journal.logs[log] == two.core.store.journal.logs[log])
      #expect(try missing(book) == [3...3])
      #expect(try book.verifier.verify().bodiless == 1)
      #expect(try book.statusReader.digest() == two.statusReader.digest())
      #expect(try book.replicator.sync(with: Office.directory).problems == [])
    }
    // A directory that contained only the earlier events also receives the others.
    let folder = MountedDisk.stick(0) / "other"
    try one.machine.disk.makeDirectories(folder)
    let stick = PeerAddress.directory(folder)
    _ = try one.replicator.sync(with: stick)
    #expect(try two.replicator.sync(with: stick).sent == [])
  }

  @Test func `Revoked erasure: after an exchange both books are whole and show the record`() throws
  {
    let (_, one, two) = try office(seed: 942)
    let id = try add("Ada", to: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try one.revoker.revoke(one.deviceList.device(called: "two"))
    _ = try two.eraser.erase(id)
    _ = try two.commands.perform(.addList(name: "Later", colour: nil))
    try TrustingTests.exchange([one, two])
    for book in [one, two] {
      #expect(try book.verifier.verify().faults == [])
      #expect(try missing(book) == [])
    }
    #expect(try one.view().birthdays.birthdays().map(\.firstName) == ["Ada"])
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Revoked erasure: its author reports the body that others hold as missing`() throws {
    let (_, one, two) = try office(seed: 945)
    let id = try add("Ada", to: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try one.revoker.revoke(one.deviceList.device(called: "two"))
    _ = try two.eraser.erase(id)
    let bundle = MountedDisk.stick(0) / "revoke.bundle"
    _ = try one.replicator.writeBundle(to: bundle, since: "two")
    _ = try two.replicator.sync(with: .file(bundle))
    #expect(try two.statusReader.digest() != one.statusReader.digest())
    #expect(try missing(two) == [3...3])
  }

  @Test(arguments: [false, true])
  func `Revoked erasure: a body is fetched although an earlier body of its log is lost`(
    isFollowed: Bool
  ) throws {
    let (office, one, two) = try office(seed: 946)
    let three = try office.join("three")
    try office.exchange()
    try TrustingTests.exchange(office.books)
    for name in ["two", "three"] { _ = try one.revoker.revoke(one.deviceList.device(called: name)) }
    _ = try two.eraser.erase(try add("Ada", to: two))
    let bob = try add("Bob", to: two)
    func give(_ book: Book, to other: Book, knowing name: String) throws {
      let bundle = MountedDisk.stick(0) / "\(name).bundle"
      _ = try book.replicator.writeBundle(to: bundle, since: name)
      _ = try other.replicator.sync(with: .file(bundle))
    }
    try give(two, to: three, knowing: "three")
    _ = try three.eraser.erase(bob)
    if isFollowed {
      _ = try three.replicator.sync(with: Office.directory)
      _ = try add("Cid", to: two)
      try give(two, to: three, knowing: "three")
    }
    try give(one, to: two, knowing: "two")
    // In the part of two's log that three keeps, Bob's body is missing. Before two receives the revocation, it knows
    // that Ada's body is lost.
    for book in [three, one, two, one, three, three] {
      _ = try book.replicator.sync(with: Office.directory)
    }
    let log = try #require(two.writer)
    let gone = try missing(one)
    #expect(gone.count == 1)
    #expect(try missing(three) == gone)
    // Two has erased Ada itself, and shows its own events although they do not count.
    #expect(try missing(two) == [])
    for book in [one, three] {
      #expect(book.core.store.journal.logs[log] == two.core.store.journal.logs[log])
    }
    #expect(try two.replicator.sync(with: Office.directory).sent == [])
  }

  @Test func `Revoked erasure: equal events with unequal bodies give different digests`() throws {
    let (office, one, two) = try office(seed: 943)
    let id = try add("Ada", to: one)
    _ = try one.replicator.sync(with: Office.directory)
    let three = try office.join("three")
    try office.exchange()
    try TrustingTests.exchange(office.books)
    _ = try two.eraser.erase(id)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try three.revoker.revoke(three.deviceList.device(called: "two"))
    // Only the revocation arrives. The body does not, because `three` assumes that `one` holds it.
    let bundle = MountedDisk.stick(0) / "revoke.bundle"
    _ = try three.replicator.writeBundle(to: bundle, since: "one")
    _ = try one.replicator.sync(with: .file(bundle))
    let (log, last) = try #require(
      three.writer.map { ($0, three.core.store.journal.logs[$0]?.sequence) })
    #expect(one.core.store.journal.logs[log]?.sequence == last)
    #expect(try one.statusReader.digest() != three.statusReader.digest())
    let event = try #require(try three.finder.document(withID: id)).key.sequence
    #expect(try missing(one) == [event...event])
    #expect(try missing(three) == [])
    let beside = try office.place("one").open()
    #expect(try beside.statusReader.digest() != three.statusReader.digest())
    for book in [three, one, three] { _ = try book.replicator.sync(with: Office.directory) }
    #expect(one.core.store.journal.logs == three.core.store.journal.logs)
    #expect(try missing(one) == [])
    #expect(try one.statusReader.digest() == three.statusReader.digest())
    // A process that was running the whole time shows it, too.
    #expect(try beside.statusReader.digest() == three.statusReader.digest())
  }
}

extension Book {
  /// The log that its machine writes.
  fileprivate var writer: UniqueID? { file.writers.values.first }
}
