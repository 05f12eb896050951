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

/// Members are listed by key with the device that admitted them, and a revocation extends to devices it admitted.
struct RosterTests {
  @Test
  func `Admission: a device whose log forks before its first event is admitted with both branches`()
    throws
  {
    let (_, books) = try TrustingTests.office("one", "two", seed: 877)
    let one = books[0]
    for time: Int64 in [1_000, 1_500] {
      var flood = try Flood()
      try flood.begin(1, title: "forked", at: time)
      #expect(try flood.send(to: one) == [])
    }
    let waiting = try one.deviceList.devices().filter { $0.standing == .waiting }
    #expect(waiting.map(\.name) == ["evil", "evil"])
    try one.admin.admit(try #require(waiting.first))
    #expect(try one.view().todos.todos().map(\.title) == ["forked 0", "forked 0"])
    #expect(try one.deviceList.devices().count { $0.standing == .waiting } == 0)
    #expect(try one.verifier.verify().faults == [])
  }

  @Test func `Revocation: a full revocation removes all events of the device everywhere`() throws {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 874)
    let (one, two, three) = (books[0], books[1], books[2])
    try TrustingTests.add("spam", to: two)
    try TrustingTests.exchange(books)
    let plan = try one.revoker.revocationPlan(
      for: try one.deviceList.device(called: "two"), whole: true)
    #expect(try one.revoker.revoke(by: plan).kept == 0)
    try TrustingTests.exchange(books)
    for book in [one, three] {
      #expect(try TrustingTests.names(book) == ["one", "three"])
      #expect(try book.statusReader.digest() == one.statusReader.digest())
      #expect(try book.verifier.verify().faults == [])
    }
  }

  @Test func `Revocation: a revoked device can be fully revoked later`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 875)
    let one = books[0]
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    #expect(try TrustingTests.names(one) == ["one", "two"])
    let plan = try one.revoker.revocationPlan(
      for: try one.deviceList.device(called: "two"), whole: true)
    _ = try one.revoker.revoke(by: plan)
    #expect(try TrustingTests.names(one) == ["one"])
  }

  @Test func `Revocation: a device cannot fully revoke what its own admission depends on`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 878)
    let three = try office.join("three")
    try TrustingTests.add("three", to: three)
    _ = try three.replicator.sync(with: Office.directory)
    // `two` admits `three`, so that `three` takes part only through `one` and `two`.
    _ = try books[1].replicator.sync(with: Office.directory, admission: .always)
    try TrustingTests.exchange([books[0], books[1], three])
    #expect(try three.statusReader.status().isAdmitted)
    let (one, two) = (
      try three.deviceList.device(called: "one"), try three.deviceList.device(called: "two")
    )
    #expect(throws: DaybookError.self) {
      try three.revoker.revocationPlan(for: one, keeping: [two], whole: true)
    }
  }

  @Test func `Revocation: the device that admitted this one cannot be fully revoked`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 876)
    let founder = try books[1].deviceList.device(called: "one")
    #expect(throws: DaybookError.self) {
      try books[1].revoker.revocationPlan(for: founder, whole: true)
    }
    #expect(try books[1].revoker.revocationPlan(for: founder).revoked.map(\.name) == ["one"])
  }

  /// Two devices, and a key for a third that never writes.
  private func office(seed: UInt64) throws -> (one: Book, two: Book, sleeper: PublicKey) {
    let (_, books) = try TrustingTests.office("one", "two", seed: seed)
    let sleeper = try SigningKey(seed: [UInt8](repeating: 9, count: 32))
    return (books[0], books[1], sleeper.publicKey)
  }

  private func letIn(_ key: PublicKey, by book: Book) throws {
    var device = try #require(try book.deviceList.devices().first)
    (device.name, device.key) = ("sleeper", key.bytes)
    try book.admin.admit(device)
  }

  @Test func `Roster: an admitted key without a log is listed with the device that admitted it`()
    throws
  {
    let (one, two, key) = try office(seed: 871)
    try letIn(key, by: two)
    let receipts = try [two, one].map { try $0.replicator.sync(with: Office.directory) }
    let silent = try one.deviceList.device(called: "sleeper")
    #expect(silent.key == key.bytes)
    #expect(!silent.hasLog)
    #expect(silent.lastWritten == nil)
    #expect(silent.standing == .admitted)
    #expect(silent.admission?.author == "two")
    #expect(silent.admission?.route == .command)
    #expect(silent.admission?.time != nil)
    #expect(receipts.map { $0.letIn.map(\.name) } == [[], ["sleeper"]])
    // The admission is reported only once.
    #expect(try one.replicator.sync(with: Office.directory).letIn.isEmpty)
    let words = silent.fingerprint.joined(separator: "-")
    #expect(try one.deviceList.device(called: words).key == key.bytes)
  }

  @Test func `Roster: a device admitted through a folder is listed with that folder`() throws {
    let (one, _, _) = try office(seed: 872)
    #expect(try one.deviceList.device(called: "one").admission == nil)
    #expect(
      try one.deviceList.device(called: "two").admission?.route
        == .folder(MountedDisk.stick(0).name))
  }

  @Test func `Roster: admissions, renames and revocations are logged with their authors`() throws {
    let (one, two, key) = try office(seed: 873)
    try letIn(key, by: two)
    try two.admin.rename(try two.deviceList.device(called: "sleeper"), to: "nap")
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try one.revoker.revoke(try one.deviceList.device(called: "nap"))
    let events = try one.historyReader.deviceEvents().filter { $0.action != .began }
    #expect(
      events.map(\.action) == [
        .admitted(.command), .renamed, .admitted(.folder(MountedDisk.stick(0).name)), .revoked,
      ])
    // The clocks of the two machines stand still, so simultaneous events are in the order of their logs.
    #expect(events.map(\.author) == ["two", "two", "one", "one"])
    #expect(events.map(\.name) == ["sleeper", "nap", "two", "nap"])
  }

  @Test func `Revocation: a key without a log is revoked by name or with its admitter`() throws {
    for isNamed in [true, false] {
      let (one, two, key) = try office(seed: isNamed ? 874 : 875)
      try letIn(key, by: two)
      for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
      let plan = try one.revoker.revocationPlan(
        for: try one.deviceList.device(called: isNamed ? "sleeper" : "two"))
      #expect(plan.revoked.map(\.name) == (isNamed ? ["sleeper"] : ["two", "sleeper"]))
      let revocation = try one.revoker.revoke(by: plan)
      #expect(revocation.ended.map(\.kept) == (isNamed ? [0] : [3, 0]))
      #expect(try one.deviceList.device(called: "sleeper").standing == .revoked)
    }
  }

  @Test func `Revocation: a kept device stays admitted and needs no decision`() throws {
    let (one, two, key) = try office(seed: 876)
    try letIn(key, by: two)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    let sleeper = try one.deviceList.device(called: "sleeper")
    let plan = try one.revoker.revocationPlan(
      for: try one.deviceList.device(called: "two"), keeping: [sleeper])
    #expect(plan.dependents.isEmpty)
    #expect(plan.kept.map(\.name) == ["sleeper"])
    _ = try one.revoker.revoke(by: plan)
    #expect(try one.deviceList.device(called: "sleeper").standing == .admitted)
    #expect(try !one.revoker.isLeftBehind(sleeper))
    #expect(try one.healthCheck.diagnose().findings.contains(.leftBehind([], canDecide: true)))
  }

  @Test func `Revocation: a device that learns of it later reports devices left behind`() throws {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 877)
    let key = try SigningKey(seed: [UInt8](repeating: 8, count: 32)).publicKey
    try letIn(key, by: books[1])
    // The revocation is written by a device that has not received the admission yet.
    _ = try books[1].replicator.sync(with: Office.directory)
    _ = try books[0].replicator.sync(with: Office.directory)
    let sleeper = try books[0].deviceList.device(called: "sleeper")
    let plan = try books[0].revoker.revocationPlan(
      for: try books[0].deviceList.device(called: "two"))
    var careless = plan
    careless.dependents = []
    _ = try books[0].revoker.revoke(by: careless)
    for book in [books[0], books[2]] { _ = try book.replicator.sync(with: Office.directory) }
    let expected = Finding.LeftBehind(
      name: "sleeper", fingerprint: key.fingerprint, author: "two")
    #expect(
      try books[2].healthCheck.diagnose().findings.contains(
        .leftBehind([expected], canDecide: true)))
    try books[2].admin.admit(sleeper)
    #expect(try books[2].healthCheck.diagnose().findings.contains(.leftBehind([], canDecide: true)))
  }

  @Test
  func `Revocation: a device left behind names its admitter and the revoked device above it`()
    throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 879)
    let (one, three) = (books[0], try office.join("three"))
    try TrustingTests.add("three", to: three)
    _ = try three.replicator.sync(with: Office.directory)
    _ = try books[1].replicator.sync(with: Office.directory, admission: .always)
    try TrustingTests.exchange([one, books[1], three])
    let key = try SigningKey(seed: [UInt8](repeating: 7, count: 32)).publicKey
    try letIn(key, by: three)
    try TrustingTests.exchange([three, one])
    var careless = try one.revoker.revocationPlan(for: try one.deviceList.device(called: "two"))
    careless.dependents = []
    _ = try one.revoker.revoke(by: careless)
    let left = try one.deviceList.device(called: "three")
    let expected = [
      Finding.LeftBehind(
        name: "sleeper", fingerprint: key.fingerprint, author: "three", revoked: "two"),
      Finding.LeftBehind(name: "three", fingerprint: left.fingerprint, author: "two"),
    ]
    #expect(
      try one.healthCheck.diagnose().findings.contains(.leftBehind(expected, canDecide: true)))
  }

  @Test func `Revocation: records that the device deleted are listed until restored`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 878)
    let lists = try books[1].view().lists.lists()
    let gone = try #require(lists.first { $0.name == "one" })
    _ = try books[1].commands.perform(.delete([gone.head.id]))
    for book in [books[1], books[0]] { _ = try book.replicator.sync(with: Office.directory) }
    let two = try books[0].deviceList.device(called: "two")
    #expect(try books[0].revoker.deletions(by: [two]).map(\.document.id) == [gone.head.id])
    _ = try books[0].revoker.revoke(two)
    #expect(try books[0].revoker.deletions(by: [two]).map(\.document.id) == [gone.head.id])
    _ = try books[0].commands.perform(.restore([gone.head.id]))
    #expect(try books[0].revoker.deletions(by: [two]).isEmpty)
  }
}
