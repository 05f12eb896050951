import Domain
import Interchange
import Testing

/// Repeated imports of a table, and imports of a book's own table.
struct CSVMergeTests {
  private static func writingBook() throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"op":"add","kind":"todo","id":"r","title":"Mop","due":"2026-12-01","note":"Kitchen"}"#)
    return book
  }

  @Test func `CSV: a missing column leaves its field unchanged, and an empty cell clears it`()
    throws
  {
    var book = ForeignBook()
    try book.take("Id,Title,Due,Note\nr,Mop,2026-12-01,Kitchen\n", .csv)
    #expect(try book.take("Id,Title,Due\nr,Mop the floor,\n", .csv) == .init(edited: 1))
    #expect(book.shown == [#"{"kind":"todo","title":"Mop the floor","note":"Kitchen"}"#])
  }

  @Test func `CSV: an empty cell in the book's own table clears the field`() throws {
    var book = try Self.writingBook()
    let table = try book.written(.csv).replacing("2026-12-01", with: "")
    #expect(try book.take(table, .csv) == .init(edited: 1))
    #expect(book.shown == [#"{"kind":"todo","title":"Mop","note":"Kitchen"}"#])
  }

  @Test func `CSV: a column removed from the book's own table changes nothing`() throws {
    var book = try Self.writingBook()
    let rows = try book.written(.csv).split(separator: "\r\n").map { row in
      row.replacing("Due", with: "").replacing("2026-12-01", with: "").replacing(",,", with: ",")
    }
    #expect(rows[0].contains("Title,Done,Priority,Created at,Note,"))
    #expect(
      try book.take(rows.joined(separator: "\r\n"), .csv) == .init(same: 1))
  }

  @Test(arguments: [FileFormat.csv, .taskwarrior])
  func `CSV: values changed in the book since the export are kept`(format: FileFormat) throws {
    var book = try Self.writingBook()
    let file = try book.written(format)
    let id = try #require(book.records.documents(.todo).first).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"title":"Mop the floor"}}"#)
    #expect(try book.take(file, format) == .init(outdated: 1))
    #expect(try book.take(file.replacing("Kitchen", with: "Hall"), format) == .init(edited: 1))
    #expect(
      book.shown == [#"{"kind":"todo","title":"Mop the floor","due":"2026-12-01","note":"Hall"}"#])
  }

  @Test(arguments: ["base", "known", "=base", "==known"])
  func `CSV: a column with a reserved name survives a round trip`(
    header: String
  ) throws {
    var book = ForeignBook(number: 1)
    try book.take("Title,\(header),Size\nMop,5,6\n", .csv)
    var settings = ExportSettings.test
    settings.isRaw = true
    let rows = try book.written(.csv, settings).split(separator: "\r\n")
    let names = rows[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let cells = rows[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let pairs = zip(names, cells).filter { [header, "Size"].contains($0.0) }.map { [$0, $1] }
    #expect(Set(pairs) == [[header, "5"], ["Size", "6"]])
    #expect(try book.take(rows.joined(separator: "\r\n"), .csv) == .init(same: 1))
  }
}
