import Domain
import Interchange
import Testing

/// Repeating to-dos exchanged between books and Obsidian's Tasks plugin.
struct MarkdownRepeatTests {
  /// The text of a book without the comments.
  private static func written(
    _ book: ForeignBook, _ settings: ExportSettings = .test
  ) throws -> String {
    try book.written(.markdown, settings).replacing(/\ <!-- daybook [^>]*-->/, with: "")
  }

  @Test(arguments: [
    ("every day", "FREQ=DAILY"), ("every 3 days when done", "FREQ=DAILY;INTERVAL=3;FROM=DONE"),
    ("every week", "FREQ=WEEKLY"),
    ("every 2 weeks on Monday, Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
    ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("every month", "FREQ=MONTHLY"),
    ("every month on the 1st, 22nd, last", "FREQ=MONTHLY;BYMONTHDAY=1,22,-1"),
    ("every 3 months on the last Friday", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR"),
    ("every month on the 2nd last", "FREQ=MONTHLY;BYMONTHDAY=-2"), ("every year", "FREQ=YEARLY"),
    ("every January, March on the 15th", "FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=15"),
  ])
  func `Markdown repeats: a rule of the plugin repeats the to-do, and is written in its words`(
    words: String, rule: String
  ) throws {
    let line = "- [ ] Dust 🔁 \(words) 📅 2026-11-23\n"
    let file = try FileFormat.markdown.read(Array(line.utf8))
    #expect(file.remarks == [])
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 1))
    #expect(book.repeating("Dust") == "\(rule) from 2026-11-23: 2026-11-23")
    #expect(try Self.written(book) == line)
    #expect(try book.take(line, .markdown) == .init(same: 1))
    let own = try ForeignBook.ofBins(#""due":"2026-11-23","repeat":"\#(rule)""#)
    #expect(try Self.written(own) == "- [ ] Bins 🔁 \(words) ➕ 2026-11-20 📅 2026-11-23\n")
    #expect(try !own.written(.markdown).contains(" repeat:"))
  }

  @Test(arguments: [
    ("every Monday", "FREQ=WEEKLY;BYDAY=MO"), ("every mon and thu", "FREQ=WEEKLY;BYDAY=MO,TH"),
    ("every other week", "FREQ=WEEKLY;INTERVAL=2"),
    ("every month on the first Monday", "FREQ=MONTHLY;BYDAY=1MO"),
    ("every March on the last Sunday", "FREQ=MONTHLY;BYMONTH=3;BYDAY=-1SU"),
    ("every january on the 15th", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=15"),
  ])
  func `Markdown repeats: other words for a rule are read, and kept while they mean the rule`(
    words: String, rule: String
  ) throws {
    var book = ForeignBook()
    try book.take("- [ ] Dust 🔁 \(words) 📅 2026-11-23\n", .markdown)
    #expect(book.repeating("Dust") == "\(rule) from 2026-11-23: 2026-11-23")
    #expect(try Self.written(book).contains("🔁 \(words) 📅"))
    let id = try #require(book.document("Dust")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"repeat":"FREQ=DAILY"}}"#)
    #expect(try Self.written(book).contains("🔁 every day 📅"))
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"repeat":null}}"#)
    #expect(try Self.written(book) == "- [ ] Dust 📅 2026-11-23\n")
  }

  @Test(arguments: [
    "every", "every 0 days", "every 3 blue moons", "every day at 10", "every week on the 15th",
    "every 2 Mondays", "every year on Monday", "every month on the 32nd", "every weekend",
  ])
  func `Markdown repeats: an unsupported rule is kept and reported`(words: String) throws {
    let line = "- [ ] Dust 🔁 \(words) 📅 2026-11-23\n"
    let file = try FileFormat.markdown.read(Array(line.utf8))
    #expect(file.remarks.map(\.note) == [.notActedOn("🔁: \(words)")])
    var book = ForeignBook()
    book.take(file)
    #expect(book.repeating("Dust") == nil)
    #expect(try Self.written(book) == line)
  }

  @Test func `Markdown series: a comment has the data that the plugin does not show`() throws {
    var book = try ForeignBook.ofBins(
      #""due":"2026-11-23","start":"2026-11-20","repeat":"FREQ=WEEKLY;MISSED=KEEP","until":"2027-02-28""#
    )
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-26""#)
    let text = try book.written(.markdown)
    #expect(
      text.contains(
        " repeat:FREQ=WEEKLY;MISSED=KEEP first:2026-11-23/2026-11-20 until:2027-02-28 "
          + "slot:2026-11-30 slots:2026-11-23=done/2026-11-26/1970-01-01T00%3A00%3A00.002Z --> "
          + "🔁 every week ➕ 2026-11-20 🛫 2026-11-27 📅 2026-11-30\n"))
    var settings = ExportSettings.test
    settings.omitsIDs = true
    let written = try FileFormat.markdown.write(book.contents(), settings)
    #expect(
      String(decoding: written.bytes, as: UTF8.self)
        == "- [ ] Bins 🔁 every week ➕ 2026-11-20 🛫 2026-11-27 📅 2026-11-30\n")
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 closed date of a repeating to-do", "1 end or exact rule of a repeat",
      ])
  }

  @Test func `Markdown series: a completion by the plugin closes the current date`()
    throws
  {
    func after(_ rule: String, next: String) throws -> String? {
      var book = try ForeignBook.ofBins(#""due":"2026-11-23","repeat":"\#(rule)""#)
      let line = try book.written(.markdown)
      let done = line.replacing("- [ ]", with: "- [x]").replacing("\n", with: " ✅ 2026-11-26\n")
      let text = line.replacing("📅 2026-11-23", with: "📅 \(next)") + done
      #expect(try book.take(text, .markdown) == .init(edited: 1))
      #expect(try book.take(text, .markdown) == .init(same: 1))
      return book.repeating("Bins")
    }
    #expect(
      try after("FREQ=WEEKLY", next: "2026-11-30")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-26")
    #expect(
      try after("FREQ=WEEKLY;FROM=DONE", next: "2026-12-03")
        == "FREQ=WEEKLY;FROM=DONE from 2026-11-23: 2026-12-03; 2026-11-23 done 2026-11-26")
    #expect(
      try after("FREQ=WEEKLY;BYDAY=MO,TH", next: "2026-11-26")
        == "FREQ=WEEKLY;BYDAY=MO,TH from 2026-11-23: 2026-11-26; 2026-11-23 done 2026-11-26")
  }

  @Test func `Markdown repeats: without ids, a completed item and the next item are two to-dos`()
    throws
  {
    var book = ForeignBook()
    try book.take("- [ ] Dust 🔁 every week 📅 2026-11-23\n", .markdown)
    let later = """
      - [ ] Dust 🔁 every week 📅 2026-11-30
      - [x] Dust 🔁 every week 📅 2026-11-23 ✅ 2026-11-24

      """
    #expect(try book.take(later, .markdown) == .init(added: 1, edited: 1))
    #expect(book.repeating("Dust") == "FREQ=WEEKLY from 2026-11-30: 2026-11-30")
    #expect(book.records.documents(.todo).count { Todo($0)?.isDone == true } == 1)
  }
}
