import Domain
import Interchange
import Testing

/// Parents of sub-tasks in files that the book does not have.
struct UnknownParentTests {
  private static func book() throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      """
      {"op":"add","kind":"todo","id":"a","title":"Alpha"}
      {"op":"add","kind":"todo","id":"b","title":"Beta","parent":"a"}
      {"op":"add","kind":"todo","id":"c","title":"Gamma"}
      """)
    return book
  }

  private static func parent(_ title: String, _ book: ForeignBook) -> String? {
    book.document(title)?.value(Field.Todo.parent).reference
      .flatMap { book.records.document(of: $0) }?.text(Field.Todo.title)
  }

  @Test(arguments: [FileFormat.csv, .todoTxt, .iCalendar])
  func `Unknown parent: it is reported, and the to-do stays under its parent`(
    format: FileFormat
  ) throws {
    var book = try Self.book()
    let id = try #require(book.document("Alpha")).id.uuid
    let text = try book.written(format)
    let mark =
      switch format {
      case .todoTxt: "parent:"
      case .iCalendar: "RELTYPE=PARENT:"
      default: ","
      }
    let start = try #require(text.range(of: mark + id, after: "Beta"), "\(text)")
    let odd = text[..<start.lowerBound] + mark + "nope" + text[start.upperBound...]
    #expect(try book.take(String(odd), format).disputed == 1)
    #expect(book.disputes.map(\.reason) == [.noParent])
    #expect(book.disputes.map(\.title) == ["Beta"])
    #expect(book.disputes.map(\.own) == [.value(.text("Alpha"))])
    #expect(book.disputes.map(\.told) == [.record(uid: "nope")])
    #expect(Self.parent("Beta", book) == "Alpha")
  }

  @Test func `Unknown parent: other fields of its to-do are changed and cleared`() throws {
    var book = try Self.book()
    let id = try #require(book.document("Beta")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"due":"2026-12-01"}}"#)
    let alpha = try #require(book.document("Alpha")).id.uuid
    let text = try book.written(.todoTxt).replacing("parent:\(alpha)", with: "parent:nope")
      .replacing(" due:2026-12-01", with: "").replacing("Beta", with: "Delta")
    #expect(try book.take(text, .todoTxt).edited == 1)
    #expect(Self.parent("Delta", book) == "Alpha")
    #expect(book.document("Delta")?.value(Field.Todo.due) == .null)
  }

  @Test func `Unknown parent: a title in a book's own table is read like an id`() throws {
    var book = try Self.book()
    let id = try #require(book.document("Alpha")).id.uuid
    let text = try book.written(.csv)
    let start = try #require(text.range(of: ",\(id),", after: "Beta"))
    let named = text[..<start.lowerBound] + ",Gamma," + text[start.upperBound...]
    #expect(try book.take(String(named), .csv) == .init(edited: 1, same: 2))
    #expect(Self.parent("Beta", book) == "Gamma")
  }

  @Test func `Unknown parent: a sub-task of the to-do itself is reported`() throws {
    var book = try Self.book()
    let ids = try ["Alpha", "Beta"].map { try #require(book.document($0)).id.uuid }
    // The parent of the file has lost its own parent here since then.
    let text = "Alpha parent:\(ids[1]) uuid:\(ids[0])\n"
    #expect(try book.take(text, .todoTxt).disputed == 1)
    #expect(book.disputes.map(\.reason).contains(.ownPart))
    #expect(Self.parent("Beta", book) == "Alpha")
    #expect(Self.parent("Alpha", book) == nil)
  }

  @Test func `Unknown parent: a new to-do is added without it, and this is reported`() throws {
    var book = ForeignBook(number: 2)
    #expect(
      try book.take("Mop parent:nope uuid:m\n", .todoTxt) == .init(added: 1, disputed: 1))
    #expect(book.disputes.map(\.key) == [nil])
    #expect(book.document("Mop")?.value(Field.Todo.parent) == .null)
  }

  @Test(arguments: [FileFormat.csv, .todoTxt, .markdown, .taskwarrior, .iCalendar])
  func `Unknown parent: a file of another book with only the sub-task is no dispute`(
    format: FileFormat
  ) throws {
    var book = try Self.book()
    let alpha = try #require(book.document("Alpha")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(alpha)","set":{"done":true}}"#)
    let contents = ExportContents(book.records, isOpenOnly: true, book: book.tag)
    let bytes = try format.write(contents, .test).bytes
    var other = ForeignBook(number: 2)
    for _ in 0..<3 { #expect(other.take(try format.read(bytes)).disputed == 0) }
    #expect(Self.parent("Beta", other) == nil)
    // The parent of this book stays, too.
    let id = try #require(other.document("Beta")).id.uuid
    try other.run(#"{"op":"add","kind":"todo","id":"d","title":"Delta"}"#)
    try other.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"parent":"d"}}"#)
    #expect(other.take(try format.read(bytes)).disputed == 0)
    #expect(Self.parent("Beta", other) == "Delta")
  }

  @Test func `Unknown parent: a new to-do is reported only once`() throws {
    var book = ForeignBook(number: 2)
    let line = "Mop parent:nope uuid:m\n"
    #expect(try book.take(line, .todoTxt) == .init(added: 1, disputed: 1))
    #expect(try book.take(line, .todoTxt) == .init(same: 1))
    let id = try #require(book.document("Mop")).id.uuid
    try book.run(
      """
      {"op":"add","kind":"todo","id":"d","title":"Delta"}
      {"op":"edit","kind":"todo","id":"\(id)","set":{"parent":"d"}}
      """)
    #expect(try book.take(line, .todoTxt) == .init(disputed: 1))
    #expect(Self.parent("Mop", book) == "Delta")
  }

  @Test func `Unknown parent: of to-dos that contain each other, the last is reported by title`()
    throws
  {
    let table = "Id,Title,Parent\n1,Alpha,2\n2,Beta,1\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(file.remarks.map(\.note) == [.parentOfItself("Alpha")])
  }

  @Test func `Unknown parent: a table of another program leaves the parent`() throws {
    var book = ForeignBook()
    let head = "Id,Title,Due,Parent\n1,Passport,,\n"
    try book.take(head + "2,Photo,,1\n", .csv)
    try book.take(head + "2,Photo,,9\n", .csv)
    #expect(Self.parent("Photo", book) == "Passport")
    try book.take(head + "2,Photo,,\n", .csv)
    #expect(Self.parent("Photo", book) == nil)
  }
}

extension String {
  /// Returns the first range of a text after another text.
  fileprivate func range(of text: String, after other: String) -> Range<String.Index>? {
    guard let start = ranges(of: other).first?.upperBound else { return nil }
    return self[start...].ranges(of: text).first
  }
}
