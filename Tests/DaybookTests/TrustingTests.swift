import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Revocations, and the remaining events of the revoked devices.
struct TrustingTests {
  static func add(_ names: String..., to book: Book) throws {
    for name in names { _ = try book.commands.perform(.addList(name: name, colour: nil)) }
  }

  static func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name).sorted()
  }

  /// Machines of one book, all admitted, each with a list that all of them hold.
  static func office(_ names: String..., seed: UInt64) throws -> (Office, [Book]) {
    try office(of: names, seed: seed)
  }

  static func office(of names: [String], seed: UInt64) throws -> (Office, [Book]) {
    let office = Office(seed: seed)
    let first = try office.found(names[0])
    try add(names[0], to: first)
    _ = try first.replicator.sync(with: Office.directory)
    for name in names.dropFirst() {
      let book = try office.join(name)
      try add(name, to: book)
      _ = try book.replicator.sync(with: Office.directory)
      _ = try first.replicator.sync(with: Office.directory, admission: .always)
    }
    try exchange(office.books)
    return (office, office.books)
  }

  static func exchange(_ books: [Book]) throws {
    for book in books + books { _ = try book.replicator.sync(with: Office.directory) }
  }

  static func revoke(_ name: String, by book: Book, keeping kept: String) throws {
    let plan = try book.revoker.revocationPlan(
      for: try book.deviceList.device(called: name),
      keeping: [try book.deviceList.device(called: kept)])
    _ = try book.revoker.revoke(by: plan)
  }

  static func refusal(_ body: () throws -> Void) -> DaybookError? {
    #expect(throws: DaybookError.self) { try body() }
  }

  @Test
  func `Revocation: earlier events stay, and later ones are shown only on the revoked device`()
    throws
  {
    let (_, books) = try Self.office("one", "two", "three", seed: 801)
    let (one, two, three) = (books[0], books[1], books[2])
    let revocation = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    #expect(revocation.kept == 2)
    #expect(revocation.hasTrustedDevice)
    try Self.add("late", to: two)
    try Self.exchange(books)
    #expect(try Self.names(one) == ["one", "three", "two"])
    #expect(try Self.names(three) == ["one", "three", "two"])
    // Its own device still shows it.
    #expect(try Self.names(two) == ["late", "one", "three", "two"])
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
    let device = try one.deviceList.device(called: "two")
    #expect(device.standing == .revoked)
    #expect([device.events, device.cut] == [3, 1])
    #expect(try !two.statusReader.status().isAdmitted)
    #expect(try books.allSatisfy { try $0.verifier.verify().faults == [] })
  }

  @Test func `Revocation: it is refused for the device itself, by strangers, and if repeated`()
    throws
  {
    let (office, books) = try Self.office("one", "two", seed: 802)
    let one = books[0]
    guard
      case .ownKey? = Self.refusal({
        _ = try one.revoker.revoke(try one.deviceList.device(called: "one"))
      })
    else { Issue.record("a device revoked itself"); return }
    let stranger = try office.join("stranger")
    guard
      case .notAdmitted? = Self.refusal({
        _ = try stranger.revoker.revoke(try stranger.deviceList.device(called: "one"))
      })
    else { Issue.record("a stranger revoked"); return }
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    guard
      case .alreadyRevoked("two", by: "one", _)? = Self.refusal({
        _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
      }),
      case .revokedKey("two")? = Self.refusal({
        try one.admin.admit(try one.deviceList.device(called: "two"))
      })
    else { Issue.record("a revoked key was taken back"); return }
    try Self.exchange(books)
    guard
      case .notAdmitted? = Self.refusal({
        _ = try books[1].revoker.revoke(try books[1].deviceList.device(called: "one"))
      })
    else { Issue.record("a revoked device revoked"); return }
  }

  @Test func `Revocation: devices that revoke each other are both cut, and a third remains`() throws
  {
    let (_, books) = try Self.office("one", "two", "three", seed: 803)
    let (one, two, three) = (books[0], books[1], books[2])
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    try Self.revoke("one", by: two, keeping: "three")
    for book in [one, two] { try Self.add("later", to: book) }
    try Self.exchange(books)
    #expect(try Self.names(three) == ["one", "three", "two"])
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
    #expect(try books.map { try $0.statusReader.status().isAdmitted } == [false, false, true])
    #expect(try books.allSatisfy { try $0.statusReader.status().hasTrustedDevice })
  }

  @Test func `Revocation: when the last devices revoke each other, none is trusted`() throws {
    let (_, books) = try Self.office("one", "two", seed: 804)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    _ = try books[1].revoker.revoke(try books[1].deviceList.device(called: "one"))
    try Self.exchange(books)
    #expect(try books.map { try $0.statusReader.status().hasTrustedDevice } == [false, false])
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
  }

  @Test func `Revocation: a revoked founder leaves kept devices admitted`() throws {
    let (_, books) = try Self.office("one", "two", "three", seed: 805)
    try Self.revoke("one", by: books[1], keeping: "three")
    try Self.add("late", to: books[0])
    try Self.add("new", to: books[1])
    try Self.exchange(books)
    #expect(try Self.names(books[2]) == ["new", "one", "three", "two"])
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
    #expect(try books.map { try $0.statusReader.status().isAdmitted } == [false, true, true])
  }

  @Test func `Revocation: a revoked device returns under a new key, without the cut events`() throws
  {
    let (_, books) = try Self.office("one", "two", seed: 806)
    let (one, two) = (books[0], books[1])
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    try Self.add("cut", to: two)
    try Self.exchange(books)
    #expect(try !two.admin.rekey().isAdmitted)
    try Self.add("back", to: two)
    try Self.exchange(books)
    #expect(try Self.names(one) == ["one", "two"])
    let receipt = try one.replicator.sync(with: Office.directory, admission: .always)
    #expect(receipt.admitted.map(\.name) == ["two"])
    try Self.exchange(books)
    for book in books {
      #expect(try Self.names(book) == ["back", "one", "two"])
      #expect(try book.statusReader.status().isAdmitted)
    }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Revocation: two books become one, without the device that one revoked`() throws {
    let (_, books) = try Self.office("one", "two", seed: 807)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    try Self.add("late", to: books[1])
    try Self.exchange(books)
    let host = Office(seed: 808)
    let other = try host.found("host")
    try Self.add("host", to: other)
    // The stick of one office is carried to the other.
    let bundle = try Carried(other)
    let joined = try bundle.join(books[0])
    let receipt = try bundle.sync(other, with: joined, admission: .always)
    #expect(receipt.admitted.map(\.name) == ["one"])
    #expect(try Self.names(other) == ["host", "one", "two"])
    #expect(try other.deviceList.device(called: "two").standing == .revoked)
    #expect(try other.deviceList.device(called: "two").cut == 1)
  }
}

/// Bundles that are carried between machines of two offices.
private struct Carried {
  static let bundle = MountedDisk.stick(0) / "bundle"
  let host: Book

  init(_ host: Book) throws { self.host = host }

  private func carry(_ from: Book, to book: Book) throws {
    try from.machine.disk.makeDirectories(MountedDisk.stick(0))
    _ = try from.replicator.writeBundle(to: Self.bundle)
    let bytes = try from.machine.disk.contents(of: Self.bundle, limit: 1 << 24)
    try book.machine.disk.makeDirectories(MountedDisk.stick(0))
    try book.machine.disk.replace(Self.bundle, with: bytes)
  }

  func join(_ book: Book) throws -> Book {
    try carry(host, to: book)
    return try BookFactory.join(
      at: Office.folder, from: .file(Self.bundle), on: book.machine, deviceName: "x",
      view: .memory, confirm: { _ in true }
    ).book
  }

  func sync(_ book: Book, with other: Book, admission: Admission) throws -> Receipt {
    try carry(other, to: book)
    return try book.replicator.sync(with: .file(Self.bundle), admission: admission)
  }
}
