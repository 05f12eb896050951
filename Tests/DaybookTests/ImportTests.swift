import Daybook
import Domain
import Interchange
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Imports that are interrupted, or that stop at a line.
struct ImportTests {
  /// Adds that fill two batches, and edits of the last records.
  private static let source: [UInt8] = {
    let filler = String(repeating: "a note that takes some room. ", count: 270)
    let adds = (0..<34).map { number in
      """
      {"t": \(1000 + number), "op": "add", "kind": "list", "id": "l\(number)", \
      "name": "list \(number)", "note": "\(filler)"}
      """
    }
    let edits = (30..<34).map { number in
      #"{"op": "edit", "kind": "list", "id": "l\#(number)", "set": {"name": "List \#(number)"}}"#
    }
    return Array((adds + edits).joined(separator: "\n").utf8)
  }()

  private static let ending = (0..<34).map { $0 < 30 ? "list \($0)" : "List \($0)" }.sorted()

  private func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name).sorted()
  }

  @Test(arguments: [(true, Survival.nothing), (false, .everything)])
  func `Import: an interrupted import is completed by repeating it`(
    keepsUIDs: Bool, survival: Survival
  ) throws {
    let desk = try Desk(seed: 701)
    _ = try desk.found()
    let options = ImportOptions(keepsUIDs: keepsUIDs)
    let whole = desk.copied()
    let start = whole.disk.calls.mutating
    _ = try Desk.open(whole.machine).importer.importOperations(Self.source, options)
    let count = whole.disk.calls.mutating - start
    var partial: Set<Int> = []
    for number in stride(from: 1, through: count, by: 2) {
      let struck = desk.copied()
      struck.disk.failCall(number, with: .io, .fromThenOn)
      // The import is completed below. A failure of the cleanup at the end may go unnoticed.
      _ = try? Desk.open(struck.machine).importer.importOperations(Self.source, options)
      struck.disk.clearWeather()
      struck.disk.crash(keeping: survival)
      let book = try Desk.open(struck.machine)
      partial.insert(try names(book).count)
      _ = try book.importer.importOperations(Self.source, options)
      #expect(try names(book) == Self.ending, "call \(number) of \(count)")
      #expect(try book.importer.importOperations(Self.source, options).wasImported)
      #expect(try book.verifier.verify().faults == [])
      _ = try book.undoEngine.undo()
      #expect(try names(book) == [], "call \(number) of \(count)")
    }
    // Some imports were interrupted between two batches.
    #expect(partial.contains { $0 > 0 && $0 < 34 })
  }

  @Test(arguments: [true, false])
  func `Import: a strict import with a bad line writes nothing`(keepsUIDs: Bool) throws {
    let desk = try Desk(seed: 702)
    let book = try desk.found()
    let files = desk.simulated.disk.files
    let bad = Self.source + Array("\n{\"op\": \"edit\"}\n".utf8)
    let thrown = #expect(throws: DaybookError.self) {
      try book.importer.importOperations(bad, ImportOptions(keepsUIDs: keepsUIDs, isStrict: true))
    }
    guard case .importFault(let line, _) = thrown else {
      Issue.record("\(String(describing: thrown)) names no line")
      return
    }
    #expect(line == 39)
    let after = desk.simulated.disk.files
    #expect(
      after.filter { $0.key.string.contains("/logs/") }
        == files.filter { $0.key.string.contains("/logs/") })
    #expect(try names(book) == [])
  }

  @Test(arguments: [true, false], [true, false])
  func `Import: a strict import after an interrupted one refuses a bad line and changes nothing`(
    keepsUIDs: Bool, isFirst: Bool
  ) throws {
    let desk = try Desk(seed: 704)
    _ = try desk.found()
    let fault = Array(#"{"op": "edit"}"#.utf8)
    let bad = isFirst ? fault + [0x0A] + Self.source : Self.source + [0x0A] + fault
    let options = ImportOptions(keepsUIDs: keepsUIDs)
    let whole = desk.copied()
    let start = whole.disk.calls.mutating
    _ = try Desk.open(whole.machine).importer.importOperations(bad, options)
    let count = whole.disk.calls.mutating - start
    for number in 1...count {
      let struck = desk.copied()
      struck.disk.failCall(number, with: .io, .fromThenOn)
      // The events from before the failure are examined below.
      _ = try? Desk.open(struck.machine).importer.importOperations(bad, options)
      struck.disk.clearWeather()
      struck.disk.crash(keeping: .everything)
      let book = try Desk.open(struck.machine)
      let before = try names(book)
      guard !before.isEmpty, before.count < 34 else { continue }
      let strict = ImportOptions(keepsUIDs: keepsUIDs, isStrict: true)
      let thrown = #expect(throws: DaybookError.self) {
        _ = try book.importer.importOperations(bad, strict)
      }
      guard case .importFault(let line, _) = thrown else {
        Issue.record("\(String(describing: thrown)) names no line")
        return
      }
      #expect(line == (isFirst ? 1 : 39))
      #expect(try names(book) == before)
      return
    }
    Issue.record("no import was cut short between two batches")
  }

  @Test func `Import: a bad line is reported and skipped`() throws {
    let book = try Desk(seed: 703).found()
    let lines = [
      #"{"op": "add", "kind": "list", "id": "a", "name": "Home"}"#,
      #"{"op": "edit", "kind": "list", "id": "nobody", "set": {"name": "x"}}"#,
      "not JSON at all", "",
      #"{"op": "edit", "kind": "list", "id": "a", "set": {"name": "House"}}"#,
    ]
    let report = try book.importer.importOperations(Array(lines.joined(separator: "\r\n").utf8))
    #expect(report.skipped.map(\.line) == [2, 3])
    #expect(try names(book) == ["House"])
  }

  @Test func `Import: lines read ahead give the same result as lines read in turn`() throws {
    let desk = try Desk(seed: 712)
    _ = try desk.found()
    let lines = (0..<900).map { number in
      switch number % 9 {
      case 4: "{\"op\": \"edit\" \(number)"
      case 7: #"{"op": "edit", "kind": "list", "id": "l\#(number - 1)", "set": {"name": "x"}}"#
      default: #"{"op": "add", "kind": "list", "id": "l\#(number)", "name": "list \#(number)"}"#
      }
    }
    let source = Array(lines.joined(separator: "\n").utf8)
    // There is no other thread, it never runs, it runs immediately, or it runs concurrently.
    let besides: [Machine.Beside?] = [nil, { _ in }, { $0() }, SystemThread.start]
    let ends = try besides.map { beside in
      let machine = desk.copied().machine
      let book = try Desk.open(
        Machine(
          disk: machine.disk, timekeeper: machine.timekeeper, dice: machine.dice,
          network: machine.network, beside: beside))
      let report = try book.importer.importOperations(source)
      #expect(report.skipped.map(\.line) == (0..<900).filter { $0 % 9 == 4 }.map { $0 + 1 })
      #expect(report.done == [.add: 700, .edit: 100])
      #expect(try book.verifier.verify().faults == [])
      return try book.statusReader.digest()
    }
    #expect(Set(ends).count == 1)
  }

  @Test
  func `Import: a conflicting second add is skipped in the same file and applied from another`()
    throws
  {
    let desk = try Desk(seed: 713)
    let book = try desk.found()
    let add = #"{"op": "add", "kind": "list", "id": "a", "name": "Home"}"#
    let other = #"{"op": "add", "kind": "list", "id": "a", "name": "Work"}"#
    let more =
      ##"{"op": "add", "kind": "list", "id": "a", "name": "Home", "colour": "#ff0000"}"##
    let anew =
      #"{"op": "delete", "kind": "list", "id": "a"}"# + "\n"
      + #"{"op": "add", "kind": "list", "id": "a", "name": "Work"}"#
    let report = try book.importer.importOperations(Array("\(add)\n\(other)\n\(more)\n\(add)".utf8))
    #expect(report.skipped.map(\.line) == [2])
    #expect(report.skipped.map(\.fault) == [.addedBefore(.list, "a", field: "name")])
    #expect(try names(book) == ["Home"])
    let lines = "\(add)\n\(other)".replacing("\"a\"", with: "\"b\"")
    let error = #expect(throws: DaybookError.self) {
      try book.importer.importOperations(Array(lines.utf8), ImportOptions(isStrict: true))
    }
    guard case .importFault(2, .addedBefore(.list, "b", field: "name"))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try book.importer.importOperations(Array(other.utf8)).skipped.isEmpty)
    #expect(try names(book) == ["Work"])
    #expect(try book.importer.importOperations(Array("\(add)\n\(anew)".utf8)).skipped.isEmpty)
    #expect(try names(book) == ["Work"])
  }

  @Test func `Import: a record received by sync is found by its uid`() throws {
    let office = Office(seed: 704)
    let one = try office.found("one")
    let add = Array(#"{"op": "add", "kind": "list", "id": "a", "name": "Home"}"#.utf8)
    let edit = Array(#"{"op": "edit", "kind": "list", "id": "a", "set": {"name": "House"}}"#.utf8)
    _ = try one.importer.importOperations(add)
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    let report = try two.importer.importOperations(add)
    #expect(report.same == 1)
    _ = try two.importer.importOperations(edit)
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    #expect(try names(one) == ["House"])
  }

  @Test func `Import: a value that is already shown leaves its conflict open`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 711)
    try TrustingTests.add("Home", to: books[0])
    try office.exchange()
    for (book, name) in zip(books, ["House", "Flat"]) {
      let list = try #require(try book.view().lists.lists().first { $0.name == "Home" }).head.id
      _ = try book.commands.perform(.edit(list, [.init(Field.List.name, .value(.text(name)))]))
    }
    try office.exchange()
    let book = books[0]
    #expect(try book.conflictReader.conflicts().count == 1)
    let lines = try book.exporter.exportOperations(.state).map(\.line)
    let report = try book.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    #expect(report.done == [:])
    #expect(report.same == lines.count)
    #expect(try book.conflictReader.conflicts().count == 1)
  }
}
