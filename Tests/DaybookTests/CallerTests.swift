import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// The devices that a book accepts over a network, and the devices that it calls.
struct CallerTests {
  /// Serves a machine's book while `body` runs, and returns the errors that the server reported.
  private static func serving(
    _ place: Office.Place, admitsAll: Bool = false, _ body: (PeerAddress) throws -> Void
  ) async throws -> [String] {
    let server = Server(place.machine, admitsAll: admitsAll)
    let port = try await server.start()
    let done = Result { try body(.tcp(host: "127.0.0.1", port: port)) }
    let told = await server.stop()
    try done.get()
    return told
  }

  private static func key(_ book: Book) throws -> PublicKey {
    try book.core.localDevice.identity.publicKey
  }

  private static func fault(_ body: () throws -> Void) -> SyncError? {
    do {
      try body()
      return nil
    } catch DaybookError.sync(let error) {
      return error
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test func `Call: members accept each other by the keys that sign their heads`() async throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1901)
    try TrustingTests.add("news", to: books[0])
    for book in books {
      let own = try #require(try book.deviceList.devices().first { $0.isThis })
      #expect(try Self.key(book).bytes == own.key)
    }
    let told = try await Self.serving(office.places[0]) {
      _ = try books[1].replicator.sync(with: $0)
    }
    #expect(told == [])
    #expect(try TrustingTests.names(books[1]) == ["news", "one", "two"])
  }

  @Test func `Call: equal books need one round trip and less than a kilobyte`() async throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1908)
    try TrustingTests.add("news", to: books[0])
    var receipts: [Receipt] = []
    let told = try await Self.serving(office.places[0]) { address in
      for _ in 0..<2 { receipts.append(try books[1].replicator.sync(with: address)) }
    }
    #expect(told == [])
    let traffic = receipts.compactMap(\.traffic)
    #expect(traffic.map(\.roundTrips) == [2, 1])
    #expect(traffic[0].bytesReceived > traffic[1].bytesReceived)
    #expect(traffic[1].bytesSent + traffic[1].bytesReceived < 1_024)
    _ = try books[1].replicator.writeBundle(to: MountedDisk.stick(0) / "bundle")
    #expect(
      try books[0].replicator.sync(with: .file(MountedDisk.stick(0) / "bundle")).traffic == nil)
  }

  @Test func `Call: the address of this device itself is refused`() async throws {
    let office = Office(seed: 1912, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    var faults: [SyncError?] = []
    var ports: [UInt16] = []
    let told = try await Self.serving(office.places[0]) { address in
      guard case .tcp(_, let port) = address else { return }
      ports.append(port)
      for host in ["127.0.0.1", "localhost"] {
        let own = PeerAddress.tcp(host: host, port: port)
        faults.append(Self.fault { _ = try one.replicator.sync(with: own) })
        try one.contactBook.addPeer(host, at: own)
        faults.append(Self.fault { _ = try one.replicator.sync(with: own) })
      }
    }
    let port = try #require(ports.first)
    let refused = ["127.0.0.1:\(port)", "localhost:\(port)"].map { SyncError.ownAddress($0) }
    #expect(faults == [refused[0], refused[0], refused[1], refused[1]])
    #expect(told == [])
    #expect(try one.contactBook.contacts().allSatisfy { $0.key == nil && $0.synced == nil })
    // The book is no longer served, so another machine may answer at the address.
    #expect(
      Self.fault { _ = try one.replicator.sync(with: .tcp(host: "127.0.0.1", port: port)) }
        == .network(.refused("127.0.0.1:\(port)")))
  }

  @Test func `Call: the addresses at which this device is served are its own`() throws {
    let book = try Office(seed: 1913).found("one")
    func own(_ served: String, _ hosts: [String]) throws -> [Bool] {
      let token = try book.service.announce(Endpoint(host: served, port: 7))
      defer { book.service.withdraw(token) }
      #expect(!book.service.isOwn(Endpoint(host: served, port: 8)))
      return hosts.map { book.service.isOwn(Endpoint(host: $0, port: 7)) }
    }
    let hosts = ["127.0.0.1", "localhost", "::1", "desk"]
    #expect(try own("127.0.0.1", hosts) == [true, true, true, false])
    #expect(try own("0.0.0.0", hosts) == [true, true, true, false])
    #expect(try own("desk", hosts) == [false, false, false, true])
    #expect(!book.service.isOwn(Endpoint(host: "desk", port: 7)))
  }

  @Test func `Call: an unknown device is refused, and neither records the other`() async throws {
    let office = Office(seed: 1902)
    let (one, stranger) = (try office.found("one"), try office.found("stranger"))
    let (hers, his) = (try Self.key(one), try Self.key(stranger))
    var faults: [SyncError?] = []
    let told = try await Self.serving(office.places[0]) { address in
      // The stranger dials like a device that wants to join, with the key of the member as the pin.
      faults.append(Self.fault { _ = try stranger.replicator.sync(with: address, pin: .key(hers)) })
      // Without a pin, it accepts only keys that its own book knows.
      faults.append(Self.fault { _ = try stranger.replicator.sync(with: address) })
      faults.append(Self.fault { _ = try stranger.replicator.sync(with: address, pin: .key(his)) })
    }
    let unknown = SyncError.tls(.unknownKey(hers))
    #expect(faults == [.tls(.refused(alert: 48)), unknown, unknown])
    #expect(
      told == [
        "\(SyncError.tls(.unknownKey(his)))", "\(SyncError.tls(.refused(alert: 48)))",
        "\(SyncError.tls(.refused(alert: 48)))",
      ])
    #expect(try one.deviceList.devices().count == 1)
    #expect(try one.core.peerNotes.peers().peers.isEmpty)
    #expect(try stranger.core.peerNotes.peers().peers.isEmpty)
  }

  @Test
  func `Call: a revoked device knows which machine rejects it, and does not call itself admitted`()
    async throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1911)
    _ = try await Self.serving(office.places[0]) { address in
      _ = try books[1].replicator.sync(with: address)
    }
    #expect(try books[1].healthCheck.rejectingMachines() == [])
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    _ = try await Self.serving(office.places[0]) { address in
      // A machine that is not remembered is not followed up: nothing would ever remove it from the reports.
      _ = Self.fault { _ = try books[1].replicator.sync(with: address) }
      #expect(try books[1].healthCheck.rejectingMachines() == [])
      try books[1].contactBook.addPeer("desk", at: address)
      _ = Self.fault { _ = try books[1].replicator.sync(with: address) }
    }
    #expect(try books[1].healthCheck.rejectingMachines() == ["desk"])
    try books[1].contactBook.renamePeer("desk", to: "kitchen")
    let findings = try books[1].healthCheck.diagnose().findings
    let rejecting = findings.compactMap { finding -> [String]? in
      if case .peers(_, let rejecting) = finding { rejecting } else { nil }
    }
    #expect(rejecting == [["kitchen"]])
    #expect(!findings.contains(.standing(.admitted, hasTrustedDevice: true)))
    #expect(findings.contains { $0.verdict == .problem })
    _ = try books[1].contactBook.forgetPeer("kitchen")
    #expect(try books[1].healthCheck.rejectingMachines() == [])
  }

  @Test func `Call: a revoked device is refused, even where all devices are admitted`() async throws
  {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1903)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    try TrustingTests.add("secret", to: books[0])
    let key = try Self.key(books[1])
    for admitsAll in [false, true] {
      var fault: SyncError?
      let told = try await Self.serving(office.places[0], admitsAll: admitsAll) { address in
        fault = Self.fault { _ = try books[1].replicator.sync(with: address) }
      }
      #expect(fault == .tls(.refused(alert: 48)))
      #expect(told == ["\(SyncError.tls(.unknownKey(key)))"])
    }
    #expect(try TrustingTests.names(books[1]) == ["one", "two"])
    // The member does not sync with the revoked device when dialing it, either.
    var words: String?
    _ = try await Self.serving(office.places[1], admitsAll: true) { address in
      do {
        _ = try books[0].replicator.sync(with: address, admission: .always)
      } catch DaybookError.revokedPeer(let device, let shown, nil) {
        words = device == "two" ? shown : nil
      }
    }
    #expect(words == key.fingerprint.joined(separator: "-"))
  }

  @Test func `Call: a joiner with the right pin is admitted under the key it showed`() async throws
  {
    let office = Office(seed: 1904)
    let one = try office.found("one")
    try TrustingTests.add("list", to: one)
    let hers = try Self.key(one)
    let place = try office.place("two")
    func join(_ address: PeerAddress, _ pin: Pin?) throws -> Book {
      try BookFactory.join(
        at: Office.folder, from: address, on: place.machine, deviceName: "two", pin: pin,
        view: .memory, confirm: { _ in true }
      ).book
    }
    // The listener refuses a joiner that it has not admitted. A joiner accepts only the pinned key.
    var faults: [SyncError?] = []
    let told = try await Self.serving(office.places[0]) { address in
      faults.append(Self.fault { _ = try join(address, .words(hers.fingerprint)) })
      faults.append(Self.fault { _ = try join(address, nil) })
      let others = Array(hers.fingerprint.reversed())
      faults.append(Self.fault { _ = try join(address, .words(others)) })
    }
    let unknown = SyncError.tls(.unknownKey(hers))
    #expect(faults == [.tls(.refused(alert: 48)), unknown, unknown])
    var joined: Book?
    let silence = try await Self.serving(office.places[0], admitsAll: true) { address in
      joined = try join(address, .key(hers))
    }
    #expect(silence == [])
    let two = try #require(joined)
    let his = try Self.key(two)
    #expect(told.first == "\(SyncError.tls(.unknownKey(his)))")
    #expect(try one.deviceList.device(called: "two").key == his.bytes)
    #expect(try one.deviceList.device(called: "two").standing == .admitted)
    #expect(try TrustingTests.names(two) == ["list"])
  }

  @Test func `Call: a device revoked during a session exchanges nothing more`() throws {
    for isLate in [false, true] {
      let (office, books) = try TrustingTests.office("one", "two", seed: isLate ? 1905 : 1906)
      let (one, two) = (books[0], books[1])
      try TrustingTests.add("secret", to: one)
      try TrustingTests.add("last words", to: two)
      let wire = try Wire()
      var dialler = LinePeer(
        .dialler, over: wire.dialler, holder: BookReplica(of: two.replica),
        timekeeper: wire.machine.timekeeper)
      var listener = LinePeer(
        .listener, over: wire.listener,
        holder: BookReplica(of: one.replica, with: try Self.key(two)),
        timekeeper: wire.machine.timekeeper)
      _ = try dialler.advance(patienceMilliseconds: 0)
      // A late revocation comes after all events of the device have been received; an early revocation comes after its
      // hello.
      _ = try listener.advance(patienceMilliseconds: 0)
      if isLate { _ = try dialler.advance(patienceMilliseconds: 0) }
      let elsewhere = try office.places[0].open()
      _ = try elsewhere.revoker.revoke(try elsewhere.deviceList.device(called: "two"))
      #expect(throws: SyncError.unwelcome(.revokedKey)) {
        while try listener.advance(patienceMilliseconds: 0) == .waiting {
          _ = try dialler.advance(patienceMilliseconds: 0)
        }
      }
      #expect(throws: SyncError.refused(Refusal(.revokedKey, "your key was revoked"))) {
        while try dialler.advance(patienceMilliseconds: 0) == .waiting {}
      }
      #expect(try TrustingTests.names(one) == ["one", "secret", "two"])
      #expect(try TrustingTests.names(two) == ["last words", "one", "two"])
    }
  }

  @Test(arguments: [false, true])
  func `Call: a device revoked while it receives frames is refused a second later`(
    isKnown: Bool
  ) throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 1907)
    let one = books[0]
    let guest = BookReplica(of: one.replica, with: try Self.key(books[1]))
    let logs = one.core.store.journal.logs.keys.sorted()
    var frames = 0
    func send(_ log: UniqueID) throws {
      try guest.forEachFrame(of: log, lackedBy: []) { _ throws(SyncError) in frames += 1 }
    }
    try send(logs[0])
    let usual = frames
    try #require(usual > 0)
    let elsewhere = try office.places[0].open()
    _ = try elsewhere.revoker.revoke(try elsewhere.deviceList.device(called: "two"))
    // Another session of the same book may already have read the revocation.
    if isKnown { try one.settler.prepareToSync() }
    // The peer is not checked for every frame.
    try send(logs[0])
    #expect(frames == 2 * usual)
    office.places[0].simulated.timekeeper.advance(milliseconds: 1_000)
    #expect(throws: SyncError.unwelcome(.revokedKey)) { try send(logs[1]) }
    #expect(frames == 2 * usual)
  }

  /// Both ends of a line in memory.
  private struct Wire {
    let machine = SimulatedMachine(seed: 1)
    let dialler: any Line
    let listener: any Line

    init() throws {
      let door = try machine.network.listen(host: "here", port: 7)
      dialler = try machine.network.dial(host: "here", port: 7, patienceMilliseconds: 0)
      listener = try #require(try door.accept(patienceMilliseconds: 0))
    }
  }
}
