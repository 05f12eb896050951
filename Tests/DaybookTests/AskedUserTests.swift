import Bytes
import Crypto
import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Syncing
import Testing

/// Servers that ask their user before they admit an invited device.
@Suite(.timeLimit(.minutes(1)))
struct AskedUserTests {
  /// A device that joins on its own thread, and the result.
  private final class Joiner: Sendable {
    private let results = AsyncStream<Meet.Turned?>.makeStream()
    private let words = Mutex<[String]>([])

    init(
      _ place: Office.Place, _ invitation: Invitation, over network: any Network = PosixNetwork()
    ) {
      let (own, name) = (place.machine, place.name)
      let machine = Machine(
        disk: own.disk, timekeeper: own.timekeeper, dice: own.dice, network: network)
      let thread = Thread { [self] in
        let turned = Meet.turned { () throws(DaybookError) in
          _ = try BookFactory.join(
            at: Office.folder, by: invitation, on: machine, deviceName: name, view: .memory,
            asked: { key in words.withLock { $0 = key.fingerprint } }, confirm: { _ in true })
        }
        results.continuation.yield(turned)
      }
      thread.stackSize = 8 << 20
      thread.start()
    }

    /// Waits for the end, and returns why the device was refused; nil if it was admitted.
    func end() async throws -> Meet.Turned? {
      for await result in results.stream { return result }
      throw CancellationError()
    }

    /// The words of its own key that the device was asked to show.
    var shownWords: [String] { words.withLock { $0 } }
  }

  private static func next(
    _ stream: (stream: AsyncStream<PendingDevice>, AsyncStream<PendingDevice>.Continuation)
  ) async throws -> PendingDevice {
    for await pendingDevice in stream.stream { return pendingDevice }
    throw CancellationError()
  }

  @Test func `Invitation: the user sees the joiner's name and words and admits it`() async throws {
    let office = Office(seed: 931, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    let user = Server.User()
    let failures = try await Meet.serving(office, "one", user: user) { inviter, server in
      let invitation = try inviter.invitations.invite().invitation
      let joiner = Joiner(try office.place("two"), invitation)
      let pendingDevice = try await Self.next(user.asked)
      // Nothing is written before the answer.
      #expect(try inviter.deviceList.devices().map(\.name) == ["one"])
      user.say(true)
      #expect(try await joiner.end() == nil)
      try await server.hasMet()
      let device = try #require(try inviter.deviceList.devices().first { $0.name == "two" })
      #expect(device.standing == .admitted)
      #expect(pendingDevice.name == "two")
      #expect(pendingDevice.words == device.fingerprint)
      #expect(joiner.shownWords == device.fingerprint)
      // The user is not asked again about a device that already takes part.
      let again = Joiner(try office.place("two"), try inviter.invitations.invite().invitation)
      #expect(try await again.end() == nil)
    }
    #expect(failures == [])
  }

  @Test func `Invitation: declining a device changes nothing and ends the invitation`()
    async throws
  {
    let office = Office(seed: 932, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    let user = Server.User()
    let failures = try await Meet.serving(office, "one", user: user) { inviter, _ in
      let (invitation, other) = (
        try inviter.invitations.invite().invitation, try inviter.invitations.invite().invitation
      )
      let joiner = Joiner(try office.place("two"), invitation)
      _ = try await Self.next(user.asked)
      user.say(false)
      #expect(try await joiner.end() == .inWords(.declined))
      #expect(try inviter.deviceList.devices().map(\.name) == ["one"])
      // The invitation has ended, so the user is not asked again.
      let again = Joiner(try office.place("three"), invitation)
      #expect(try await again.end() == .inWords(.declined))
      // Another invitation is still valid, even for the declined device.
      let welcome = Joiner(try office.place("two"), other)
      _ = try await Self.next(user.asked)
      user.say(true)
      #expect(try await welcome.end() == nil)
    }
    #expect(failures.count { $0.contains("declined") } == 2)
  }

  @Test func `Invitation: while the user decides, members sync and a second joiner waits`()
    async throws
  {
    let office = Office(seed: 933, timekeeper: SystemTimekeeper())
    let one = try office.found("one")
    try office.exchange()
    let member = try office.join("four")
    try office.exchange()
    let user = Server.User()
    let failures = try await Meet.serving(office, "one", user: user) { inviter, _ in
      let invitation = try inviter.invitations.invite().invitation
      let first = Joiner(try office.place("two"), invitation)
      #expect(try await Self.next(user.asked).name == "two")
      let second = Joiner(try office.place("three"), invitation)
      // A device of the book syncs meanwhile.
      try Meet.add("Home", to: one)
      let place = PeerAddress(invitation.address)
      _ = try member.replicator.sync(with: place)
      user.say(true)
      #expect(try await first.end() == nil)
      // The only invitation is used, so the user need not be asked about the second device.
      #expect(try await second.end() == .inWords(.usedInvitation))
    }
    #expect(failures.count { $0.contains("usedInvitation") } == 1)
  }

  @Test func `Invitation: it stays open when a joiner hangs up, and the question is withdrawn`()
    async throws
  {
    let office = Office(seed: 934, timekeeper: SystemTimekeeper())
    _ = try office.found("one")
    let user = Server.User()
    _ = try await Meet.serving(office, "one", user: user) { inviter, _ in
      let invitation = try inviter.invitations.invite().invitation
      let network = Listened()
      _ = Joiner(try office.place("two"), invitation, over: network)
      #expect(try await Self.next(user.asked).name == "two")
      network.hangUp()
      #expect(try await Self.next(user.withdrawn).name == "two")
      let again = Joiner(try office.place("three"), invitation)
      #expect(try await Self.next(user.asked).name == "three")
      user.say(true)
      #expect(try await again.end() == nil)
    }
  }

  /// A network whose lines a test can break.
  private final class Listened: Network {
    private let lines = Mutex<[any Line]>([])

    func hangUp() { for line in lines.withLock({ $0 }) { line.close() } }

    func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
      try PosixNetwork().listen(host: host, port: port)
    }

    func poller() throws(NetworkError) -> any Poller { try PosixNetwork().poller() }

    func dial(
      host: String, port: UInt16, patienceMilliseconds: Int
    ) throws(NetworkError) -> any Line {
      let line = try PosixNetwork().dial(
        host: host, port: port, patienceMilliseconds: patienceMilliseconds)
      lines.withLock { $0.append(line) }
      return line
    }
  }
}
