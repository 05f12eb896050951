import Crypto
import Daybook
import Domain
import Interchange
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// Imports of foreign files into a book.
struct ForeignImportTests {
  private static func table(_ count: Int) -> [UInt8] {
    let filler = String(repeating: "a note that takes some room. ", count: 270)
    let rows = (0..<count).map { "\($0),task \($0),Home,\(filler)\r\n" }
    return Array(("Id,Title,List,Note\r\n" + rows.joined()).utf8)
  }

  private static func take(_ source: [UInt8], into book: Book) throws -> ImportReport {
    let file = try FileFormat.csv.read(source)
    return try book.importer.importFile(file, identity: SHA256.digest(of: source))
  }

  private static func titles(_ book: Book) throws -> [String] {
    try book.view().todos.todos().compactMap(\.title).sorted()
  }

  @Test func `Import: an interrupted import is completed by repeating it, as one undo step`() throws
  {
    let desk = try Desk(seed: 711)
    _ = try desk.found()
    let source = Self.table(34)
    let ending = (0..<34).map { "task \($0)" }.sorted()
    let whole = desk.copied()
    let start = whole.disk.calls.mutating
    #expect(try Self.take(source, into: Desk.open(whole.machine)).madeLists == 1)
    let count = whole.disk.calls.mutating - start
    var partial: Set<Int> = []
    for number in stride(from: 1, through: count, by: 5) {
      let struck = desk.copied()
      struck.disk.failCall(number, with: .io, .fromThenOn)
      // The import is completed below.
      _ = try? Self.take(source, into: Desk.open(struck.machine))
      struck.disk.clearWeather()
      struck.disk.crash(keeping: .nothing)
      let book = try Desk.open(struck.machine)
      partial.insert(try Self.titles(book).count)
      _ = try Self.take(source, into: book)
      #expect(try Self.titles(book) == ending, "call \(number) of \(count)")
      #expect(try book.view().lists.lists().count == 1)
      #expect(try Self.take(source, into: book).wasImported)
      _ = try book.undoEngine.undo()
      #expect(try Self.titles(book) == [], "call \(number) of \(count)")
      // After an undo, importing again restores all records.
      _ = try Self.take(source, into: book)
      #expect(try Self.titles(book) == ending, "call \(number) of \(count)")
    }
    #expect(partial.contains { $0 > 0 && $0 < 34 })
  }

  @Test func `Import: two devices that import one file have its records once`() throws {
    let source = Self.table(3)
    let office = Office(seed: 712)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    for book in [one, two] { _ = try Self.take(source, into: book) }
    for book in [one, two, one] {
      _ = try book.replicator.sync(with: Office.directory, admission: .always)
    }
    for book in [one, two] {
      #expect(try Self.titles(book) == ["task 0", "task 1", "task 2"])
      #expect(try book.view().lists.lists().count == 1)
      #expect(try book.conflictReader.conflicts().isEmpty)
    }
  }

  @Test func `Import: a strict import with a refused record writes nothing`() throws {
    let book = try Desk(seed: 713).found()
    let long = String(repeating: "x", count: 5000)
    let source = Array("Title\nfine\n\(long)\n".utf8)
    let file = try FileFormat.csv.read(source)
    let thrown = #expect(throws: DaybookError.self) {
      try book.importer.importFile(file, identity: SHA256.digest(of: source), isStrict: true)
    }
    guard case .importFault(2, _) = thrown else {
      Issue.record("\(String(describing: thrown)) names another record")
      return
    }
    #expect(try Self.titles(book) == [])
  }
}
