import Bytes
import Domain
import Foundation
import ReadModel
import SQLite
import TestDice
import Testing

/// The incremental state digest, compared with the digest of all facts in a single fold.
@Suite final class DigestTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private var path: String { folder.appending(path: "read.sqlite").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // If this fails, only a temporary folder remains.
    try? FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: [UInt64](200..<240))
  func `State digest: the incremental one equals that of the folded records`(seed: UInt64) throws {
    let book = RandomBook(seed: seed, hasHoles: seed.isMultiple(of: 4), steps: 160)
    // Changes by several commits must be found as well as changes by one.
    try check(book, digestedPercent: 60)
  }

  @Test(arguments: [UInt64](240..<280))
  func
    `State digest: the incremental one equals that of the folded records at each commit of twins`(
      seed: UInt64
    ) throws
  {
    let book = RandomBook(seed: seed, hasHoles: seed.isMultiple(of: 4), hasTwins: true, steps: 60)
    try check(book, digestedPercent: 100)
  }

  /// Commits the events of a book in random batches, and compares the digests after some of them.
  private func check(_ book: RandomBook, digestedPercent: Int) throws {
    var book = book
    let total = book.logs.map(\.count)
    var counts = total.map { _ in 0 }
    var model = try ReadModel(.memory)
    while counts != total {
      var next = counts
      for log in next.indices where book.dice.chance(40) {
        next[log] = min(total[log], next[log] + 1 + book.dice.number(9))
      }
      guard next != counts else { continue }
      model = try book.advanced(model, from: counts, to: next)
      counts = next
      guard book.dice.chance(digestedPercent) || counts == total else { continue }
      let records = Records.fold(book.facts(upTo: counts), causality: book.causality(upTo: counts))
      let causality = try model.logs.causality()
      #expect(try model.stateDigest.digest(causality: causality) == records.digest(), "\(counts)")
      #expect(try model.stateDigest.digest(causality: causality) == records.digest(), "asked again")
    }
  }

  @Test func `State digest: only documents written since are read again`() throws {
    var log = try OneLog(.file(path))
    let home = try log.list("Home")
    let todos = try ["a", "b", "c"].map { try log.todo($0, on: home) }
    let before = try log.model.stateDigest.digest(causality: log.causality)
    // Damage the state of another record. Reading it again would fail.
    try Connection(.file(path, .readWriteCreate)).execute(
      "UPDATE entity SET state = x'ff' WHERE sequence = \(todos[0].sequence)")
    try log.write(.edit, .entity(todos[1]), [Write(Field.Todo.title, .text("B"))])
    let after = try log.model.stateDigest.digest(causality: log.causality)
    #expect(after != before)
    #expect(try log.model.stateDigest.digest(causality: log.causality) == after)
    try log.write(.edit, .entity(todos[1]), [Write(Field.Todo.title, .text("b"))])
    #expect(try log.model.stateDigest.digest(causality: log.causality) == before)
  }

  @Test func `State digest: a reference to a later record counts once it arrives`() throws {
    var log = try OneLog()
    let later = EventKey(log: 0, sequence: 3)
    try log.todo("early", on: later)
    let before = try log.model.stateDigest.digest(causality: log.causality)
    // The list is added by the third event.
    _ = try log.list("other")
    _ = try log.model.stateDigest.digest(causality: log.causality)
    let list = try log.list("late")
    #expect(list == later)
    let now = try log.model.stateDigest.digest(causality: log.causality)
    let all = try log.model.records.hydrateAll(causality: log.causality)
    #expect(now == all.digest())
    #expect(now != before)
  }
}
