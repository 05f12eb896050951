import Bytes
import Domain
import ReadModel
import SQLite
import TestDice
import Testing

@Suite struct ConvergenceTests {
  @Test(arguments: [UInt64](0..<30))
  func `Convergence: batches in any order give the same tables as one fold`(
    seed: UInt64
  ) throws {
    var book = RandomBook(seed: seed, hasHoles: !seed.isMultiple(of: 3), steps: 90)
    let total = book.logs.map(\.count)
    var counts = total.map { _ in 0 }
    var model = try ReadModel(.memory)
    while counts != total {
      var next = counts
      // Other logs may lag far behind, so many events are referred to before they are folded.
      for log in next.indices where book.dice.chance(40) {
        next[log] = min(total[log], next[log] + 1 + book.dice.number(9))
      }
      guard next != counts else { continue }
      model = try book.advanced(model, from: counts, to: next)
      counts = next
      let expected = Set(try book.built(upTo: counts).tableDump.dump())
      // Compare only the differences, so that a failure is readable.
      let different = Set(try model.tableDump.dump()).symmetricDifference(expected).sorted()
      #expect(different == [])
      #expect(try model.logs.positions() == book.positions(upTo: counts))
    }
    #expect(try model.settings.value("count") == [90])
    try model.check()
  }

  @Test(arguments: [UInt64](100..<112))
  func `Convergence: the tables show the same documents as the records`(seed: UInt64) throws {
    let book = RandomBook(seed: seed, hasHoles: false, steps: 120)
    let counts = book.logs.map(\.count)
    let records = Records.fold(book.facts(upTo: counts), causality: book.causality(upTo: counts))
    let model = try book.built(upTo: counts)
    let unsettled = try model.conflicts.unsettled()
    for kind in [Kind.birthday, .list, .todo, .question, .choice, .pick] {
      let shown = records.documents(kind).filter(records.isShown)
      let found = try model.rankedSearch.search("", kind: kind).map(\.id).sorted()
      #expect(found == shown.filter { !$0.isOccurrence }.map(\.id))
      let rows = shown.filter { !$0.isOccurrence || hasRow($0, in: records) }
      #expect(try model.documents.counts().first { $0.kind == kind }?.count == Int64(rows.count))
      for document in records.documents(kind) {
        for member in document.members {
          let expected = DocumentInfo(
            kind: kind, key: document.key, id: document.id, isAlive: document.isAlive)
          #expect(try model.documents.document(member) == expected)
        }
        let isUnsettled = !document.conflicts.isEmpty || document.deleteAgainstEdit != nil
        #expect(unsettled.contains(document.key) == (document.isAlive && isUnsettled))
        guard document.isAlive else { continue }
        let conflicts = try model.conflicts.conflicts(of: document.key)
        #expect(conflicts.map(\.field) == document.conflicts.map(\.field))
        let values = document.conflicts.map { $0.survivors.map(\.value) }
        #expect(conflicts.map { $0.survivors.map(\.value) } == values)
      }
    }
  }

  /// Whether an occurrence is listed: it is closed, and no sub-task is shown as closed instead.
  private func hasRow(_ document: Document, in records: Records) -> Bool {
    guard let occurrence = Series.Occurrence(document), occurrence.closing != nil,
      let owner = document.value(.owner).reference
    else { return false }
    let recurrence = records.recurrence(of: owner)
    return recurrence?.isOfSubtask != true || recurrence?.slot != occurrence.slot
  }

  @Test func `Convergence: the causality that is read back equals the one that was written`() throws
  {
    let book = RandomBook(seed: 4, hasHoles: true, steps: 120)
    let counts = book.logs.map(\.count)
    let noted = book.causality(upTo: counts)
    let kept = try book.built(upTo: counts).logs.causality()
    let keys = book.facts(upTo: counts).map(\.key)
    for event in keys {
      let expected = keys.filter { noted.past(of: event, includes: $0) }
      #expect(keys.filter { kept.past(of: event, includes: $0) } == expected)
    }
    #expect(kept.logsWithExceptions == noted.logsWithExceptions)
  }

  @Test func `Convergence: hydrated states equal the folded ones`() throws {
    let book = RandomBook(seed: 5, hasHoles: true, steps: 150)
    let counts = book.logs.map(\.count)
    let model = try book.built(upTo: counts)
    let records = Records.fold(book.facts(upTo: counts), causality: book.causality(upTo: counts))
    let hydrated = try model.records.hydrateAll(causality: model.logs.causality())
    #expect(hydrated.entities == records.entities)
    #expect(hydrated.digest() == records.digest())
  }
}
