import Domain
import Interchange
import Testing

/// Exported cards.
struct VCardWriterTests {
  private static let ada = """
    {"t":1000,"op":"add","kind":"birthday","id":"4fbe8971-0bc3-424c-9c26-36c3e1eff6b1","firstName":"Ada",\
    "lastName":"Lovelace","birthdate":"1815-12-10","note":"first, and; best\\nof all","tags":["maths","poets"],\
    "leapRule":"march1","lead":["7","1"]}
    """

  @Test func `Card export: a card of version 3 has all fields`() throws {
    let book = try ForeignBook(Self.ada)
    let id = try #require(book.document("Ada")).id.uuid
    #expect(
      try book.written(.vCard).replacing("\r\n ", with: "").split(separator: "\r\n").filter {
        !$0.hasPrefix("X-DAYBOOK-BASE") && !$0.hasPrefix("X-DAYBOOK-DIGEST")
      }
        == [
          "BEGIN:VCARD", "VERSION:3.0", "PRODID:-//daybook//daybook 1//EN", "UID:\(id)",
          "FN:Ada Lovelace", "N:Lovelace;Ada;;;", "BDAY:1815-12-10",
          "NOTE:first\\, and\\; best\\nof all", "CATEGORIES:maths,poets",
          "X-DAYBOOK-LEAP-RULE:MAR1", "X-DAYBOOK-LEAD:7,1", "REV:19700101T000001Z", "END:VCARD",
        ])
  }

  @Test func `Card export: a card of version 4 declares its version and a URN uid`() throws {
    let book = try ForeignBook(Self.ada)
    let id = try #require(book.document("Ada")).id.uuid
    var settings = ExportSettings.test
    settings.version = 4
    let text = try book.written(.vCard, settings)
    #expect(text.contains("VERSION:4.0\r\n"))
    #expect(text.contains("UID:urn:uuid:\(id)\r\n"))
  }

  @Test(arguments: [3, 4])
  func `Card export: importing an export gives the same records`(version: Int) throws {
    let odd = String(repeating: "Zoë 🎂 ", count: 40)
    let book = try ForeignBook(
      Self.ada + "\n" + """
        {"op":"add","kind":"birthday","id":"b","lastName":"O'Neil; the, \\\\ 2nd"}
        {"op":"add","kind":"birthday","id":"c","birthdate":"--02-29","note":"\(odd)"}
        {"op":"add","kind":"birthday","id":"d","firstName":"Jean Luc","birthdate":"1985-12"}
        """)
    var settings = ExportSettings.test
    settings.version = version
    let text = try book.written(.vCard, settings)
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
      #expect(line.utf8.count <= 75)
    }
    var other = ForeignBook()
    #expect(try other.take(text, .vCard) == .init(added: 4))
    #expect(Set(other.shown) == Set(book.shown))
    var same = book
    #expect(try same.take(text, .vCard) == .init(same: 4))
  }

  @Test func `Card export: records without a counterpart are reported`() throws {
    let book = try ForeignBook(
      Self.ada + "\n" + """
        {"op":"add","kind":"todo","id":"t","title":"Sweep"}
        {"op":"add","kind":"todo","id":"u","title":"Mop"}
        """)
    let written = try FileFormat.vCard.write(book.contents(), .test)
    #expect(written.count == 1)
    #expect(written.lost.map { "\($0.count) \($0.what)" } == ["2 todos"])
    let birthdays = try FileFormat.vCard.write(book.contents([.birthday]), .test)
    #expect(birthdays.lost.isEmpty)
  }

  @Test func `Card export: birth year 1604, which means no year on cards, is reported`() throws {
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"w","firstName":"Wu","birthdate":"1604-02-29"}"#)
    let written = try FileFormat.vCard.write(book.contents(), .test)
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 year of birth 1604, which means no year in the format"
      ])
  }

  @Test func `Card export: values changed since the export are kept when the file is imported`()
    throws
  {
    var book = try ForeignBook(Self.ada)
    let text = try book.written(.vCard)
    let ada = try #require(book.document("Ada"))
    try book.run(
      #"{"op":"edit","kind":"birthday","id":"\#(ada.id.uuid)","set":{"lastName":"King"}}"#)
    #expect(
      try book.take(text.replacing("BDAY:1815-12-10", with: "BDAY:1815-12-11"), .vCard)
        == .init(edited: 1))
    let birthday = try #require(book.document("Ada").flatMap(Birthday.init))
    #expect(birthday.lastName == "King")
    #expect(birthday.birthdate?.iso == "1815-12-11")
  }
}
