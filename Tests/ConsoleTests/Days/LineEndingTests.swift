import Domain
import Phrasing
import Testing

/// The date phrases that end a line of quick add, on Thursday, 26 November 2026.
struct LineEndingTests {
  private let today: CivilDate

  init() throws { today = try CivilDate(year: 2026, month: 11, day: 26) }

  /// Returns the rest of the line and the date that ends it; nil if no date does.
  private func read(_ line: String) -> [String]? {
    guard case .date(let closing) = LineEndingReader(line, today: today).ending else { return nil }
    return [String(line[..<closing.range.lowerBound]), closing.date.iso]
  }

  @Test(arguments: [
    ("Call Bob fri", "2026-11-27"), ("Call Bob übermorgen", "2026-11-28"),
    ("Call Bob next friday", "2026-11-27"), ("Call Bob 明天", "2026-11-27"),
    ("Call Bob 周五", "2026-11-27"), ("Call Bob due tomorrow", "2026-11-27"),
  ])
  func `Quick line: the whole words that end a line are its date`(
    line: String, date: String
  ) throws {
    #expect(read(line) == ["Call Bob ", date])
  }

  @Test(arguments: [
    "Call Bob fr", "Call Bob so", "Call Bob 1", "Call Bob \\tomorrow", "Call tomorrow Bob",
    "Call Bobtomorrow", "打扫明天", "tomorrow", "明天", "next friday", "Move monitor",
    "Book a table for friday",
  ])
  func `Quick line: short words, parts of words and whole lines are not dates`(line: String) {
    #expect(read(line) == nil)
  }
}
