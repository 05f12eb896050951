import Domain
import Interchange
import Testing

/// The signs of Obsidian's Tasks plugin, nested items, and the comments that daybook writes.
struct MarkdownFieldTests {
  /// The text of a book without the comments.
  private static func written(
    _ book: ForeignBook, _ settings: ExportSettings = .test
  ) throws -> String {
    try book.written(.markdown, settings).replacing(/\ <!-- daybook [^>]*-->/, with: "")
  }

  private static let vault = """
    # Work

    - [ ] #task Send report ⏫ 🔁 every week on Friday ➕ 2026-11-20 🛫 2026-11-25 ⏳ 2026-11-26 📅 2026-11-27
    - [x] Call **Bob** #phone 🔼 ➕ 2026-11-01 📅 2026-11-10 ✅ 2026-11-09 ^call-1
    - [-] Book flight #trip/rome ❌ 2026-11-12
    - [/] Write paper 🆔 dcf64c ⛔ a1,b2 🏁 delete 🔺 📆2026-12-24
    * [ ] Fix #5 in the #backend of C# 🔽
    - [ ] Nothing ⏬ 📅 2026-02-30
    - [ ] Reopened ✅ 2026-11-01 ❌ 2026-11-02

    """

  @Test
  func `Markdown signs: an Obsidian note becomes to-dos with their days, priorities and tags`()
    throws
  {
    var book = ForeignBook()
    let file = try FileFormat.markdown.read(Array(Self.vault.utf8))
    #expect(book.take(file) == .init(added: 7))
    #expect(
      book.toldTodos == [
        "Send report": "on Work due 2026-11-27 from 2026-11-25 high tags task",
        "Call **Bob**": "on Work due 2026-11-10 done tags phone",
        "Book flight": "on Work cancelled on 2026-11-12 tags trip/rome",
        "Write paper": "on Work due 2026-12-24 high", "Fix #5 in the #backend of C#": "on Work low",
        "Nothing ⏬ 📅 2026-02-30": "on Work", "Reopened": "on Work",
      ])
    let bob = try #require(book.document("Call **Bob**").flatMap { Todo($0) })
    #expect([bob.createdAt, bob.completedAt] == [1_793_491_200_000, 1_794_182_400_000])
    #expect(
      file.notes == [
        .line(3): [.notActedOn("⏳: 2026-11-26")],
        .line(6): [.notActedOn("⛔: a1,b2"), .notActedOn("🏁: delete")],
        .line(8): [.keptAsWritten(field: "a date", "2026-02-30")],
      ])
    #expect(try book.take(Self.vault, .markdown) == .init(same: 7))
  }

  @Test
  func `Markdown signs: an imported note is written with all that it had, in the plugin's order`()
    throws
  {
    var book = ForeignBook()
    try book.take(Self.vault, .markdown)
    let text = try Self.written(book)
    #expect(
      text == """
        # Work

        - [ ] Send report #task ⏫ 🔁 every week on Friday ➕ 2026-11-20 🛫 2026-11-25 ⏳ 2026-11-26 📅 2026-11-27
        - [x] Call **Bob** #phone 🔼 ➕ 2026-11-01 📅 2026-11-10 ✅ 2026-11-09 ^call-1
        - [-] Book flight #trip/rome ❌ 2026-11-12
        - [/] Write paper 🆔 dcf64c ⛔ a1,b2 🔺 🏁 delete 📅 2026-12-24
        - [ ] Fix #5 in the #backend of C# 🔽
        - [ ] Nothing ⏬ 📅 2026-02-30
        - [ ] Reopened ❌ 2026-11-02 ✅ 2026-11-01

        """)
    #expect(try book.take(try book.written(.markdown), .markdown) == .init(same: 7))
    var other = ForeignBook()
    try other.take(text, .markdown)
    #expect(other.toldTodos == book.toldTodos)
    #expect(try Self.written(other) == text)
  }

  @Test func `Markdown signs: a repeated to-do has its rule, and an unknown rule is kept as text`()
    throws
  {
    var book = ForeignBook()
    try book.take(Self.vault, .markdown)
    #expect(
      book.repeating("Send report")
        == "FREQ=WEEKLY;BYDAY=FR from 2026-11-27 starting 2026-11-25: 2026-11-27")
    try book.take("- [ ] Howl 🔁 every full moon 📅 2026-11-24\n", .markdown)
    #expect(
      book.document("Howl").flatMap { Repetition.rule(of: $0) } == "🔁 every full moon")
  }

  @Test func `Markdown states: a begun item stays begun until it is closed`() throws {
    var book = ForeignBook()
    try book.take("- [/] Write\n", .markdown)
    let id = try #require(book.document("Write")).id.uuid
    for (fields, line) in [
      (#""title":"Write it""#, "- [/] Write it\n"), (#""cancelled":true"#, "- [-] Write it\n"),
      (#""done":true,"completedAt":null"#, "- [x] Write it\n"),
      (#""done":false,"cancelled":false"#, "- [/] Write it\n"),
    ] {
      try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{\#(fields)}}"#)
      #expect(try Self.written(book) == line)
    }
  }

  private static let nested = """
    - [ ] Passport
      - [ ] Photo
      - some words
        - [x] Fee
    \t- [ ] Form
     - [ ] Visa
    1. [ ] Trip
       - [ ] Pack

         more about it

       - [ ] Book
    Text
      - [ ] Alone
    # Home
      - [ ] Mop

    """

  @Test func `Markdown nesting: an item below another item is its sub-task`() throws {
    var book = ForeignBook(number: 1)
    #expect(try book.take(Self.nested, .markdown) == .init(added: 10))
    let told = [
      "Passport": "", "Photo": "of Passport", "Fee": "done of Passport", "Form": "of Passport",
      "Visa": "", "Trip": "", "Pack": "of Trip", "Book": "of Trip", "Alone": "", "Mop": "on Home",
    ]
    #expect(book.toldTodos == told)
    #expect(try book.take(Self.nested, .markdown) == .init(same: 10))
    let text = try book.written(.markdown)
    #expect(
      try Self.written(book) == """
        - [ ] Passport
          - [ ] Photo
          - [x] Fee
          - [ ] Form
        - [ ] Visa
        - [ ] Trip
          - [ ] Pack
          - [ ] Book
        - [ ] Alone

        # Home

        - [ ] Mop

        """)
    #expect(try book.take(text, .markdown) == .init(same: 10))
    var other = ForeignBook(number: 2)
    try other.take(text, .markdown)
    #expect(other.toldTodos == told)
    let later = text.replacing("  - [ ] Photo", with: "- [ ] Photo")
      .replacing("- [ ] Visa", with: "  - [ ] Visa")
    #expect(try book.take(later, .markdown) == .init(edited: 4, same: 6))
    #expect(book.toldTodos["Photo"] == "")
    #expect(book.toldTodos["Form"] == "of Photo")
    #expect(book.toldTodos["Visa"] == "of Photo")
  }

  @Test
  func `Markdown nesting: a child on another list than its parent is not indented, and names it`()
    throws
  {
    var book = ForeignBook(number: 1)
    try book.run(
      """
      {"op":"add","kind":"list","id":"h","name":"Home"}
      {"op":"add","kind":"todo","id":"c","title":"Photo","list":"h"}
      {"op":"add","kind":"todo","id":"p","title":"Passport"}
      {"op":"add","kind":"todo","id":"d","title":"Frame","list":"h"}
      {"op":"edit","kind":"todo","id":"c","set":{"parent":"p"}}
      {"op":"edit","kind":"todo","id":"d","set":{"parent":"c"}}
      """)
    let text = try book.written(.markdown)
    let passport = try #require(book.document("Passport")).id.uuid
    #expect(text.contains("\n- [ ] Photo <!-- daybook "))
    #expect(text.contains(" parent:\(passport) -->"))
    #expect(text.contains("\n  - [ ] Frame <!-- daybook "))
    #expect(text.ranges(of: " parent:").count == 1)
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .markdown).added == 3)
    let told = ["Passport": "", "Photo": "on Home of Passport", "Frame": "on Home of Photo"]
    #expect(other.toldTodos == told)
    #expect(try book.take(text, .markdown) == .init(same: 3))
    #expect(try other.take(text, .markdown) == .init(same: 3))
  }

  @Test
  func `Markdown nesting: to-dos that are parts of each other, and deep to-dos, are written`()
    throws
  {
    var book = ForeignBook(number: 1)
    var lines = (0..<40).map {
      #"{"op":"add","kind":"todo","id":"t\#($0)","title":"Part \#($0)""#
        + ($0 == 0 ? "}" : #","parent":"t\#($0 - 1)"}"#)
    }
    lines += [
      #"{"op":"add","kind":"todo","id":"s","title":"Sibling","parent":"t4"}"#,
      #"{"op":"add","kind":"todo","id":"a","title":"A"}"#,
      #"{"op":"add","kind":"todo","id":"b","title":"B","parent":"a"}"#,
      #"{"op":"edit","kind":"todo","id":"a","set":{"parent":"b"}}"#,
    ]
    try book.run(lines.joined(separator: "\n"))
    let text = try book.written(.markdown)
    #expect(text.split(separator: "\n").count == 43)
    let deepest = String(repeating: " ", count: 32)
    #expect(text.contains("\n\(deepest)- [ ] Part 16") && !text.contains("\(deepest) "))
    #expect(try book.take(text, .markdown) == .init(same: 43))
    var other = ForeignBook(number: 2)
    try other.take(text, .markdown)
    let parents = (1..<40).map { other.toldTodos["Part \($0)"] }
    #expect(parents == (1..<40).map { "of Part \($0 - 1)" })
    #expect(other.toldTodos["Sibling"] == "of Part 4")
  }

  private static let book = """
    {"op":"add","kind":"list","id":"h","name":"Home stuff"}
    {"op":"add","kind":"todo","t":1795132800000,"id":"p","title":"Passport #x","list":"h","due":"2026-12-01","dueTime":1020,"zone":"Moon/Sea of --> Rains","start":"2026-11-28","remind":["1w","2h","a, b%"],"tags":["b c","A","5"]}
    {"op":"add","kind":"todo","t":1795132800000,"id":"c","title":"Photo","list":"h","parent":"p","priority":2,"due":"2026-12-02"}
    {"op":"add","kind":"todo","t":1795132800000,"id":"x","title":"Gone","parent":"p","cancelled":true,"closedOn":"2026-11-26"}
    {"op":"add","kind":"todo","t":1795132800000,"id":"d","title":"Done","done":true,"completedAt":1795219200000}
    """

  @Test func `Markdown export: another book reads every field of a to-do`() throws {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let written = try FileFormat.markdown.write(book.contents(), .test)
    #expect(written.lost.map(\.what) == [])
    let text = String(decoding: written.bytes, as: UTF8.self)
    let ids = ["Passport #x", "Photo", "Gone", "Done"].compactMap { book.document($0)?.id.uuid }
    var plain = text.replacing(/(<!-- daybook \S+) [^ :]+/) { $0.output.1 }
    for (id, name) in zip(ids, ["P", "C", "G", "D"]) { plain = plain.replacing(id, with: name) }
    #expect(
      plain == """
        - [-] Gone <!-- daybook G parent:P --> ➕ 2026-11-20 ❌ 2026-11-26
        - [x] Done <!-- daybook D --> ➕ 2026-11-20 ✅ 2026-11-21

        # Home stuff

        - [ ] Passport \\#x <!-- daybook P time:17:00 zone:Moon/Sea%20of%20--%3E%20Rains remind:1w,2h,a%2C%20b%25 tags:5,b%20c --> #A ➕ 2026-11-20 🛫 2026-11-28 📅 2026-12-01
          - [ ] Photo <!-- daybook C --> ⏫ ➕ 2026-11-20 📅 2026-12-02

        """)
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .markdown).added == 4)
    #expect(
      book.toldTodos == [
        "Passport #x":
          "on Home stuff due 2026-12-01 17:00 Moon/Sea of --> Rains from 2026-11-28 "
          + "remind 1w+2h+a, b% tags 5+A+b c",
        "Photo": "on Home stuff due 2026-12-02 high of Passport #x",
        "Gone": "cancelled on 2026-11-26 of Passport #x", "Done": "done",
      ])
    #expect(other.toldTodos == book.toldTodos)
    #expect(try book.take(text, .markdown) == .init(same: 4))
    #expect(try other.take(text, .markdown) == .init(same: 4))
  }

  @Test func `Markdown: changes by Obsidian to an exported item change only its fields`() throws {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let text = try book.written(.markdown)
    let later = text.replacing("📅 2026-12-01", with: "📅 2026-12-03 ^abc")
      .replacing("- [ ] Photo", with: "- [x] Photo")
      .replacing("📅 2026-12-02", with: "📅 2026-12-02 ✅ 2026-11-22")
      .replacing("- [x] Done", with: "- [ ] Done ⏬").replacing(" ✅ 2026-11-21", with: "")
    #expect(try book.take(later, .markdown) == .init(edited: 3, same: 1))
    #expect(
      book.toldTodos == [
        "Passport #x":
          "on Home stuff due 2026-12-03 17:00 Moon/Sea of --> Rains from 2026-11-28 "
          + "remind 1w+2h+a, b% tags 5+A+b c",
        "Photo": "on Home stuff due 2026-12-02 high done of Passport #x",
        "Gone": "cancelled on 2026-11-26 of Passport #x", "Done": "low",
      ])
    #expect(try book.written(.markdown).contains("📅 2026-12-03 ^abc\n"))
  }

  @Test func `Markdown: a comment at the end of a line, as older files have it, is read`() throws {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"m","title":"Mop"}"#)
    let id = try #require(book.document("Mop")).id.uuid
    try book.take("- [x] Mop 📅 2026-12-01 <!-- daybook \(id) 5-0123456789 -->\n", .markdown)
    #expect(book.toldTodos["Mop"] == "due 2026-12-01 done")
  }

  @Test func `Markdown without ids: comments are left out, and the lost data is reported`()
    throws
  {
    var settings = ExportSettings.test
    settings.omitsIDs = true
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let written = try FileFormat.markdown.write(book.contents(), settings)
    let text = String(decoding: written.bytes, as: UTF8.self)
    #expect(
      text == """
        - [-] Gone ➕ 2026-11-20 ❌ 2026-11-26
        - [x] Done ➕ 2026-11-20 ✅ 2026-11-21

        # Home stuff

        - [ ] Passport \\#x #A ➕ 2026-11-20 🛫 2026-11-28 📅 2026-12-01
          - [ ] Photo ⏫ ➕ 2026-11-20 📅 2026-12-02

        """)
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 parent of a sub-task", "2 tags with spaces or punctuation", "1 due time",
        "1 to-do's reminders",
      ])
    var other = ForeignBook(number: 2)
    try other.take(text, .markdown)
    #expect(other.toldTodos["Photo"] == "on Home stuff due 2026-12-02 high of Passport #x")
  }
}
