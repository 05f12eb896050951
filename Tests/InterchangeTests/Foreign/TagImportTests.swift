import Bytes
import Domain
import Interchange
import Testing

/// Tags, which are registers in the book and lists in files.
struct TagImportTests {
  private static let tables = [
    "Title,Tags\nMop,\"wet,Home\"\n", "Title,Tags\nMop,\"Home,wet\"\n",
  ]

  private func fields(_ book: ForeignBook) -> Set<Field> {
    Set(book.document("Mop")?.fields.map(\.field).filter(\.isTag) ?? [])
  }

  @Test(arguments: tables)
  func `Tag import: each tag gets a register, and importing again changes nothing`(
    table: String
  ) throws {
    var book = ForeignBook()
    try book.take(table, .csv)
    #expect(book.document("Mop")?.tags == ["Home", "wet"])
    #expect(fields(book) == [Field(tag: "home"), Field(tag: "wet")])
    for again in Self.tables { #expect(try book.take(again, .csv) == .init(same: 1)) }
  }

  @Test(arguments: [FileFormat.csv, .taskwarrior, .todoTxt, .markdown, .iCalendar])
  func `Tag import: a tag removed in a file is removed here, and the others stay`(
    format: FileFormat
  ) throws {
    // Books with a tag: the file of an untagged book has the digests of the other book's contents, and counts as
    // unchanged.
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"op":"add","kind":"todo","id":"a","t":1795176000000,"title":"Mop","tags":["home","wet"]}"#)
    var other = ForeignBook(number: 2)
    try other.take(try book.written(format), format)
    #expect(other.document("Mop")?.tags == ["home", "wet"])
    let id = try #require(other.document("Mop")).id.uuid
    let set = #""set":{"tags":["wet","x"]}"#
    try other.run(#"{"op":"edit","kind":"todo","id":"\#(id)","t":1795176060000,\#(set)}"#)
    try book.take(try other.written(format), format)
    #expect(book.document("Mop")?.tags == ["wet", "x"])
    #expect(book.document("Mop")?.conflicts == [])
  }

  @Test func `Tag import: the history of operations has all tags after each change`() throws {
    let lines = [
      #"{"t":1,"op":"add","kind":"todo","id":"a","title":"Mop","tags":["b","a"]}"#,
      #"{"t":2,"op":"edit","kind":"todo","id":"a","set":{"tags":["c","a"]}}"#,
      #"{"t":3,"op":"edit","kind":"todo","id":"a","set":{"tags":null}}"#,
    ]
    var book = ForeignBook()
    try book.run(lines.joined(separator: "\n"))
    #expect(book.document("Mop")?.tags == [])
    var half = ForeignBook()
    try half.run(lines.dropLast().joined(separator: "\n"))
    #expect(half.document("Mop")?.tags == ["a", "c"])
  }
}
