import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import PosixPlatform
import Syncing
import Testing
import Verifying

/// Devices that join by an invitation.
struct MeetingTests {
  @Test func `Invitation: it admits a device at once, and each remembers the other`() async throws {
    let office = Office(seed: 901, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    try Meet.add("Home", to: one)
    let failures = try await Meet.serving(office, "one") { inviter, server in
      let invited = try inviter.invitations.invite()
      let place = try office.place("two")
      let (two, receipt) = try Meet.join(place, invited.invitation)
      #expect(receipt.standing == .admitted)
      #expect(receipt.waiting.isEmpty)
      #expect(try Meet.names(two) == ["Home"])
      #expect(try two.statusReader.digest() == one.statusReader.digest())
      let address = PeerAddress(invited.invitation.address)
      let known = try #require(try two.contactBook.knownPeers().first)
      #expect(known.contact.name == "one")
      #expect(known.contact.address == address)
      #expect(known.contact.key == invited.invitation.key)
      #expect(known.lacking == 0)
      // Both have all events, so a second sync has nothing to do.
      let again = try two.replicator.sync(with: address)
      #expect(again.sent.isEmpty && again.received.isEmpty)
      try await server.hasMet()
      let met = try inviter.contactBook.contacts()
      #expect(met.map(\.name) == ["two"])
      #expect(met.map(\.address) == [nil])
      #expect(try inviter.deviceList.devices().map(\.standing) == [.founder, .admitted])
      #expect(try two.verifier.verify().faults == [])
    }
    #expect(failures == [])
  }

  @Test func `Invitation: a peer is named after its device until the user renames it`() async throws
  {
    let office = Office(seed: 915, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    func call(_ book: Book, _ name: String) throws {
      try book.admin.rename(
        try #require(try book.deviceList.devices().first(where: \.isThis)), to: name)
    }
    let failures = try await Meet.serving(office, "one") { inviter, server in
      let (two, _) = try Meet.join(
        try office.place("two"), try inviter.invitations.invite().invitation)
      try await server.hasMet()
      #expect(try inviter.contactBook.contacts().map(\.name) == ["two"])
      let address = try #require(try two.contactBook.contacts().first?.address)
      try call(two, "pocket")
      try call(inviter, "desk")
      _ = try two.replicator.sync(with: address)
      try await server.hasMet()
      #expect(try inviter.contactBook.contacts().map(\.name) == ["pocket"])
      #expect(try two.contactBook.contacts().map(\.name) == ["desk"])
      try two.contactBook.renamePeer("desk", to: "table")
      try call(inviter, "chair")
      _ = try two.replicator.sync(with: address)
      try await server.hasMet()
      #expect(try two.contactBook.contacts().map(\.name) == ["table"])
    }
    #expect(failures == [])
  }

  @Test func `Invitation: a joiner that also serves is remembered with its address`() async throws {
    let office = Office(seed: 913, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try office.found("two")
    let server = Server(try office.place("two").machine, admitsAll: false)
    let port = try await server.start()
    let failures = try await Meet.serving(office, "one") { inviter, visited in
      let invitation = try inviter.invitations.invite().invitation
      let (two, _) = try Meet.join(try office.place("two"), invitation)
      try Meet.add("Work", to: two)
      try await visited.hasMet()
      let address = PeerAddress.tcp(host: "127.0.0.1", port: port)
      #expect(try inviter.contactBook.contacts().map(\.address) == [address])
      _ = try inviter.replicator.sync(with: address)
      #expect(try Meet.names(inviter) == ["Work"])
    }
    #expect(failures == [])
    #expect(await server.stop() == [])
  }

  @Test(arguments: [
    (String(repeating: "ä", count: 60), String(repeating: "ä", count: 50)), ("a\nb", "ab"),
    ("\n", "device"),
  ])
  func `Invitation: a name that a proof cannot carry is shortened or cleaned`(
    name: String, said: String
  ) async throws {
    let office = Office(seed: 914, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      let invitation = try inviter.invitations.invite().invitation
      _ = try Meet.join(try office.place("two"), invitation, as: name)
      #expect(try inviter.deviceList.devices().contains { $0.name == said })
    }
  }

  @Test func `Invitation: a separately founded book joins completely, with all its devices`()
    async throws
  {
    let office = Office(seed: 902, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    try Meet.add("Home", to: one)
    let founder = try office.found("three")
    try Meet.add("Away", to: founder)
    _ = try founder.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try founder.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    try Meet.add("Work", to: two)
    let failures = try await Meet.serving(office, "one") { inviter, server in
      let (joined, receipt) = try Meet.join(
        try office.place("two"), try inviter.invitations.invite().invitation)
      try await server.hasMet()
      #expect(joined.id == one.id)
      #expect(receipt.waiting.isEmpty)
      for book in [one, joined, inviter] {
        #expect(try Meet.names(book) == ["Away", "Home", "Work"])
      }
      #expect(try joined.statusReader.digest() == inviter.statusReader.digest())
      #expect(Set(try inviter.deviceList.devices().map(\.name)) == ["one", "two", "three"])
      #expect(try inviter.deviceList.devices().allSatisfy { $0.standing != .waiting })
    }
    #expect(failures == [])
  }

  @Test func `Invitation: a join cut after any number of bytes can be repeated`() async throws {
    let office = Office(seed: 906, timekeeper: SystemTimekeeper())
    try Meet.add("Home", to: try office.found("one"))
    let failures = try await Meet.serving(office, "one") { inviter, _ in
      // The hello alone has more than 100 bytes, and each guest increases the amount to send.
      for bytes in [0, 1, 60, 100, 200, 300, 500, 700, 1_000] {
        let place = try office.place("guest \(bytes)")
        let invitation = try inviter.invitations.invite().invitation
        let broken = #expect(throws: DaybookError.self) {
          try Meet.join(place, invitation, over: BreakingNetwork(bytes: bytes))
        }
        guard case .sync(.network(.cut)) = broken else {
          Issue.record("cut after \(bytes): \(String(describing: broken))")
          continue
        }
        let (book, _) = try Meet.join(place, invitation)
        #expect(try Meet.names(book) == ["Home"])
        #expect(try book.deviceList.standing() == .admitted)
      }
      #expect(try inviter.deviceList.devices().allSatisfy { $0.standing != .waiting })
    }
    #expect(failures.allSatisfy { $0.contains("cut") }, "\(failures)")
  }

  @Test func `Invitation: a device with a taken name gets a number`() async throws {
    let office = Office(seed: 907, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, server in
      for number in 2...3 {
        let (book, _) = try Meet.join(
          try office.place("place \(number)"), try inviter.invitations.invite().invitation,
          as: "one")
        #expect(try book.deviceList.devices().first(where: \.isThis)?.name == "one \(number)")
        try await server.hasMet()
      }
      #expect(try inviter.contactBook.contacts().map(\.name) == ["one 2", "one 3"])
    }
  }

  @Test func `Invitation: a waiting device is admitted by an invitation and can issue none itself`()
    async throws
  {
    let office = Office(seed: 909, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await Meet.serving(office, "one") { inviter, _ in
      _ = try inviter.replicator.sync(with: Office.directory)
      let two = try office.join("two")
      try Meet.add("Mine", to: two)
      #expect(throws: DaybookError.self) {
        try two.invitations.invite(at: MachineAddress("here:1"))
      }
      let (joined, _) = try Meet.join(
        try office.place("two"), try inviter.invitations.invite().invitation)
      #expect(try joined.deviceList.standing() == .admitted)
      #expect(try Meet.names(inviter) == ["Mine"])
    }
  }

  @Test func `Invitation: the server's address is known only while it serves`() async throws {
    let office = Office(seed: 910, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    let nowhere = #expect(throws: DaybookError.self) { try one.invitations.invite() }
    guard case .notServed = nowhere else {
      Issue.record("\(String(describing: nowhere))")
      return
    }
    _ = try await Meet.serving(office, "one") { _, _ in
      let served = try one.service.served()
      #expect(served?.host == "127.0.0.1")
      #expect(try one.invitations.invite().invitation.address.endpoint == served)
    }
    #expect(try one.service.served() == nil)
    // The file of a crashed server is ignored.
    let file = Office.folder / "serving"
    try one.machine.disk.replace(file, with: Array("12\n127.0.0.1:7\n".utf8))
    #expect(try one.service.served() == nil)
    let elsewhere: Endpoint = try #require(Endpoint("laptop.local:7"))
    #expect(try one.invitations.invite(at: .tcp(elsewhere)).invitation.address == .tcp(elsewhere))
    // The address of all interfaces cannot be dialed.
    let anywhere: Endpoint = try #require(Endpoint("0.0.0.0:7"))
    let everywhere = try one.invitations.invite(at: .tcp(anywhere))
    let all = ([everywhere.invitation.address] + everywhere.alternatives).compactMap(\.endpoint)
    #expect(all.count == 1 + everywhere.alternatives.count)
    #expect(all.allSatisfy { !$0.isEverywhere && $0.port == 7 && !$0.host.contains(":") })
  }
}
