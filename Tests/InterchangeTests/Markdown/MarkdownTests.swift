import Domain
import Interchange
import Testing

struct MarkdownTests {
  private static let text = """
    Some words before.

    - [ ] Loose
    # Home ##
    - [x] Sweep
    * [X] Mop
      1) [ ] Rinse *well*
    - no box
    - [ ]
    - [y] odd
    ```
    - [ ] in a passage
    ```
    ## C# #
    + [ ] Compile

    """

  private static func shown(_ book: ForeignBook) -> Set<String> {
    Set(
      book.shownWithoutTimes.filter { $0.contains(#""todo""#) }.map { line in
        book.records.documents(.list).reduce(line) { line, list in
          line.replacing(
            "\"list\":\"\(list.id.uuid)\"", with: "\"on\":\(list.text(Field.List.name) ?? "")")
        }
      })
  }

  @Test func `Markdown: items become to-dos on the list of their heading`() throws {
    var book = ForeignBook()
    #expect(try book.take(Self.text, .markdown) == .init(added: 5))
    #expect(
      book.toldTodos == [
        "Loose": "", "Sweep": "on Home done", "Mop": "on Home done",
        "Rinse *well*": "on Home of Mop", "Compile": "on C#",
      ])
    #expect(try book.take(Self.text, .markdown) == .init(same: 5))
    let file = try FileFormat.markdown.read(Array(Self.text.utf8))
    #expect(file.passedOver == [.otherLine: 6])
    #expect(file.faults == [.line(9): .missing("title")])
  }

  @Test func `Markdown: checking an item in the file completes the to-do`() throws {
    var book = ForeignBook()
    try book.take(Self.text, .markdown)
    let later = Self.text.replacing("[ ] Loose", with: "[x] Loose")
    #expect(try book.take(later, .markdown) == .init(edited: 1, same: 4))
    #expect(book.document("Loose").flatMap { Todo($0) }?.isDone == true)
  }

  @Test func `Markdown: lists are written as headings and read back`() throws {
    var book = ForeignBook()
    try book.take(Self.text, .markdown)
    try book.run(
      """
      {"op":"add","kind":"list","id":"e","name":"Empty"}
      {"op":"add","kind":"todo","id":"d","title":"Dated","due":"2026-11-22","priority":2}
      """)
    let written = try FileFormat.markdown.write(book.contents(), .test)
    let text = String(decoding: written.bytes, as: UTF8.self)
    #expect(
      text.replacing(/\ <!-- daybook \S+ \S+ -->/, with: "") == """
        - [ ] Loose
        - [ ] Dated ⏫ ➕ 1970-01-01 📅 2026-11-22

        # Home

        - [x] Sweep
        - [x] Mop
          - [ ] Rinse *well*

        # C#

        - [ ] Compile

        # Empty

        """)
    #expect(written.lost.map(\.what) == [])
    #expect(try book.take(text, .markdown) == .init(same: 6))
    // Changes on both sides are kept.
    let loose = try #require(book.document("Loose")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(loose)","set":{"title":"Tight"}}"#)
    let later = text.replacing("- [ ] Loose", with: "- [x] Loose")
    #expect(try book.take(later, .markdown) == .init(edited: 1, same: 5))
    #expect(book.document("Tight").flatMap { Todo($0) }?.isDone == true)
    var other = ForeignBook()
    // The two test books would generate the same ids, so the ids in the text are changed.
    let foreign = text.replacing("daybook 0000", with: "daybook 1111")
    let outcome = try other.take(foreign, .markdown)
    #expect(outcome == .init(added: 6))
  }

  @Test func `Markdown: a list name that a heading cannot contain is reported`() throws {
    let book = try ForeignBook(
      #"""
      {"op":"add","kind":"list","id":"a","name":"C#"}
      {"op":"add","kind":"list","id":"b","name":"Home #"}
      {"op":"add","kind":"list","id":"c","name":"Two\nlines"}
      """#)
    let written = try FileFormat.markdown.write(book.contents(), .test)
    #expect(written.lost.map { "\($0.count) \($0.what)" } == ["2 exact names of lists"])
  }

  @Test func `Markdown: a copied item becomes a new to-do, and the original stays in its list`()
    throws
  {
    var book = try ForeignBook(
      """
      {"op":"add","kind":"list","id":"h","name":"Home"}
      {"op":"add","kind":"todo","id":"m","title":"Milk","list":"h"}
      """)
    let text = try book.written(.markdown)
    let milk = try #require(text.split(separator: "\n").first { $0.contains("Milk") })
    let copied = milk + "\n" + text
    let id = try #require(book.document("Milk")).id.uuid
    let file = try FileFormat.markdown.read(Array(copied.utf8))
    #expect(file.notes.values.flatMap(\.self) == [.sharedUID(id)])
    #expect(try book.take(copied, .markdown) == .init(added: 1, same: 1))
    #expect(
      Self.shown(book) == [
        #"{"kind":"todo","title":"Milk"}"#, #"{"kind":"todo","title":"Milk","list":"h"}"#,
      ])
  }

  @Test func `Markdown: a title that looks like markup reads back unchanged`() throws {
    for title in [
      "[x] done", "- [ ] nested", "# heading", "<!-- daybook", "a <!-- b -->", "```", "a #b",
      "#a b",
      "#a", "#a #b #c", "a \\\\#b", "\\\\#a b", "\\\\#a", "a 📅 2026-12-01", "a ⏫", "⏫",
      "📅 2026-12-01",
      "a \\\\📅 2026-12-01", "a 📅 2026-02-30", "a ^2", "a \\\\^2", "a #b 🔁 every day", "a 📅 b #c",
      "a ✅", "a #5", "a <!-- daybook b --> c", "a 📅 2026-12-01 #b ⏫",
    ] {
      let book = try ForeignBook(#"{"op":"add","kind":"todo","id":"d","title":"\#(title)"}"#)
      var other = ForeignBook()
      try other.take(try book.written(.markdown), .markdown)
      #expect(Self.shown(other) == [#"{"kind":"todo","title":"\#(title)"}"#])
    }
  }
}
