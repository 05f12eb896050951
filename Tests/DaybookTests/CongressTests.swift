import Daybook
import Journaling
import ReadModel
import SimulatedPlatform
import TestDice
import Testing
import Verifying

/// The real edit history in one book; skipped where its data is missing.
@Suite(.enabled(if: Congress.isHere, "the data beside the repository is missing"))
struct CongressTests {
  private func imported(seed: UInt64) throws -> (desk: Desk, book: Book) {
    let desk = try Desk(seed: seed)
    let book = try desk.found()
    let report = try book.importer.importOperations(try Congress.source())
    #expect(report.skipped.isEmpty)
    return (desk, book)
  }

  @Test func `Edit history: an import ends in the recorded final state`() throws {
    let (desk, book) = try imported(seed: 101)
    let ending = try Congress.ending()
    #expect(try book.view().people() == ending)
    #expect(try book.view().birthdays.birthdays().count == ending.count)
    #expect(try desk.open().view().people() == ending)
    #expect(try book.verifier.verify().isClean)
  }

  @Test func `Edit history: importing the same bytes again writes no event`() throws {
    let (desk, book) = try imported(seed: 102)
    let before = try book.statusReader.status()
    let files = desk.simulated.disk.files
    #expect(try book.importer.importOperations(try Congress.source()).wasImported)
    #expect(try desk.open().importer.importOperations(try Congress.source()).wasImported)
    let after = try book.statusReader.status()
    #expect(before.version.map(\.sequence) == after.version.map(\.sequence))
    #expect(before.digest == after.digest)
    #expect(desk.simulated.disk.files == files)
  }

  @Test func `Edit history: undo reverts the whole import and redo applies it again`() throws {
    let (_, book) = try imported(seed: 103)
    _ = try book.undoEngine.undo()
    #expect(try book.view().people() == [:])
    #expect(try book.view().birthdays.birthdays().isEmpty)
    _ = try book.undoEngine.redo()
    #expect(try book.view().people() == Congress.ending())
    #expect(throws: DaybookError.self) { try book.undoEngine.redo() }
    _ = try book.undoEngine.undo()
    #expect(try book.view().people() == [:])
    #expect(throws: DaybookError.self) { try book.undoEngine.undo() }
    #expect(try book.verifier.verify().isClean)
  }

  @Test func `Edit history: the book at a given time equals the fold of all lines until then`()
    throws
  {
    let (_, book) = try imported(seed: 104)
    let changes = try Congress.changes()
    #expect(Congress.fold(changes) == (try Congress.ending()))
    let moments = Self.moments(changes)
    #expect(moments.count == 71)
    for moment in moments {
      let expected = Congress.fold(changes.filter { $0.time <= moment })
      let then = try book.view(at: moment).people()
      #expect(then == expected, "at \(moment)")
    }
  }

  /// New Year 2015, the edges of the history, times at and next to changes, and fifty random times.
  private static func moments(_ changes: [Congress.Change]) -> [Int64] {
    let times = Set(changes.map(\.time)).sorted()
    var moments: Set<Int64> = [1_420_070_400_000, 0, times[0] - 1, times[0], .max]
    for place in 1...8 {
      let time = times[place * (times.count - 1) / 8]
      moments.formUnion([time, time - 1])
    }
    var dice = Dice(seed: 50)
    for _ in 0..<50 {
      moments.insert(Int64.random(in: times[0]...times[times.count - 1], using: &dice))
    }
    return moments.sorted()
  }
}
