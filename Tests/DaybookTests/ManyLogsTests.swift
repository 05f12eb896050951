import Bytes
import Crypto
import Domain
import Journaling
import ReadModel
import Testing
import Verifying

@testable import Daybook

/// A device with any number of logs can neither block commands of others nor escape a revocation.
struct ManyLogsTests {
  /// The *seen* entries of a book's own log: the number of observe events, of all entries, and the maximum in one
  /// event.
  private struct Named: Equatable {
    var observations = 0
    var entries = 0
    var most = 0

    init(by book: Book) throws {
      let own = try #require(try book.core.localDevice.ownLog)
      try book.core.store.forEachFrame(of: own) { frame, events in
        for event in events {
          if event.verb == JournalVerb.observe.rawValue { observations += 1 }
          guard let header = try? frame.header(of: event) else { continue }
          entries += header.seen.count
          most = max(most, header.seen.count)
        }
      }
    }
  }

  /// Two books; the first has received many logs of one device, each with a to-do.
  private func flooded(
    _ count: Int, branches: Int = 1, title: String? = "spam", seed: UInt64
  ) throws -> (books: [Book], flood: Flood) {
    let (_, books) = try TrustingTests.office("one", "two", seed: seed)
    var flood = try Flood()
    try flood.begin(count, branches: branches, title: title)
    try flood.admit(into: books[0])
    // Raise the quota, because this test is about the effects of many logs.
    try books[0].admin.setQuota(
      Quota(logs: 10_000, events: 100_000, bytes: 1 << 30), of: try flood.device(in: books[0]))
    #expect(try flood.send(to: books[0]) == [])
    return (books, flood)
  }

  @Test func `Seen: 1,100 logs are named once each, in as many events as needed`() throws {
    let (books, _) = try flooded(1_100, seed: 5_301)
    let before = try Named(by: books[0])
    try TrustingTests.add("first", to: books[0])
    let after = try Named(by: books[0])
    #expect(after.observations == 2)
    #expect(after.entries - before.entries == 1_100)
    #expect(after.most == Limit.seenEntries)
    try TrustingTests.add("second", to: books[0])
    #expect(try Named(by: books[0]) == after)
    let digest = try books[0].statusReader.digest()
    try books[0].core.projector.rebuild()
    #expect(try books[0].statusReader.digest() == digest)
    #expect(try books[0].verifier.verify().faults == [])
    #expect(try books[0].statusReader.status().newer == Status.Newer(records: 0, events: 0))
  }

  @Test func `Seen: edits of records in logs named earlier win without conflict`() throws {
    let (books, _) = try flooded(1_100, seed: 5_302)
    let todos = try books[0].view().todos.todos()
    #expect(todos.count == 1_100)
    for todo in [todos[0], todos[1_099]] {
      _ = try books[0].commands.perform(
        .edit(todo.head.id, [Request.Assignment(Field.Todo.title, .value(.text("mine")))]))
    }
    #expect(try books[0].view().todos.todos().count { $0.title == "mine" } == 2)
    #expect(try books[0].conflictReader.conflicts().isEmpty)
  }

  @Test func `Seen: the branches of a few logs are named like separate logs`() throws {
    let (books, _) = try flooded(18, branches: 60, seed: 5_303)
    #expect(books[0].core.store.journal.logs.count > Limit.seenEntries)
    try TrustingTests.add("after", to: books[0])
    #expect(try Named(by: books[0]).observations == 2)
  }

  @Test func `Revocation: one command revokes a device with 1,100 logs`() throws {
    for title in [nil, "spam"] {
      let (books, flood) = try flooded(1_100, title: title, seed: title == nil ? 5_304 : 5_305)
      let revocation = try books[0].revoker.revoke(try flood.device(in: books[0]))
      #expect(revocation.kept == (title == nil ? 0 : 2_200))
      try TrustingTests.add("after", to: books[0])
      #expect(try TrustingTests.names(books[0]).contains("after"))
      #expect(try flood.device(in: books[0]).standing == .revoked)
    }
  }

  @Test func `Seen: a log beyond the table's limit is skipped, and naming it fails`() throws {
    var eventEncoder = EventEncoder(log: .none, number: 0, next: 2)
    let beyond = UInt32(Limit.tableEntries) + 1
    let introduced = (1...beyond).map { eventEncoder.introduce($0) }
    #expect(introduced.count { $0 } == Limit.tableEntries)
    #expect(introduced.last == false)
    #expect(try eventEncoder.reference(EventKey(log: 7, sequence: 3)).index == 6)
    guard
      case .tooManyLogs? = TrustingTests.refusal({
        _ = try eventEncoder.reference(EventKey(log: beyond, sequence: 3))
      })
    else {
      Issue.record("it was named")
      return
    }
  }
}
