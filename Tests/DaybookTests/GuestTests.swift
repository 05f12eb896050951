import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import TestDice
import Testing

@testable import Daybook

/// One book in several sessions at once.
struct GuestTests {
  /// A session between two books that stay connected.
  private struct Session {
    var dialler: Conversation
    var listener: Conversation

    init(_ left: Book, _ right: Book) throws {
      let clock = left.machine.timekeeper
      func side(_ role: Syncing.Session.Role, _ book: Book, _ other: Book) throws -> Conversation {
        Conversation(
          role,
          holder: BookReplica(
            of: book.replica, with: try other.core.localDevice.identity.publicKey),
          timekeeper: clock, peerKey: try other.core.localDevice.identity.publicKey, stays: true)
      }
      dialler = try side(.dialler, left, right)
      listener = try side(.listener, right, left)
      dialler.start()
    }

    /// Exchanges a little, and returns whether anything was sent.
    mutating func step() -> Bool {
      let (there, back) = (dialler.outgoing(upTo: 700), listener.outgoing(upTo: 700))
      if !there.isEmpty { listener.receive(there) }
      if !back.isEmpty { dialler.receive(back) }
      return !there.isEmpty || !back.isEmpty
    }

    var isSettled: Bool { dialler.state == .settled && listener.state == .settled }
  }

  @Test func `Sessions: a book syncs with two others at once and passes news between them`() throws
  {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 2101)
    for book in books { try TrustingTests.add("of \(book.replica.hello.replica.hex)", to: book) }
    var left = try Session(books[1], books[0])
    var right = try Session(books[2], books[0])
    func syncOutcome() {
      // Both sessions must take a step each time.
      while [left.step(), right.step()].contains(true) {}
    }
    syncOutcome()
    #expect(left.isSettled && right.isSettled)
    left.listener.announceNews()
    right.listener.announceNews()
    syncOutcome()
    #expect(left.isSettled && right.isSettled)
    let names = try TrustingTests.names(books[0])
    #expect(names.count == 6)
    #expect(try TrustingTests.names(books[1]) == names)
    #expect(try TrustingTests.names(books[2]) == names)
    // A new event reaches all books through the book in the middle.
    try TrustingTests.add("news", to: books[1])
    left.dialler.announceNews()
    syncOutcome()
    right.listener.announceNews()
    syncOutcome()
    #expect(left.isSettled && right.isSettled)
    #expect(try TrustingTests.names(books[2]).contains("news"))
    #expect(left.listener.report.sent[books[1].replica.hello.replica] == nil)
  }

  @Test func `Sessions: other processes can write between the steps of a session`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2102)
    try TrustingTests.add("of two", to: books[1])
    var session = try Session(books[1], books[0])
    while session.step() {
      // Another process writes between any two steps.
      let other = try office.places[0].open()
      _ = try other.access.withLock { () throws(DaybookError) in other.id }
    }
    #expect(session.isSettled)
    #expect(try TrustingTests.names(books[0]).contains("of two"))
  }

  @Test func `Sessions: logs that cannot be stored leave the lock free`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2103)
    try TrustingTests.add("of two", to: books[1])
    let frame = try #require(try Self.frames(of: books[1]).last)
    let guest = BookReplica(of: books[0].replica)
    var dice = TestDice::Dice(seed: 1)
    func take(_ count: Int) throws(SyncError) -> [SyncProblem] {
      var intake = Intake(guest)
      for _ in 0..<count { try intake.take(frame, of: dice.id()) }
      try intake.commit()
      return intake.problems
    }
    func isFree() -> Bool {
      (try? office.places[0].open().access.withLock { () throws(DaybookError) in true }) ?? false
    }
    #expect(try take(1_000).count == 1_000)
    #expect(isFree())
    // More logs than any book has end the session.
    #expect(throws: SyncError.self) { try take(Syncing.Limit.frontierPlaces + 1) }
    guest.end()
    #expect(isFree())
  }

  @Test func `Sessions: logs that follow an unusable one are stored`() throws {
    let (_, books) = try TrustingTests.office("one", "two", seed: 2104)
    try TrustingTests.add("of two", to: books[1])
    let frames = try Self.frames(of: books[1])
    var intake = Intake(BookReplica(of: books[0].replica))
    let stranger = UniqueID(high: 1, low: 1)
    for frame in frames { try intake.take(frame, of: stranger) }
    for frame in frames { try intake.take(frame, of: books[1].replica.hello.replica) }
    try intake.commit()
    #expect(intake.problems.count == 1)
    #expect(try TrustingTests.names(books[0]).contains("of two"))
  }

  /// Writes in another process without flushing, as if that process died before it could.
  private static func addUnflushed(_ name: String, at place: Office.Place) throws {
    let other = try place.open()
    place.simulated.disk.lie { _ in true }
    try TrustingTests.add(name, to: other)
    place.simulated.disk.clearWeather()
    // A process that dies has also not recorded that all files are durable.
    let lock = try OpenFile(other.layout.lock, .write, on: place.simulated.disk)
    try lock.truncate(to: 0)
  }

  private static func namesAfterPowerCut(at place: Office.Place) throws -> [String] {
    place.simulated.disk.crash()
    return try TrustingTests.names(place.open())
  }

  @Test func `Sessions: events of another process are flushed before they are sent`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2105)
    try books[0].settler.prepareToSync()
    try Self.addUnflushed("unflushed", at: office.places[0])
    #expect(try TrustingTests.names(books[0]).contains("unflushed"))
    let sent = try Self.frames(of: books[0])
    let own = try #require(books[0].core.store.journal.logs[books[0].replica.hello.replica])
    #expect(sent.last.flatMap { FrameLabel($0.span, at: 0)?.events.upperBound } == own.sequence)
    #expect(try Self.namesAfterPowerCut(at: office.places[0]).contains("unflushed"))
  }

  @Test func `Sessions: events that another process writes meanwhile become durable`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2106)
    try books[0].settler.prepareToSync()
    try Self.addUnflushed("unflushed", at: office.places[0])
    try books[0].settler.settleAfterSync()
    #expect(try TrustingTests.names(books[0]).contains("unflushed"))
    #expect(try Self.namesAfterPowerCut(at: office.places[0]).contains("unflushed"))
  }

  private static func frames(of book: Book) throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    let replica = book.replica.hello.replica
    try BookReplica(of: book.replica).forEachFrame(
      of: replica,
      lackedBy: [
        Place(
          log: replica, sequence: 1,
          hash: try #require(try book.core.store.chainHash(of: replica, at: 1)))
      ]
    ) { frames.append($0) }
    return frames
  }
}
