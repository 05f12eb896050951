import Bytes
import Dispatch
import Foundation
import Journaling
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization
import Testing

@testable import Crypto
@testable import Syncing

/// Lines on which both sides have proved their keys.
struct SecureLineTests {
  static func identity(_ seed: UInt8) throws -> TLSIdentity {
    try TLSIdentity(SigningKey(seed: [UInt8](repeating: seed, count: 32)))
  }

  /// An identity whose range of versions is empty, so no handshake can start with it.
  static func speechless(_ seed: UInt8) throws -> TLSIdentity {
    var settings = TLSSettings()
    (settings.lowestVersion, settings.highestVersion) = (0x0304, 0x0303)
    let key = try SigningKey(seed: [UInt8](repeating: seed, count: 32))
    return try TLSIdentity(key, settings: settings)
  }

  /// Both ends of a line in memory, with TLS over it.
  struct Wire {
    let plain: LinePeerTests.Wire
    let client: SecureLine
    let server: SecureLine

    init(
      pin: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
      allowedPeers: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
      mostReceived: Int = .max
    ) throws {
      plain = try LinePeerTests.Wire()
      let clock = plain.machine.timekeeper
      client = try SecureLine(
        .client, over: NarrowLine(plain.dialler, most: mostReceived), as: identity(1),
        timekeeper: clock, admits: pin)
      server = try SecureLine(
        .server, over: plain.listener, as: identity(2), timekeeper: clock, admits: allowedPeers)
    }

    /// Advances both ends until each has finished its handshake.
    func shakeHands() throws(SyncError) {
      var isOver = false
      while !isOver {
        let left = try client.shakeHands(patienceMilliseconds: 0)
        let right = try server.shakeHands(patienceMilliseconds: 0)
        isOver = left && right
      }
    }
  }

  @Test func `Secure line: each end knows the other's key, and a sync completes`() throws {
    let wire = try Wire()
    #expect(wire.client.peerKey == nil)
    try wire.shakeHands()
    #expect(try wire.client.peerKey == Self.identity(2).publicKey)
    #expect(try wire.server.peerKey == Self.identity(1).publicKey)
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    let clock = wire.plain.machine.timekeeper
    var dialler = LinePeer(.dialler, over: wire.client, holder: anna, timekeeper: clock)
    var listener = LinePeer(.listener, over: wire.server, holder: bert, timekeeper: clock)
    try LinePeerTests.run(&dialler, &listener)
    #expect(SessionTests.contents(anna) == SessionTests.united)
    #expect(SessionTests.contents(bert) == SessionTests.united)
  }

  @Test func `Secure line: data longer than a record arrives whole, in portions`() throws {
    let wire = try Wire()
    try wire.shakeHands()
    let text = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try wire.client.send(text, patienceMilliseconds: 0)
    wire.client.close()
    var heard: [UInt8] = []
    while true {
      let part = try wire.server.receive(upTo: 1_000, patienceMilliseconds: 0)
      #expect(part.count <= 1_000)
      if part.isEmpty { break }
      heard += part
    }
    #expect(heard == text)
  }

  @Test func `Secure line: a rejected client gets an alert, and both lines are closed`() throws {
    let wire = try Wire(allowedPeers: { _ in false })
    let key = try Self.identity(1).publicKey
    #expect(throws: SyncError.tls(.unknownKey(key))) { try wire.shakeHands() }
    // Up to this point, the client had no reason to expect a failure.
    #expect(try wire.client.shakeHands(patienceMilliseconds: 0))
    #expect(throws: NetworkError.cut) {
      try wire.client.receive(upTo: 1, patienceMilliseconds: 0)
    }
    #expect(wire.client.fault == .refused(alert: 48))
    #expect(throws: NetworkError.cut) {
      try wire.plain.listener.receive(upTo: 1, patienceMilliseconds: 0)
    }
  }

  @Test func `Secure line: an end that cannot start a handshake fails and closes the line`() throws
  {
    let plain = try LinePeerTests.Wire()
    #expect(throws: SyncError.tls(.otherVersion)) {
      try SecureLine.open(
        .client, over: plain.dialler, as: Self.speechless(1), timekeeper: plain.machine.timekeeper
      ) { _ in true }
    }
    #expect(try plain.listener.receive(upTo: 1, patienceMilliseconds: 0) == [])
  }

  @Test func `Secure line: an end with a close notify is normal, and an end without it is a cut`()
    throws
  {
    let cut = try Wire()
    try cut.shakeHands()
    cut.plain.dialler.close()
    #expect(throws: NetworkError.cut) {
      try cut.server.receive(upTo: 1, patienceMilliseconds: 0)
    }
    #expect(cut.server.fault == .cut)
    let ended = try Wire()
    try ended.shakeHands()
    ended.client.close()
    #expect(try ended.server.receive(upTo: 1, patienceMilliseconds: 0) == [])
    #expect(ended.server.fault == nil)
  }

  @Test
  func `Secure line: bytes sent before the peer closed arrive, although none can be sent to it`()
    throws
  {
    let wire = try Wire(mostReceived: 100)
    try wire.shakeHands()
    let text = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try wire.server.send(text, patienceMilliseconds: 0)
    wire.server.close()
    #expect(throws: NetworkError.cut) { try wire.client.offer([1]) }
    var heard: [UInt8] = []
    while let part = try? wire.client.receive(upTo: 1_000, patienceMilliseconds: 0), !part.isEmpty {
      heard += part
    }
    #expect(heard == text)
  }

  @Test func `Secure line: an alert is the reason even if the handshake cannot be continued`()
    throws
  {
    let plain = try LinePeerTests.Wire()
    try plain.listener.send([0x15, 3, 3, 0, 2, 2, 48], patienceMilliseconds: 0)
    plain.listener.close()
    #expect(throws: SyncError.tls(.refused(alert: 48))) {
      try SecureLine.open(
        .client, over: plain.dialler, as: Self.identity(1), timekeeper: plain.machine.timekeeper
      ) { _ in true }
    }
  }

  @Test func `Secure line: after an invalid record, nothing more is sent`() throws {
    let wire = try Wire()
    try wire.shakeHands()
    // A correctly framed record that no peer has encrypted.
    let nonsense: [UInt8] = [0x17, 3, 3, 0, 20] + [UInt8](repeating: 7, count: 20)
    try wire.plain.listener.send(nonsense, patienceMilliseconds: 0)
    #expect(throws: NetworkError.cut) {
      try wire.client.receive(upTo: 10, patienceMilliseconds: 0)
    }
    #expect(throws: NetworkError.cut) { try wire.client.offer([1]) }
  }

  @Test func `Secure line: silent and slow peers time out`() throws {
    let wire = try Wire()
    #expect(try !wire.server.shakeHands(patienceMilliseconds: 0))
    try wire.shakeHands()
    #expect(throws: NetworkError.timedOut) {
      try wire.server.receive(upTo: 1, patienceMilliseconds: 0)
    }
    // A record that is announced but never completed. Each of its bytes takes a second.
    try wire.plain.dialler.send([23, 3, 3, 0x10, 0], patienceMilliseconds: 0)
    let dripping = DrippingLine(wire.plain.listener, wire.plain.machine.timekeeper)
    let slow = try SecureLine(
      .server, over: dripping, as: Self.identity(2), timekeeper: wire.plain.machine.timekeeper
    ) { _ in true }
    #expect(try !slow.shakeHands(patienceMilliseconds: 10_000))
    #expect((10...12).contains(dripping.drops))
    let again = DrippingLine(wire.plain.listener, wire.plain.machine.timekeeper)
    #expect(throws: SyncError.tooSlow) {
      try SecureLine.open(
        .server, over: again, as: Self.identity(2),
        timekeeper: wire.plain.machine.timekeeper
      ) { _ in true }
    }
  }

  /// Work on a separate thread, with a method `finish` that waits for it and rethrows its error.
  private final class Errand: Sendable {
    private let outcome = Mutex<Result<Void, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Void) {
      Thread.detachNewThread { [self] in
        let result = Result { try body() }
        outcome.withLock { $0 = result }
        isDone.signal()
      }
    }

    func finish() throws {
      isDone.wait()
      try outcome.withLock { $0 }?.get()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Secure line: both ends send more than any buffer holds`() throws {
    let machine = Machine.system
    let door = try machine.network.listen(host: "127.0.0.1", port: 0)
    defer { door.close() }
    let clock = machine.timekeeper
    let served = Mutex<SecureLine?>(nil)
    let listening = Errand {
      let line = try #require(try door.accept(patienceMilliseconds: 10_000))
      let secure = try SecureLine.open(
        .server, over: line, as: Self.identity(2), timekeeper: clock
      ) { _ in true }
      served.withLock { $0 = secure }
    }
    let client = try SecureLine.open(
      .client,
      over: machine.network.dial(
        host: "127.0.0.1", port: door.port, patienceMilliseconds: 10_000),
      as: Self.identity(1), timekeeper: clock
    ) { _ in true }
    try listening.finish()
    let server = try #require(served.withLock { $0 })
    let text = [UInt8](repeating: 5, count: 16 << 20)
    let errands = [client, server].flatMap { line in
      [
        Errand { try line.send(text, patienceMilliseconds: 20_000) },
        Errand {
          var left = text.count
          while left > 0 {
            left -= try line.receive(upTo: 100_000, patienceMilliseconds: 20_000).count
          }
        },
      ]
    }
    for errand in errands { try errand.finish() }
  }

  @Test func `Session: a hello must name a replica of the proved device key`() throws {
    let key = try Self.identity(1).publicKey
    let incarnation = UniqueID.anna
    let own = UniqueID.replica(publicKey: key, incarnation: incarnation)
    func verdict(_ replica: UniqueID, _ incarnation: UniqueID) -> SyncError? {
      var session = Session(
        .listener,
        hello: Hello(book: .book, replica: .bert, frontier: .nothing), peerKey: key)
      let hello = Hello(
        book: .book, replica: replica, frontier: .nothing, incarnation: incarnation)
      session.receive(Message.hello(hello).encoded)
      for case .fail(let error) in session.next() ?? [] { return error }
      return nil
    }
    #expect(verdict(own, incarnation) == nil)
    #expect(verdict(own, .bert) == .otherReplica(own))
    #expect(verdict(.anna, incarnation) == .otherReplica(.anna))
    // A device that has no log yet has the replica id of all zeros.
    let nobody = UniqueID(high: 0, low: 0)
    #expect(verdict(nobody, nobody) == nil)
  }
}

/// A line that delivers few bytes at once.
private final class NarrowLine: Line {
  private let line: any Line
  private let most: Int
  var peer: String { line.peer }

  init(_ line: any Line, most: Int) { (self.line, self.most) = (line, most) }

  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
    try line.receive(upTo: min(count, most), patienceMilliseconds: patienceMilliseconds)
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try line.send(bytes, patienceMilliseconds: patienceMilliseconds)
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int { try line.offer(bytes) }

  func close() { line.close() }
}

/// A line that delivers one byte each second.
private final class DrippingLine: Line {
  private let line: any Line
  private let clock: SimulatedTimekeeper
  private let count = Mutex(0)
  var peer: String { line.peer }
  var drops: Int { count.withLock { $0 } }

  init(_ line: any Line, _ clock: SimulatedTimekeeper) { (self.line, self.clock) = (line, clock) }

  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
    clock.advance(milliseconds: 1_000)
    let drop = self.count.withLock { count in
      count += 1
      return count
    }
    // The first bytes announce a hello of 256 bytes.
    return [drop == 1 ? 22 : drop == 2 ? 3 : drop <= 4 ? 1 : 0]
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {}

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int { bytes.count }

  func close() {}
}
