import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

/// A network whose lines break after so many bytes have come.
private struct BreakingNetwork: Network {
  let bytes: Int

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    try PosixNetwork().listen(host: host, port: port)
  }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    let patience = patienceMilliseconds
    let line = try PosixNetwork().dial(host: host, port: port, patienceMilliseconds: patience)
    return BreakingLine(line, bytes)
  }

  private final class BreakingLine: Line {
    private let line: any Line
    private let left: Mutex<Int>

    init(_ line: any Line, _ bytes: Int) {
      self.line = line
      left = Mutex(bytes)
    }

    var peer: String { line.peer }

    func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
      try line.send(bytes, patienceMilliseconds: patienceMilliseconds)
    }

    func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
      let most = min(count, left.withLock { $0 })
      guard most > 0 else {
        line.close()
        throw .cut
      }
      let bytes = try line.receive(upTo: most, patienceMilliseconds: patienceMilliseconds)
      left.withLock { $0 -= bytes.count }
      return bytes
    }

    func close() { line.close() }
  }
}

/// Devices that meet over an invitation.
struct MeetingTests {
  private static func add(_ name: String, to book: Book) throws {
    _ = try book.perform(.addList(name: name, colour: nil))
  }

  private static func names(_ book: Book) throws -> [String] {
    try book.view().lists().compactMap(\.name)
  }

  /// Joins as the machine of a place, with the book it has or with none.
  private func join(
    _ place: Office.Place, _ invitation: Invitation, over network: any Network = PosixNetwork(),
    as name: String? = nil
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let own = place.machine
    let machine = Machine(
      disk: own.disk, timekeeper: own.timekeeper, dice: own.dice, network: network)
    return try Book.join(
      at: Office.folder, by: invitation, on: machine, deviceName: name ?? place.name,
      view: .memory, confirm: { _ in true })
  }

  /// Does something with a book that is served, and tells what went wrong at the server.
  private func serving(
    _ office: Office, _ name: String, _ body: (Book) throws -> Void
  ) async throws -> [String] {
    let server = Server(try office.place(name).machine, admitsAll: false)
    _ = try await server.start()
    do {
      try body(try office.place(name).open())
    } catch {
      await server.stop()
      throw error
    }
    return await server.stop()
  }

  /// How somebody was turned away.
  private enum Turned: Equatable {
    /// Before a word was said, since no stranger is expected.
    case atTheDoor
    case inWords(Syncing.Refusal.Code)
  }

  private func turned(_ body: () throws(DaybookError) -> Void) -> Turned? {
    do throws(DaybookError) { try body() } catch {
      if case .sync(.tls(.refused)) = error { return .atTheDoor }
      guard case .sync(.refused(let refusal)) = error else { return nil }
      return Syncing.Refusal.Code(rawValue: refusal.code).map(Turned.inWords)
    }
    return nil
  }

  @Test func `who is invited takes part at once, and each remembers the other`() async throws {
    let office = Office(seed: 901, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    try Self.add("Home", to: one)
    let failures = try await serving(office, "one") { inviter in
      let invited = try inviter.invite()
      let place = try office.place("two")
      let (two, receipt) = try join(place, invited.invitation)
      #expect(receipt.standing == .admitted)
      #expect(receipt.waiting.isEmpty)
      #expect(try Self.names(two) == ["Home"])
      #expect(try two.digest() == one.digest())
      let address = PeerAddress.tcp(
        host: "127.0.0.1", port: invited.invitation.endpoint.port)
      let known = try #require(try two.acquaintances().first)
      #expect(known.contact.name == "one")
      #expect(known.contact.address == address)
      #expect(known.contact.key == invited.invitation.key)
      #expect(known.lacking == 0)
      // Both have everything: nothing is left for a second sync.
      let again = try two.sync(with: address)
      #expect(again.sent.isEmpty && again.received.isEmpty)
      let met = try inviter.contacts()
      #expect(met.map(\.name) == ["two"])
      #expect(met.map(\.address) == [nil])
      #expect(try inviter.devices().map(\.standing) == [.founder, .admitted])
      #expect(try two.verify().faults == [])
    }
    #expect(failures == [])
  }

  @Test func `a book begun apart comes in whole, with whoever is of it`() async throws {
    let office = Office(seed: 902, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    try Self.add("Home", to: one)
    let founder = try office.found("three")
    try Self.add("Away", to: founder)
    _ = try founder.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try founder.sync(with: Office.directory, admission: .always)
    _ = try two.sync(with: Office.directory)
    try Self.add("Work", to: two)
    let failures = try await serving(office, "one") { inviter in
      let (joined, receipt) = try join(try office.place("two"), try inviter.invite().invitation)
      #expect(joined.id == one.id)
      #expect(receipt.waiting.isEmpty)
      for book in [one, joined, inviter] {
        #expect(try Self.names(book) == ["Away", "Home", "Work"])
      }
      #expect(try joined.digest() == inviter.digest())
      #expect(Set(try inviter.devices().map(\.name)) == ["one", "two", "three"])
      #expect(try inviter.devices().allSatisfy { $0.standing != .waiting })
    }
    #expect(failures == [])
  }

  @Test func `an invitation lets one device in, once`() async throws {
    let office = Office(seed: 903, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    let failures = try await serving(office, "one") { inviter in
      let invitation = try inviter.invite().invitation
      _ = try join(try office.place("two"), invitation)
      func attempt(_ name: String, _ invitation: Invitation) -> Turned? {
        turned { () throws(DaybookError) in
          _ = try join(office.somebody(name), invitation)
        }
      }
      #expect(attempt("two", invitation) == .inWords(.usedInvitation))
      #expect(attempt("three", invitation) == .atTheDoor)
      let other = try inviter.invite().invitation
      #expect(attempt("three", invitation) == .inWords(.usedInvitation))
      #expect(try inviter.devices().count == 2)
      // Who was turned away can still come in.
      #expect(attempt("three", other) == nil)
      #expect(try inviter.devices().map(\.standing) == [.founder, .admitted, .admitted])
    }
    #expect(failures.filter { $0.contains("usedInvitation") }.count == 2)
    #expect(failures.filter { $0.contains("unknownKey") }.count == 1)
  }

  @Test func `an invitation ends after ten minutes`() async throws {
    let office = Office(seed: 904)
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      let clock = try office.place("one").simulated.timekeeper
      let invited = try inviter.invite()
      clock.advance(milliseconds: invited.end - clock.now().milliseconds)
      clock.advance(milliseconds: 1)
      func late() -> Turned? {
        turned { () throws(DaybookError) in
          _ = try join(office.somebody("two"), invited.invitation)
        }
      }
      #expect(late() == .atTheDoor)
      #expect(try !inviter.expectsGuests())
      _ = try inviter.invite()
      #expect(try inviter.expectsGuests())
      #expect(late() == .inWords(.expiredInvitation))
      // A clock that was set back makes none last longer.
      clock.set(Moment(milliseconds: clock.now().milliseconds - 660_000))
      #expect(try !inviter.expectsGuests())
    }
  }

  @Test func `three wrong proofs end what was open`() async throws {
    let office = Office(seed: 905, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      let right = try inviter.invite().invitation
      var wrong = right
      wrong.secret[7] ^= 1
      for _ in 1...2 {
        let code = turned { () throws(DaybookError) in
          _ = try join(office.somebody("two"), wrong)
        }
        #expect(code == .inWords(.wrongProof))
      }
      // The right one is as good as ever, and its use is not undone by a third.
      _ = try join(try office.place("two"), right)
      let next = try inviter.invite().invitation
      for _ in 1...3 {
        _ = turned { () throws(DaybookError) in _ = try join(office.somebody("three"), wrong) }
      }
      let code = turned { () throws(DaybookError) in
        _ = try join(office.somebody("three"), next)
      }
      #expect(code == .atTheDoor)
      #expect(try inviter.devices().count == 2)
    }
  }

  @Test func `a join that was cut anywhere can be done again`() async throws {
    let office = Office(seed: 906, timekeeper: SystemTimekeeper())
    try Self.add("Home", to: try office.found("one"))
    let failures = try await serving(office, "one") { inviter in
      // The hello alone has more than 100 bytes, and with each guest there is more to send.
      for bytes in [0, 1, 60, 100, 200, 300, 500, 700, 1_000] {
        let place = try office.place("guest \(bytes)")
        let invitation = try inviter.invite().invitation
        let broken = #expect(throws: DaybookError.self) {
          try join(place, invitation, over: BreakingNetwork(bytes: bytes))
        }
        guard case .sync(.network(.cut)) = broken else {
          Issue.record("cut after \(bytes): \(String(describing: broken))")
          continue
        }
        let (book, _) = try join(place, invitation)
        #expect(try Self.names(book) == ["Home"])
        #expect(try book.standing() == .admitted)
      }
      #expect(try inviter.devices().allSatisfy { $0.standing != .waiting })
    }
    #expect(failures.allSatisfy { $0.contains("cut") }, "\(failures)")
  }

  @Test func `a device whose name is taken gets another one`() async throws {
    let office = Office(seed: 907, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      for number in 2...3 {
        let (book, _) = try join(
          try office.place("place \(number)"), try inviter.invite().invitation, as: "one")
        #expect(try book.devices().first(where: \.isThis)?.name == "one \(number)")
      }
      #expect(try inviter.contacts().map(\.name) == ["one 2", "one 3"])
    }
  }

  @Test func `who was taken out does not come back by an invitation`() async throws {
    let office = Office(seed: 908, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      _ = try join(try office.place("two"), try inviter.invite().invitation)
      _ = try inviter.revoke(try inviter.device(called: "two"))
      let invitation = try inviter.invite().invitation
      let code = turned { () throws(DaybookError) in
        _ = try join(office.somebody("two"), invitation)
      }
      #expect(code == .atTheDoor)
      #expect(try inviter.devices().map(\.standing) == [.founder, .revoked])
    }
  }

  @Test func `a device that waits is admitted by an invitation, and one that waits invites nobody`()
    async throws
  {
    let office = Office(seed: 909, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      _ = try inviter.sync(with: Office.directory)
      let two = try office.join("two")
      try Self.add("Mine", to: two)
      #expect(throws: DaybookError.self) { try two.invite(at: Endpoint("here:1")) }
      let (joined, _) = try join(try office.place("two"), try inviter.invite().invitation)
      #expect(try joined.standing() == .admitted)
      #expect(try Self.names(inviter) == ["Mine"])
    }
  }

  @Test func `the address of another machine is not that of the one that invited`() async throws {
    let office = Office(seed: 911, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    _ = try office.found("other")
    let failures = try await serving(office, "other") { other in
      let invitation = try one.invite(at: other.served()).invitation
      let wrong = #expect(throws: DaybookError.self) {
        try join(try office.place("two"), invitation)
      }
      guard case .sync(.tls(.unknownKey)) = wrong else {
        Issue.record("\(String(describing: wrong))")
        return
      }
    }
    #expect(failures.count == 1)
  }

  @Test func `who is not known and shows nothing is told nothing`() async throws {
    let office = Office(seed: 912, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    _ = try await serving(office, "one") { inviter in
      let endpoint = try inviter.invite().invitation.endpoint
      let peer = PeerAddress.tcp(host: endpoint.host, port: endpoint.port)
      let place = try office.place("two")
      let code = turned { () throws(DaybookError) in
        _ = try Book.join(
          at: Office.folder, from: peer, on: place.machine, deviceName: "two", pin: .anyone,
          view: .memory, confirm: { _ in true })
      }
      #expect(code == .inWords(.notInvited))
    }
  }

  @Test func `where the book is served is told only as long as it is`() async throws {
    let office = Office(seed: 910, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    let nowhere = #expect(throws: DaybookError.self) { try one.invite() }
    guard case .notServed = nowhere else {
      Issue.record("\(String(describing: nowhere))")
      return
    }
    _ = try await serving(office, "one") { _ in
      let served = try one.served()
      #expect(served?.host == "127.0.0.1")
      #expect(try one.invite().invitation.endpoint == served)
    }
    #expect(try one.served() == nil)
    // What a server that crashed has left tells nothing.
    let file = Office.folder / "serving"
    try one.machine.disk.replace(file, with: Array("12\n127.0.0.1:7\n".utf8))
    #expect(try one.served() == nil)
    let elsewhere: Endpoint = try #require(Endpoint("laptop.local:7"))
    #expect(try one.invite(at: elsewhere).invitation.endpoint == elsewhere)
    // Everywhere is nowhere to dial.
    let anywhere: Endpoint = try #require(Endpoint("0.0.0.0:7"))
    let everywhere = try one.invite(at: anywhere)
    let all = [everywhere.invitation.endpoint] + everywhere.alternatives
    #expect(all.allSatisfy { !$0.isEverywhere && $0.port == 7 && !$0.host.contains(":") })
  }
}

extension Office {
  /// A place that is there, as a call of a typed closure needs it.
  fileprivate func somebody(_ name: String) -> Place {
    guard let place = try? place(name) else { preconditionFailure("a place can be made") }
    return place
  }
}
