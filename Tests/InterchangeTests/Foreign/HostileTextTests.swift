import Domain
import Interchange
import Testing

/// Strings that would take hours or unbounded memory if a reader visited a part more than once.
///
/// Each result is known in advance; a slow reader exceeds the time limit.
@Suite(.timeLimit(.minutes(3)))
struct HostileTextTests {
  private static let limits = ForeignSettings.Limits()

  private func fault(_ text: String, _ format: FileFormat) -> ForeignFault? {
    do throws(ForeignFault) {
      _ = try format.read(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  private func card(_ lines: String) -> String {
    "BEGIN:VCARD\n\(lines)FN:Ada\nBDAY:1815-12-10\nVERSION:3.0\nEND:VCARD\n"
  }

  private func repeated(_ line: String, _ count: Int) -> String {
    String(repeating: line, count: count)
  }

  @Test func `Hostile cards: a card with 333,000 properties is skipped, and the next card is read`()
    throws
  {
    let text = card(repeated("X-A:1\n", 333_000)) + card("")
    let file = try FileFormat.vCard.read(Array(text.utf8))
    #expect(file.skipped.map(\.fault) == [.tooManyParts("properties", limit: 10_000)])
    #expect(file.records.count == 1)
  }

  @Test(arguments: ["UID:\n", "X-A:1\n", "NOTE:\n", "CATEGORIES:a,b\n", "BDAY:\n"])
  func `Hostile cards: fifty cards near the property limit are read`(line: String) throws {
    let text = repeated(card(repeated(line, 9_000)), 50)
    let file = try FileFormat.vCard.read(Array(text.utf8))
    #expect(file.records.count == 50)
  }

  @Test func `Hostile cards: a card that takes far more memory than its size is refused`() {
    let short = "BEGIN:VCARD\n" + repeated("A:\n", 1_000_000)
    guard case .unpacksTooMuch(_, let limit)? = fault(short, .vCard) else {
      Issue.record("a million lines of two letters are taken")
      return
    }
    #expect(limit == 32 << 20 + 8 * short.utf8.count)
    let parameters = "X-A" + repeated(";", 1_000_000) + ":1\n"
    #expect(throws: Never.self) {
      let file = try FileFormat.vCard.read(Array(card(parameters).utf8))
      #expect(file.skipped.map(\.fault) == [.broken("no property")])
      #expect(file.records.count == 1)
    }
  }

  @Test func `Hostile cards: a line of 6 MiB, folded or not, loses only its property`() throws {
    for line in ["X-A:" + repeated("a", 6 << 20), "X-A:" + repeated("a\n ", 2 << 20)] {
      let file = try FileFormat.vCard.read(Array(card(line + "\n").utf8))
      #expect(file.records.count == 1)
      #expect(file.remarks.count == 1)
    }
  }

  private func calendar(_ parts: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\n\(parts)END:VCALENDAR\n"
  }

  private func zone(_ name: String, bytes: Int) -> String {
    "BEGIN:VTIMEZONE\nTZID:\(name)\nX-A:\(repeated("a", bytes))\nEND:VTIMEZONE\n"
  }

  private func task(_ number: Int, _ lines: String) -> String {
    "BEGIN:VTODO\nUID:\(number)\nSUMMARY:t\(number)\n\(lines)END:VTODO\n"
  }

  @Test func `Hostile calendars: a time zone used by 9,000 to-dos is encoded once`() throws {
    let tasks = (0..<9_000).map { task($0, "X-AT;TZID=Z:1\n") }.joined()
    for bytes in [900_000, 7_000] {
      let file = try FileFormat.iCalendar.read(
        Array(calendar(zone("Z", bytes: bytes) + tasks).utf8))
      #expect(file.records.count == 9_000)
      let kept = file.records.reduce(0) { $0 + ($1.extra["zones"]?.utf8.count ?? 0) }
      #expect(kept < 64 << 20)
      #expect(file.remarks.contains { $0.note == .leftOut("VTIMEZONE", bytes: bytes + 41) })
    }
  }

  @Test func `Hostile calendars: a thousand zones used by 500 to-dos are left out`()
    throws
  {
    let zones = (0..<1_000).map { zone("Z\($0)", bytes: 1_000) }.joined()
    let names = (0..<1_000).map { "X-AT;TZID=Z\($0):1\n" }.joined()
    let tasks = (0..<500).map { task($0, names) }.joined()
    let file = try FileFormat.iCalendar.read(Array(calendar(zones + tasks).utf8))
    #expect(file.records.count == 500)
    #expect(file.records.allSatisfy { $0.extra["zones"] == nil })
  }

  @Test func `Hostile calendars: excessive emoji and stray ends are read in one pass`() throws {
    let event = """
      BEGIN:VEVENT
      CATEGORIES:BIRTHDAY
      DTSTART:20000101
      RRULE:FREQ=YEARLY
      SUMMARY:\(repeated("🎂", 200_000))
      END:VEVENT

      """
    let file = try FileFormat.iCalendar.read(Array(calendar(event).utf8))
    #expect(file.records.count == 1)
    let ends = repeated("END:X\n", 300_000)
    let broken = try FileFormat.iCalendar.read(Array(calendar(ends).utf8))
    #expect(broken.skipped.count + broken.moreSkipped == 300_000)
    #expect(broken.skipped.count == 10_000)
  }

  @Test func `Hostile tables: a column with an overlong name is left out`() throws {
    let name = repeated("n", 500_000)
    let text = "Title,\(name)1,\(name)2\n" + repeated("a,1,2\n", 20_000)
    let file = try FileFormat.csv.read(Array(text.utf8))
    #expect(file.records.count == 20_000)
    #expect(file.records.allSatisfy { $0.extra.isEmpty })
    #expect(
      file.remarks.map(\.note) == [
        .leftOut("the column '\(name.prefix(40))…'", bytes: 500_001),
        .leftOut("the column '\(name.prefix(40))…'", bytes: 500_001),
      ])
  }

  @Test func `Hostile tables: too many columns or cells are refused with their place`() throws {
    #expect(
      fault("Title" + repeated(",a", 10_000), .csv) == .tooManyParts("columns", limit: 10_000))
    let file = try FileFormat.csv.read(
      Array(("Title\n" + repeated(",", 1_000_000) + "\nMop\n" + repeated(",", 3)).utf8))
    #expect(
      file.skipped.map(\.fault) == [.broken("it has more than 10000 cells, but the header has 1")])
    #expect(file.records.map(\.place) == [.line(3)])
  }

  @Test func `Hostile tables: 20,000 rows with one list each create 20,000 lists`() throws {
    var book = ForeignBook()
    let rows = (0..<20_000).map { "t\($0),l\($0)\n" }.joined()
    try book.take("Title,List\n" + rows, .csv)
    #expect(book.shown.count == 40_000)
  }

  @Test(arguments: [FileFormat.todoTxt, .markdown, .taskwarrior, .csv])
  func `Hostile text: three million empty lines yield no records`(format: FileFormat) throws {
    let file = try format.read(
      Array((format == .csv ? "Title\n" : "").utf8) + Array(repeating: 0x0a, count: 3_000_000))
    #expect(file.records.isEmpty && file.skipped.isEmpty)
  }

  @Test func `Hostile tasks: too many properties and too many levels are refused`() throws {
    let members = (0...10_000).map { "\"p\($0)\":1" }.joined(separator: ",")
    let deep = "{\"uuid\":" + repeated("[", 100_000)
    let file = try FileFormat.taskwarrior.read(Array("[\n{\(members)}\n\(deep)}\n]".utf8))
    #expect(
      file.skipped.map(\.fault) == [
        .tooManyParts("properties", limit: 10_000), .tooDeep(limit: 64),
      ])
  }
}
