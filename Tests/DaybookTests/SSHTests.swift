import Crypto
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

@testable import Daybook

/// Syncs with a machine that the program `ssh` connects to.
struct SSHTests {
  private let command = ["ssh", "--", "ada@desk", "daybook", "serve", "--stdio"]

  private func sync(_ pair: SSHPair, _ name: String, pin: Pin? = nil) throws -> Receipt {
    try pair.book(name).replicator.sync(with: try #require(SSHPair.peer), pin: pin)
  }

  /// The error of a sync.
  private func error(_ pair: SSHPair, _ name: String) throws -> DaybookError? {
    let (book, peer) = (try pair.book(name), try #require(SSHPair.peer))
    do throws(DaybookError) { _ = try book.replicator.sync(with: peer) } catch { return error }
    return nil
  }

  private func expectAgreement(_ pair: SSHPair, _ names: [String], on lists: [String]) throws {
    let books = try names.map(pair.book)
    for book in books { #expect(try TrustingTests.names(book) == lists) }
    #expect(Set(try books.map { try $0.statusReader.digest() }).count == 1)
  }

  @Test func `SSH: two devices exchange their events in one session`() throws {
    let pair = try SSHPair(seed: 1_001, "two")
    try TrustingTests.add("by one", to: pair.book("one"))
    try TrustingTests.add("by two", to: pair.book("two"))
    let receipt = try sync(pair, "two")
    #expect(receipt.sent.map(\.events) == [1])
    #expect(receipt.received.map(\.events) == [1])
    #expect(pair.takeCommands() == [command])
    try expectAgreement(pair, ["one", "two"], on: ["by one", "by two"])
  }

  @Test func `SSH: an invited device joins, and each remembers the other`() throws {
    let pair = try SSHPair(seed: 1_002)
    try TrustingTests.add("Home", to: pair.book("one"))
    let inviter = try pair.book("one")
    let address = try #require(SSHPair.address)
    let invited = try inviter.invitations.invite(at: .ssh(address))
    #expect(invited.alternatives == [])
    let invitation = try Invitation(parsing: invited.invitation.text)
    #expect(invitation == invited.invitation)
    let (two, receipt) = try BookFactory.join(
      at: Office.folder, by: invitation, on: pair.machine("two"), deviceName: "two", view: .memory,
      confirm: { _ in true })
    #expect(receipt.standing == .admitted)
    #expect(pair.takeCommands() == [command])
    let known = try #require(try two.contactBook.contacts().first)
    #expect([known.name, known.address.map { "\($0)" }] == ["one", SSHPair.peer.map { "\($0)" }])
    #expect(known.key == invitation.key)
    #expect(try pair.book("one").contactBook.contacts().map(\.name) == ["two"])
    #expect(try pair.book("one").contactBook.contacts().map(\.address) == [nil])
    #expect(try sync(pair, "two").sent.isEmpty)
    try expectAgreement(pair, ["one", "two"], on: ["Home"])
    // The invitation is used.
    #expect(throws: DaybookError.self) {
      try BookFactory.join(
        at: Office.folder, by: invitation, on: pair.machine("three"), deviceName: "three",
        view: .memory, confirm: { _ in true })
    }
    #expect(try pair.book("one").deviceList.devices().count == 2)
  }

  @Test func `SSH: a login alone admits no device`() throws {
    let pair = try SSHPair(seed: 1_003)
    let key = try pair.book("one").core.localDevice.shownKey
    let (machine, peer) = (try pair.machine("two"), try #require(SSHPair.peer))
    let turned = Meet.turned { () throws(DaybookError) in
      _ = try BookFactory.join(
        at: Office.folder, from: peer, on: machine, deviceName: "two", pin: .key(key),
        view: .memory, confirm: { _ in true })
    }
    #expect(turned == .atTheDoor)
    #expect(try pair.book("one").deviceList.devices().map(\.name) == ["one"])
  }

  @Test func `SSH: a revoked device is refused, and neither side changes`() throws {
    let pair = try SSHPair(seed: 1_004, "two")
    let one = try pair.book("one")
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    try TrustingTests.add("secret", to: one)
    try TrustingTests.add("too late", to: pair.book("two"))
    #expect(try error(pair, "two")?.isRejectionOfKey == true)
    #expect(try TrustingTests.names(pair.book("two")) == ["too late"])
    #expect(try TrustingTests.names(pair.book("one")) == ["secret"])
  }

  @Test
  func `SSH: another device at the address of a known one is refused, although ssh trusts it`()
    throws
  {
    let pair = try SSHPair(seed: 1_005, "two", "three")
    let (two, peer) = (try pair.book("two"), try #require(SSHPair.peer))
    try two.contactBook.addPeer("desk", at: peer)
    _ = try sync(pair, "two")
    #expect(
      try two.contactBook.contacts().map(\.key) == [pair.book("one").core.localDevice.shownKey])
    pair.serve("three")
    guard case .changedKey(name: "desk", known: _, shown: _)? = try error(pair, "two") else {
      Issue.record("the other device was accepted")
      return
    }
  }

  @Test func `SSH: an unknown device is refused unless the user confirms its key`() throws {
    let pair = try SSHPair(seed: 1_006, "two")
    let stranger = try SSHPair(seed: 1_007)
    let machine = try stranger.machine("one")
    pair.answer { line in RemoteDaybook(.success(machine), line) }
    guard case .sync(.tls(.unknownKey(let key)))? = try error(pair, "two") else {
      Issue.record("the stranger was accepted")
      return
    }
    #expect(key == (try stranger.book("one").core.localDevice.shownKey))
  }

  @Test func `SSH: a session cut after any step loses nothing, and the next one completes it`()
    throws
  {
    for steps in 0..<16 {
      let pair = try SSHPair(seed: 1_100 + UInt64(steps), "two")
      try TrustingTests.add("by one", to: pair.book("one"))
      try TrustingTests.add("by two", to: pair.book("two"))
      let (machine, network) = (try pair.machine("one"), pair.network)
      pair.answer { line in
        CutProgram(RemoteDaybook(.success(machine), line), after: steps, on: network)
      }
      _ = try error(pair, "two")
      pair.serve("one")
      _ = try sync(pair, "two")
      try expectAgreement(pair, ["one", "two"], on: ["by one", "by two"])
    }
  }

  @Test(arguments: [
    (ProgramEnd.exit(code: 255), SSHFault.login), (.exit(code: 127), .noDaybook),
    (.exit(code: 2), .outdated), (.exit(code: 1), .ended(code: 1)),
    (.exit(code: 0), .ended(code: 0)), (.killed, .ended(code: nil)),
  ])
  func `SSH: a command that ends early says why`(end: ProgramEnd, fault: SSHFault) throws {
    let pair = try SSHPair(seed: 1_008, "two")
    pair.answer { _ in EndedProgram(end) }
    #expect(try sshFault(error(pair, "two")) == fault)
  }

  @Test(arguments: ["Welcome to desk!\n", "\u{0}\u{0}\u{0}\u{4}abcd"])
  func `SSH: a greeting before the session is reported`(greeting: String) throws {
    let pair = try SSHPair(seed: 1_009, "two")
    let text = String(repeating: greeting, count: 40)
    pair.answer { line in Greeting(text, line) }
    #expect(try sshFault(error(pair, "two")) == .noise)
  }

  @Test func `SSH: without the program, nothing is dialed`() throws {
    let pair = try SSHPair(seed: 1_010, "two")
    pair.network.install { _, _ in nil }
    guard case .sync(.network(.noProgram("ssh")))? = try error(pair, "two") else {
      Issue.record("there is no program")
      return
    }
  }

  private func sshFault(_ error: DaybookError?) -> SSHFault? {
    guard case .sync(.ssh(let fault, at: "ssh://ada@desk"))? = error else { return nil }
    return fault
  }
}

/// Machines that are followed with `ssh`.
struct SSHFollowTests {
  @Test func `SSH: a followed machine sends new events, and is called again after the line is cut`()
    throws
  {
    let pair = try SSHPair(seed: 1_020, "two")
    let peer = try #require(SSHPair.peer)
    let live = try LiveSync(
      pair.book("two"), admission: .never, letsIn: { _ in false }, tell: { _ in })
    live.follow(Contact(name: "desk", address: peer), at: try #require(peer.machine))
    func turn(_ count: Int) throws {
      for _ in 0..<count {
        try live.turn(patienceMilliseconds: 0)
        pair.pass(milliseconds: 5)
      }
    }
    try turn(40)
    #expect(pair.takeCommands().count == 1)
    try TrustingTests.add("news", to: pair.book("one"))
    try turn(40)
    #expect(try TrustingTests.names(pair.book("two")) == ["news"])
    pair.network.cutLines()
    try turn(40)
    #expect(pair.takeCommands() == [])
    try TrustingTests.add("later", to: pair.book("one"))
    pair.pass(milliseconds: 1_000)
    try turn(40)
    #expect(pair.takeCommands().count == 1)
    #expect(try TrustingTests.names(pair.book("two")) == ["later", "news"])
    live.stop()
  }

  @Test func `SSH: followed machines are logged in to one after another`() throws {
    let pair = try SSHPair(seed: 1_021, "two")
    let live = try LiveSync(
      pair.book("two"), admission: .never, letsIn: { _ in false }, tell: { _ in })
    defer { live.stop() }
    for text in ["ssh://desk", "ssh://cellar"] {
      let machine = try #require(MachineAddress(text))
      live.follow(Contact(name: text, address: PeerAddress(machine)), at: machine)
    }
    pair.answer { _ in WaitingProgram() }
    for _ in 0..<40 { try live.turn(patienceMilliseconds: 0) }
    #expect(pair.takeCommands().map { $0[2] } == ["desk"])
    pair.serve("one")
    pair.network.cutLines()
    for _ in 0..<40 { try live.turn(patienceMilliseconds: 0) }
    #expect(pair.takeCommands().map { $0[2] } == ["cellar"])
    pair.pass(milliseconds: 1_000)
    for _ in 0..<40 { try live.turn(patienceMilliseconds: 0) }
    #expect(pair.takeCommands().map { $0[2] } == ["desk"])
  }
}

/// A program whose line is cut after some steps.
private final class CutProgram: SimulatedProgram {
  private let program: RemoteDaybook
  private let network: SimulatedNetwork
  private let left: Mutex<Int>

  init(_ program: RemoteDaybook, after steps: Int, on network: SimulatedNetwork) {
    (self.program, self.network) = (program, network)
    left = Mutex(steps)
  }

  func advance() -> ProgramEnd? {
    let isOver = left.withLock { left in
      left -= 1
      return left < 0
    }
    guard isOver else { return program.advance() }
    network.cutLines()
    // The daybook there also notices the end of the line.
    _ = program.advance()
    return .exit(code: 255)
  }
}

/// A program that waits for its user.
private struct WaitingProgram: SimulatedProgram {
  func advance() -> ProgramEnd? { nil }
}

/// A program that writes text, and reads nothing.
private struct Greeting: SimulatedProgram {
  let line: SimulatedLine

  init(_ text: String, _ line: SimulatedLine) {
    self.line = line
    _ = try? line.offer(Array(text.utf8)[...])
  }

  func advance() -> ProgramEnd? { nil }
}
