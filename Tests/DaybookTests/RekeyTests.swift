import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Devices that take a new key, and new books that are founded from old books.
struct RekeyTests {
  @Test func `New key: a device continues under it, and the old one can be revoked`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 821)
    let (one, two) = (books[0], books[1])
    let rekeying = try two.admin.rekey()
    #expect(rekeying.isAdmitted)
    try TrustingTests.add("after", to: two)
    try TrustingTests.exchange(books)
    #expect(try TrustingTests.names(one) == ["after", "one", "two"])
    #expect(try one.deviceList.device(called: "two").fingerprint == rekeying.fingerprint)
    #expect(
      try one.deviceList.device(called: "two (old key)").fingerprint == rekeying.formerFingerprint)
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two (old key)"))
    try TrustingTests.exchange(books)
    for book in books {
      #expect(try TrustingTests.names(book) == ["after", "one", "two"])
      #expect(try book.statusReader.status().isAdmitted)
    }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    #expect(try two.open().deviceList.device(called: "two").isThis)
  }

  @Test func `New key: one of two clones takes it, and the other can be revoked`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 822)
    let thief = try office.clone("two", as: "thief")
    try TrustingTests.add("theirs", to: thief)
    _ = try books[1].admin.rekey()
    try TrustingTests.add("mine", to: books[1])
    try TrustingTests.exchange(books)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two (old key)"))
    try TrustingTests.exchange(books + [thief] + books)
    #expect(try TrustingTests.names(books[0]) == ["mine", "one", "two"])
    #expect(Set(try (books + [thief]).map { try $0.statusReader.digest() }).count == 1)
    #expect(try books.allSatisfy { try $0.statusReader.status().isAdmitted })
    #expect(try !thief.statusReader.status().isAdmitted)
  }

  @Test func `New founding: devices cut off by a thief continue in a new book`() throws {
    let (office, books) = try TrustingTests.office("one", "two", "thief", seed: 823)
    let (one, two, thief) = (books[0], books[1], books[2])
    // `two` is revoked together with `one`, which admitted it.
    let cut = try thief.revoker.revoke(try thief.deviceList.device(called: "one"))
    #expect(cut.ended.map(\.device.name) == ["one", "two"])
    try TrustingTests.exchange(books)
    try TrustingTests.add("one's", to: one)
    try TrustingTests.add("two's", to: two)
    try TrustingTests.exchange(books)
    #expect(try TrustingTests.names(thief) == ["one", "thief", "two"])

    let former = one.id
    let founding = try one.refounder.newFounding(with: ["two"])
    #expect(founding.taken.map(\.name).sorted() == ["one", "two"])
    #expect(founding.leftOut.map(\.name) == ["thief"])
    try one.refounder.found(anew: founding)
    #expect(one.id != former)
    #expect(try TrustingTests.names(one) == ["one", "one's", "two", "two's"])
    #expect(try one.deviceList.device(called: "thief").standing == .revoked)
    #expect(try one.statusReader.status().hasTrustedDevice)

    let bundle = PeerAddress.file(MountedDisk.stick(0) / "bundle")
    _ = try one.replicator.writeBundle(to: MountedDisk.stick(0) / "bundle")
    let place = try office.place("two")
    place.book = nil
    let joined = try office.join("two", from: bundle)
    #expect(joined.id == one.id)
    #expect(try joined.statusReader.status().isAdmitted)
    #expect(try joined.statusReader.digest() == one.statusReader.digest())
    // The old book's decisions about these devices have no effect here, whichever device sends them, and the old
    // devices are not admitted again.
    try TrustingTests.add("more", to: joined)
    _ = try joined.replicator.writeBundle(to: MountedDisk.stick(0) / "bundle")
    #expect(try one.replicator.sync(with: bundle, admission: .always).admitted.isEmpty)
    #expect(try TrustingTests.names(one) == ["more", "one", "one's", "two", "two's"])
    #expect(try one.verifier.verify().faults == [])
  }

  @Test func `New founding: an empty machine and a folder restore a book whose devices are lost`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 824)
    let digest = try books[0].statusReader.digest()
    let empty = try office.join("empty")
    #expect(try !empty.statusReader.status().isAdmitted)
    #expect(try TrustingTests.names(empty) == ["one", "two"])
    try empty.refounder.found(anew: try empty.refounder.newFounding(with: ["one", "two"]))
    #expect(try TrustingTests.names(empty) == ["one", "two"])
    #expect(try empty.statusReader.status().isAdmitted)
    #expect(try empty.statusReader.digest() == digest)
    try TrustingTests.add("new", to: empty)
    #expect(try TrustingTests.names(empty.open()) == ["new", "one", "two"])
  }

  @Test func `New founding: without other devices it keeps only the device's own log`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 825)
    try books[0].refounder.found(anew: try books[0].refounder.newFounding(with: []))
    #expect(try TrustingTests.names(books[0]) == ["one"])
    // The excluded device cannot be admitted even if it is met again.
    #expect(throws: DaybookError.self) {
      try books[0].admin.admit(try books[0].deviceList.device(called: "two"))
    }
  }

  @Test(arguments: Ordeal.Blow.allCases)
  func `New key: an interrupted rekey is completed by the next attempt`(blow: Ordeal.Blow) throws {
    let ordeal = Ordeal("a new key") { desk in
      try TrustingTests.add("Home", to: try desk.found())
    } act: { machine in
      let book = try Book(at: Desk.folder, on: machine, view: .memory)
      _ = try book.admin.rekey()
      #expect(try book.statusReader.status().isAdmitted)
      // No unused key remains, however often it was attempted.
      #expect(Set(try book.deviceList.devices().filter { !$0.isFormerKey }.map(\.key)).count == 1)
    }
    try ordeal.suffer(blow, seed: 826, again: true)
  }

  @Test(arguments: Ordeal.Blow.allCases)
  func `New founding: an interrupted founding is either complete or absent`(
    blow: Ordeal.Blow
  ) throws {
    let ordeal = Ordeal("founding anew") { desk in
      try TrustingTests.add("Home", to: try desk.found())
    } act: { machine in
      let book = try Book(at: Desk.folder, on: machine, view: .memory)
      try book.refounder.found(anew: try book.refounder.newFounding(with: []))
      #expect(try book.statusReader.status().isAdmitted)
    }
    try ordeal.suffer(blow, seed: 827, again: true)
  }
}

extension Book {
  fileprivate func open() throws -> Book {
    try Book(at: layout.folder, on: machine, view: .memory)
  }
}
