import Bytes
import Crypto
import Domain
import Interchange
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

struct EntryListTests {
  private let machine = SimulatedMachine(seed: 1)

  private func numbers(_ list: EntryList) -> [EntryList.Entry] {
    (1...list.count).compactMap(list.entry)
  }

  @Test func `Entry list: reading step by step gives the same entries as reading at once`() throws {
    let book = try BookFactory.create(
      at: Path("/home/ada/book"), on: machine.machine, deviceName: "laptop", view: .memory)
    var known = try book.historyReader.entries()
    #expect((known.count, known.entry(1) == nil) == (0, true))
    for round in 1...5 {
      machine.timekeeper.advance(milliseconds: 1_000)
      // The command has two events, but is one entry.
      _ = try book.commands.perform(
        .addTodo(title: "T\(round)", list: .new(name: "L\(round)"), priority: nil, due: nil))
      known = try book.historyReader.entries(after: known)
      #expect(known.count == round)
      #expect(try numbers(known) == numbers(book.historyReader.entries()))
    }
    let times = numbers(known).map(\.time)
    #expect(times == times.sorted())
    for entry in try book.historyReader.history().entries {
      #expect(known.number(of: entry.entry).flatMap(known.entry)?.first == entry.command)
    }
    #expect(known.until(times[2]).count == 3)
    #expect(known.until(times[0] - 1).count == 0)
  }

  @Test func `Entry list: an import and its undo are one entry each`() throws {
    let book = try BookFactory.create(
      at: Path("/home/ada/book"), on: machine.machine, deviceName: "laptop", view: .memory)
    let filler = String(repeating: "a note that takes some room. ", count: 270)
    let rows = (0..<34).map { "task \($0),\(filler)\r\n" }
    let source = Array(("Title,Note\r\n" + rows.joined()).utf8)
    var known = try book.historyReader.entries()
    func deed(_ deed: () throws -> Void) throws -> Int {
      machine.timekeeper.advance(milliseconds: 1_000)
      try deed()
      known = try book.historyReader.entries(after: known)
      #expect(try numbers(known) == numbers(book.historyReader.entries()))
      return known.count
    }
    func addOne() throws {
      _ = try book.commands.perform(.addTodo(title: "One", list: .none, priority: nil, due: nil))
    }
    #expect(try deed(addOne) == 1)
    let batches = book.core.store.journal.logs.values.reduce(0) { $0 + $1.sequence }
    let imported = try deed {
      _ = try book.importer.importFile(
        FileFormat.csv.read(source), identity: SHA256.digest(of: source))
    }
    // Each batch is marked twice.
    #expect(
      book.core.store.journal.logs.values.reduce(0) { $0 + $1.sequence } - batches == 34 + 2 * 2)
    #expect(imported == 2)
    #expect(try deed(addOne) == 3)
    #expect(try deed { _ = try book.undoEngine.undo() } == 4)
    #expect(try deed { _ = try book.undoEngine.undo() } == 5)
    let told = try book.historyReader.history().entries.map { known.number(of: $0.entry) }
    #expect(told.filter { $0 == 2 }.count == 34)
    #expect(Set(told) == [1, 2, 3, 4, 5])
  }

  @Test func `Entry list: unmatched end markers are ignored, and repeated markers change nothing`()
  {
    let source = SHA256.digest(of: [1])
    func mark(_ edge: RunMarker.Edge, _ count: UInt64) -> RunMarker {
      RunMarker(edge, source: source, count: count)
    }
    var runs: [RunStretch] = []
    runs.take(mark(.end, 3), at: 2, 0)
    #expect(runs == [])
    for _ in 0..<2 {
      runs.take(mark(.begin, 0), at: 5, 100)
      runs.take(mark(.end, 2), at: 8, 100)
      runs.take(mark(.begin, 2), at: 9, 200)
      runs.take(mark(.end, 4), at: 12, 200)
      // The first run has no end marker, and the next begin marker starts another run.
      runs.take(mark(.begin, 4), at: 20, 300)
      runs.take(mark(.begin, 4), at: 30, 400)
      #expect(runs.map(\.events) == [5...8, 9...12, 20...29, 30...(.max)])
      #expect(runs.map(\.first) == [6, 6, 21, 31])
      #expect(runs.map(\.time) == [100, 100, 300, 400])
    }
    let isInterrupted = [20, 100, 400].map { time in
      runs.last?.isInterrupted(before: 31, Int64(time), nil, isUndo: false)
    }
    #expect(isInterrupted == [true, true, false])
    #expect(runs.last?.isInterrupted(before: 31, 400, 7, isUndo: true) == true)
    #expect(runs.last?.isInterrupted(before: 30, 500, nil, isUndo: false) == false)
    // Events are read again from the middle of a run.
    runs.take(mark(.end, 4), at: 7, 0)
    #expect(runs.last?.events == 30...(.max))
    runs.endLast(before: 35)
    #expect(runs.last?.events == 30...34)
  }

  @Test func `Entry list: imported operations are listed at their own times`() throws {
    let book = try BookFactory.create(
      at: Path("/home/ada/book"), on: machine.machine, deviceName: "laptop", view: .memory)
    let operations = """
      {"t": 3000, "op": "add", "kind": "list", "id": "l3", "name": "later"}
      {"t": 1000, "op": "add", "kind": "list", "id": "l1", "name": "earlier"}
      """
    _ = try book.importer.importOperations(Array(operations.utf8), ImportOptions(keepsUIDs: true))
    #expect(try numbers(book.historyReader.entries()).map(\.time) == [1_000, 3_000])
  }
}
