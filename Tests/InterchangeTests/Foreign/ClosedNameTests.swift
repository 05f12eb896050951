import Domain
import Interchange
import Testing

/// Files of other programs with the titles of to-dos that the book has closed.
struct ClosedNameTests {
  private static func state(_ book: ForeignBook) -> [String] {
    book.records.documents(.todo).filter(\.isAlive).map { todo in
      let sign = todo.value(Field.Todo.done).boolean == true ? "x" : " "
      let due = todo.value(Field.Todo.due).date?.iso ?? ""
      return "[\(sign)] \(todo.text(Field.Todo.title) ?? "") \(due)"
    }.sorted()
  }

  private static let files: [(format: FileFormat, text: String)] = [
    (.csv, "Title,Due Date,Notes\nMilk,DAY,a\n"), (.todoTxt, "Milk due:DAY\n"),
    (.markdown, "- [ ] Milk 📅 DAY\n"),
  ]

  @Test(arguments: [0, 1, 2])
  func `Closed name: another file adds the to-do anew, and the same file changes nothing`(
    number: Int
  ) throws {
    let (format, words) = Self.files[number]
    func text(_ day: String) -> String { words.replacing("DAY", with: day) }
    var book = ForeignBook()
    try book.take(text("2026-11-20"), format)
    let id = try #require(book.document("Milk")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"done":true}}"#)
    #expect(try book.take(text("2026-11-20"), format).added == 0)
    #expect(Self.state(book) == ["[x] Milk 2026-11-20"])
    #expect(try book.take(text("2026-12-20"), format).added == 1)
    #expect(book.disputes.map(\.reason) == [.closed])
    #expect(Self.state(book) == ["[ ] Milk 2026-12-20", "[x] Milk 2026-11-20"])
    // The new to-do is found again.
    #expect(try book.take(text("2026-12-20"), format).added == 0)
    #expect(try book.take(text("2026-12-21"), format).edited == 1)
    #expect(Self.state(book) == ["[ ] Milk 2026-12-21", "[x] Milk 2026-11-20"])
    #expect(book.disputes.count == 1)
  }

  @Test func `Closed name: a to-do that was closed in its file is reopened in it`() throws {
    var book = ForeignBook()
    try book.take("x Milk\n", .todoTxt)
    #expect(try book.take("Milk due:2026-12-01\n", .todoTxt) == .init(edited: 1))
    #expect(Self.state(book) == ["[ ] Milk 2026-12-01"])
  }

  @Test func `Closed name: a table that is read with its lists later finds its to-dos`() throws {
    let rows = "Milk,Home,\nMilk,Work,\nShop,Home,\nBread,Home,Shop\n"
    var book = ForeignBook()
    try book.take("Title,Shelf mark,Parent\n" + rows, .csv)
    let text = "Title,List,Parent\n" + rows
    #expect(try book.take(text, .csv) == .init(edited: 4))
    #expect(try book.take(text, .csv) == .init(same: 4))
    let lists = book.records.documents(.todo).compactMap { todo in
      todo.value(Field.Todo.list).reference.flatMap { book.records.document(of: $0) }
    }
    #expect(
      lists.compactMap { $0.text(Field.List.name) }.sorted() == ["Home", "Home", "Home", "Work"])
    let bread = try #require(book.document("Bread"))
    #expect(bread.value(Field.Todo.parent).reference == book.document("Shop")?.key)
    // Another list of another file is another to-do.
    #expect(try book.take("Title,List\nShop,Garden\n", .csv).added == 1)
  }

  @Test func `Closed name: sub-tasks follow the new to-do`() throws {
    func text(_ due: String) -> String { "- [ ] Shop 📅 \(due)\n  - [ ] Milk 📅 \(due)\n" }
    var book = ForeignBook()
    try book.take(text("2026-11-20"), .markdown)
    for title in ["Milk", "Shop"] {
      let id = try #require(book.document(title)).id.uuid
      try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"done":true}}"#)
    }
    #expect(try book.take(text("2026-12-20"), .markdown).added == 2)
    let open = book.records.documents(.todo).filter { $0.value(Field.Todo.done).boolean != true }
    let milk = try #require(open.first { $0.text(Field.Todo.title) == "Milk" })
    let shop = try #require(open.first { $0.text(Field.Todo.title) == "Shop" })
    #expect(milk.value(Field.Todo.parent).reference == shop.key)
  }
}
