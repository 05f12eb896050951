import Bytes
import Domain
import Testing

@testable import Web

/// Parsing of quick lines on Friday, 2026-11-20.
struct QuickLineTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: String
    /// The kind, the remaining text, the date and the range of its text.
    var expected: String
    var testDescription: String { text }

    init(_ text: String, _ kind: String, _ expected: String) {
      (self.text, self.kind, self.expected) = (text, kind, expected)
    }
  }

  private static let examples = [
    Example("Sharpen the skates tomorrow", "any", "todo|Sharpen the skates|2026-11-21|19-27"),
    Example("Sharpen the skates due tomorrow ", "todo", "todo|Sharpen the skates|2026-11-21|19-31"),
    Example("Call on mon", "todo", "todo|Call|2026-11-23|5-11"),
    Example("Plan in 3 days", "todo", "todo|Plan|2026-11-23|5-14"),
    Example("Pay 24 dec", "todo", "todo|Pay|2026-12-24|4-10"),
    Example("Pay 1 jan", "todo", "todo|Pay|2027-01-01|4-9"),
    Example("Ada Lovelace 10 dec 1815", "any", "birthday|Ada Lovelace|1815-12-10|13-24"),
    Example("Ada Lovelace born 10 dec 1815", "any", "birthday|Ada Lovelace|1815-12-10|13-29"),
    Example("Ada 10 dec", "birthday", "birthday|Ada|--12-10|4-10"),
    Example("Ada 1815", "birthday", "birthday|Ada|1815|4-8"),
    Example("Read 1984", "any", "todo|Read 1984|nil|nil"),
    Example("Buy 2", "todo", "todo|Buy 2|nil|nil"),
    Example("Buy eggs", "todo", "todo|Buy eggs|nil|nil"),
    Example("today", "todo", "todo|today|nil|nil"),
    Example("due tomorrow", "todo", "todo|due|2026-11-21|4-12"),
    Example("買う 🥚 tomorrow", "todo", "todo|買う 🥚|2026-11-21|6-14"),
    Example("Move monitor", "todo", "todo|Move monitor|nil|nil"),
    Example("Cable of 10m", "todo", "todo|Cable of 10m|nil|nil"),
    Example("Cable 10m", "todo", "todo|Cable 10m|nil|nil"),
    Example("Cable 2w", "todo", "todo|Cable 2w|nil|nil"),
    Example("Pay +3d", "todo", "todo|Pay|2026-11-23|4-7"),
    Example("Water plants every monday", "todo", "todo|Water plants|nil|13-25"),
    Example("Ada every monday", "birthday", "birthday|Ada every monday|nil|nil"),
    Example("Book a table for next friday", "todo", "todo|Book a table for next friday|nil|nil"),
    Example("Film \\tomorrow", "todo", "todo|Film tomorrow|nil|nil"),
    Example("Film \\next friday", "todo", "todo|Film next friday|nil|nil"),
    Example("Ada \\10 dec 1815", "birthday", "birthday|Ada 10 dec 1815|nil|nil"),
    Example("Look in C:\\temp \\n", "todo", "todo|Look in C:\\temp \\n|nil|nil"),
    Example("Winter 24 dec", "list", "list|Winter 24 dec|nil|nil"),
    Example("", "todo", "todo||nil|nil"),
  ]

  @Test(arguments: examples)
  func `Quick line: a date is read from the end of the line`(example: Example) throws {
    let today = try CivilDate(year: 2026, month: 11, day: 20)
    let line = QuickLine(example.text, as: example.kind, today: today)
    let place = line.parts.first.map { "\($0.place.lowerBound)-\($0.place.upperBound)" }
    let found = [line.kind, line.rest, line.date?.iso ?? "nil", place ?? "nil"]
    #expect(found.joined(separator: "|") == example.expected)
    #expect(line.fault == nil)
  }

  @Test func `Quick line: an ambiguous date is refused with a question`() throws {
    let desk = try Desk()
    let read = try desk.post("read", .object(("text", "Pay 3/4"), ("kind", "todo")))
    let fault = try #require(read.json["fault"]?.string)
    #expect(
      fault == "'3/4' means different dates in different countries. Did you mean '3 april' or '4 "
        + "march'?")
    let wish = JSON.object(
      ("request", "a"), ("command", "add"), ("kind", "todo"), ("text", "Pay 3/4"))
    let refused = try desk.post("do", wish)
    #expect(refused.status == 400)
    #expect(refused.json["error"]?["message"]?.string == fault)
    try desk.wish("add", ("kind", "todo"), ("text", "Pay 3/4"), ("plain", true))
    #expect(try desk.get("view/list/none").titles == ["Pay 3/4"])
  }

  @Test(arguments: ["24/7", "12-24", "5-13"])
  func `Quick line: a pair of numbers that might not be a date is questioned`(pair: String) {
    let today = try? CivilDate(year: 2026, month: 11, day: 20)
    let line = QuickLine("Buy tape \(pair)", as: "todo", today: today)
    #expect(line.date == nil)
    #expect(
      line.fault?.hasPrefix("“\(pair)” might not be a date. If it is one, write it like ") == true)
    let dated = QuickLine("Buy tape 24/12/2026", as: "todo", today: today)
    #expect(dated.date?.iso == "2026-12-24" && dated.rest == "Buy tape")
  }

  @Test func `Quick line: an unreadable birth date is reported, not taken as a name`() {
    let today = try? CivilDate(year: 2026, month: 11, day: 20)
    #expect(
      QuickLine("Tim Berners-Lee 8/6/55", as: "birthday", today: today).fault
        == "“8/6/55” cannot be read as a date. Write it like 8 jun 1955 or 1955-06-08.")
    #expect(QuickLine("Agent 0-0-7", as: "todo", today: today).fault == nil)
  }
}
