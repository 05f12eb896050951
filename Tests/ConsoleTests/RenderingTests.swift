import Bytes
import Domain
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

struct RenderingTests {
  @Test func `Tables: wide characters count as two columns`() {
    let rows = [
      ["山田", "1"], ["Ada", "2"], ["🎂 cake", "3"], ["Zoë", "4"], ["한글", "5"], ["e\u{301}", "6"],
    ]
    #expect(
      Table.lines(rows) == [
        "山田     1", "Ada      2", "🎂 cake  3", "Zoë      4", "한글     5", "e\u{301}        6",
      ])
  }

  @Test func `Tables: an overlong cell shifts no other row`() {
    let long = String(repeating: "x", count: 300)
    #expect(
      Table.lines([[long, "1"], ["Ada", "2"]]) == [
        long + "  1", "Ada" + String(repeating: " ", count: 59) + "2",
      ])
  }

  @Test func `Tables: a table that is made in parts has uniform columns`() {
    let rows = (0..<2_500).map { row in
      [String(repeating: "x", count: 1 + row / 100), row == 2_400 ? "only there" : "", "\(row)"]
    }
    let parts = Table.parts(rows.count, beside: { $0() }) { part in
      Table(rows[part].map { row in row.map { Cell($0) } })
    }
    #expect(parts.count == 3)
    let texts = parts.texts(as: .columns(fitting: nil, Paint(false)), beside: nil)
    #expect(texts.joined() == Table.lines(rows).map { $0 + "\n" }.joined())
  }

  @Test func `Foreign text: terminal control characters are escaped`() {
    #expect("Ada\u{1B}[31m\nx".visible == "Ada\\u{1b}[31m ⏎ x")
    #expect("a\r\nb\tc\u{2028}d\re\u{85}f\u{B}g".visible == "a ⏎ b c ⏎ d ⏎ e ⏎ f ⏎ g")
    #expect("a\u{202E}b\u{2066}c".visible == "a\\u{202e}b\\u{2066}c")
    #expect("Zoë 👩‍🚀 山田".visible == "Zoë 👩‍🚀 山田")
  }

  @Test func `Foreign text: line breaks stay, and escaped JSON is equivalent`() throws {
    #expect("a\u{1B}[2J\r\n\u{202E}b\n".visibleLines == "a\\u{1b}[2J\n\\u{202e}b\n")
    #expect("a\nb\n".visibleLines == "a\nb\n")
    let value = JSON.object(("a\u{9B}", .string("\u{202E}\u{1B}\u{7F}\u{2028}é\n")))
    for isIndented in [false, true] {
      let text = value.text(indented: isIndented)
      let shown = text.visibleJSON
      #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || (0x20...0xE9).contains($0.value) })
      #expect(!shown.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) })
      #expect(try JSON(parsing: Array(shown.utf8)) == value)
    }
    #expect(value.text().visibleJSON == #"{"a\u009b":"\u202e\u001b\u007f\u2028é\n"}"#)
  }

  @Test func `Tables: columns fit their widest cell, and empty ones are dropped`() {
    #expect(
      Table.lines([["k7", "", "Ada", "x"], ["long", "", "B", ""]]) == ["k7    Ada  x", "long  B"])
    #expect(Table.lines([["", "a"], ["", "b"]]) == ["a", "b"])
    #expect(Table.lines([]) == [])
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2015-01-01T00:00:00Z", 1_420_070_400_000),
    ("2015-01-01T01:30:00+01:30", 1_420_070_400_000),
    ("2014-12-31T19:00:00-05:00", 1_420_070_400_000),
    ("2015-01-01t00:00:00.25z", 1_420_070_400_250), ("1969-12-31T23:59:59.999Z", -1),
  ])
  func `Instants: each valid form is read`(text: String, milliseconds: Int64) {
    #expect(Instant.parse(text) == Moment(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "2015-01-01", "2015-01-01T00:00:00", "2015-02-30T00:00:00Z", "2015-01-01T24:00:00Z",
    "2015-01-01T00:00:00.Z", "2015-01-01T00:00:00+1:00", "2015-01-01T00:00:00Zx", "",
  ])
  func `Instants: an invalid form is refused`(text: String) {
    #expect(Instant.parse(text) == nil)
  }

  @Test func `Instants: an instant is written in UTC`() {
    #expect(Instant.text(1_420_070_400_000) == "2015-01-01T00:00:00Z")
    #expect(Instant.text(-1) == "1969-12-31T23:59:59.999Z")
  }

  @Test func `Instants: a day begins at local midnight`() throws {
    let timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 1_420_070_400_000))
    timekeeper.setLocalOffset(seconds: -3600)
    #expect(timekeeper.today?.iso == "2014-12-31")
    let midnight = timekeeper.moment(of: try CivilDate.parse("2015-01-01"), seconds: 0)
    #expect(midnight == Moment(milliseconds: 1_420_074_000_000))
  }

  @Test func `Dates: a date is written in words`() throws {
    #expect(try CivilDate.parse("1815-12-10").words == "10 December 1815")
    #expect(try CivilDate.parse("--12-10").words == "10 December")
    #expect(try CivilDate.parse("1815-12").words == "December 1815")
    #expect(
      [-2, -1, 0, 1, 2].map { CivilDate.words(inDays: $0) } == [
        "2 days ago", "yesterday", "today", "tomorrow", "in 2 days",
      ])
    #expect(
      [60, 61, 365, 745, 746, 1472, 3_652_058].map { CivilDate.words(inDays: $0) } == [
        "in 60 days", "in 2 months", "in 12 months", "in 24 months", "in 2 years", "in 4 years",
        "in 9999 years",
      ])
    #expect(CivilDate.words(inDays: -61) == "2 months ago")
    #expect(CivilDate.words(inDays: -1000) == "3 years ago")
  }
}
