import Bytes
import Crypto
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// One book in several sessions.
struct GuestTests {
  /// A session between two books that stay.
  private struct Session {
    var dialler: Conversation
    var listener: Conversation

    init(_ left: Book, _ right: Book) throws {
      let clock = left.machine.timekeeper
      func side(_ role: Syncing.Session.Role, _ book: Book, _ other: Book) throws -> Conversation {
        Conversation(
          role, holder: BookGuest(of: book, with: try other.identity.publicKey),
          timekeeper: clock, peerKey: try other.identity.publicKey, stays: true)
      }
      dialler = try side(.dialler, left, right)
      listener = try side(.listener, right, left)
      dialler.start()
    }

    /// Lets each say a little, and tells whether anything was said.
    mutating func step() -> Bool {
      let (there, back) = (dialler.outgoing(upTo: 700), listener.outgoing(upTo: 700))
      if !there.isEmpty { listener.receive(there) }
      if !back.isEmpty { dialler.receive(back) }
      return !there.isEmpty || !back.isEmpty
    }

    var isSettled: Bool { dialler.state == .settled && listener.state == .settled }
  }

  @Test func `a book talks with two others at once, and tells each what the other said`() throws {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 2101)
    for book in books { try TrustingTests.add("of \(book.hello.replica.hex)", to: book) }
    var left = try Session(books[1], books[0])
    var right = try Session(books[2], books[0])
    func talk() {
      // Both sides of the `or` are to happen.
      while [left.step(), right.step()].contains(true) {}
    }
    talk()
    #expect(left.isSettled && right.isSettled)
    left.listener.announceNews()
    right.listener.announceNews()
    talk()
    #expect(left.isSettled && right.isSettled)
    let names = try TrustingTests.names(books[0])
    #expect(names.count == 6)
    #expect(try TrustingTests.names(books[1]) == names)
    #expect(try TrustingTests.names(books[2]) == names)
    // What is written now goes to all, over the one in the middle.
    try TrustingTests.add("news", to: books[1])
    left.dialler.announceNews()
    talk()
    right.listener.announceNews()
    talk()
    #expect(left.isSettled && right.isSettled)
    #expect(try TrustingTests.names(books[2]).contains("news"))
    #expect(left.listener.report.sent[books[1].hello.replica] == nil)
  }

  @Test func `a commit holds the lock no longer than it lasts`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 2102)
    try TrustingTests.add("of two", to: books[1])
    var session = try Session(books[1], books[0])
    while session.step() {
      // Another process writes between any two steps.
      let other = try office.places[0].open()
      _ = try other.withLock { () throws(DaybookError) in other.id }
    }
    #expect(session.isSettled)
    #expect(try TrustingTests.names(books[0]).contains("of two"))
  }
}
