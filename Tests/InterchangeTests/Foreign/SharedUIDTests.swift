import Domain
import Interchange
import Testing

/// Different records with the same uid in one file.
struct SharedUIDTests {
  private static let ann = "BEGIN:VCARD\nUID:h25\nFN:Ann Same\nBDAY:1980-01-02\nEND:VCARD\n"
  private static let bea = "BEGIN:VCARD\nUID:h25\nFN:Bea Other\nBDAY:1981-03-04\nEND:VCARD\n"

  private static func event(_ name: String, _ date: String) -> String {
    "BEGIN:VEVENT\nUID:h25\nCATEGORIES:BIRTHDAY\nRRULE:FREQ=YEARLY\nSUMMARY:\(name)\n"
      + "DTSTART:\(date)\nEND:VEVENT\n"
  }

  /// Two records with the same uid, for each format that has uids.
  private static let files: [(FileFormat, String, added: Int, skipped: Int)] = [
    (.vCard, ann + bea, 2, 0),
    (
      .iCalendar,
      "BEGIN:VCALENDAR\n\(event("Ann Same", "19800102"))\(event("Bea Other", "19810304"))END:VCALENDAR\n",
      2, 0
    ),
    (
      .iCalendar,
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Ann\nEND:VTODO\nBEGIN:VTODO\nUID:a\nSUMMARY:Bea\n"
        + "END:VTODO\nEND:VCALENDAR\n", 2, 0
    ),
    (.csv, "Id,Name,Birthday\n1,Ann Same,1980-01-02\n1,Bea Other,1981-03-04\n", 2, 0),
    (.csv, "Id,Title\n1,Ann\n1,Bea\n", 2, 0),
    (
      .todoTxt,
      "Ann uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1\nBea uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1\n",
      2, 0
    ),
    (
      .taskwarrior,
      #"[{"uuid":"4fbe8971-0bc3-424c-9c26-36c3e1eff6b1","description":"Ann","status":"pending"},"#
        + "\n"
        + #"{"uuid":"4fbe8971-0bc3-424c-9c26-36c3e1eff6b1","description":"Bea","status":"pending"}]"#,
      1, 1
    ),
  ]

  @Test(arguments: files)
  func `Shared uid: two different records are both kept, and a second import changes nothing`(
    format: FileFormat, text: String, added: Int, skipped: Int
  ) throws {
    var book = ForeignBook()
    let file = try format.read(Array(text.utf8))
    #expect(file.skipped.count == skipped)
    #expect(book.take(file) == .init(added: added))
    let shown = book.shown
    #expect(shown.count == added)
    #expect(try book.take(text, format) == .init(same: added))
    #expect(book.shown == shown)
    // Importing the export finds each record again.
    if [.vCard, .iCalendar].contains(format) {
      #expect(try book.take(try book.written(format), format) == .init(same: added))
      #expect(book.shown == shown)
    }
  }

  @Test func `Shared uid: the second record is reported with the uid`() throws {
    let file = try FileFormat.vCard.read(Array((Self.ann + Self.bea).utf8))
    #expect(
      file.remarks == [.init(place: .part("VCARD", 2, line: 6), note: .sharedUID("h25"))])
  }

  @Test func `Shared uid: the known record is found at any position`() throws {
    var book = ForeignBook()
    try book.take(Self.ann, .vCard)
    let before = book.shown
    #expect(try book.take(Self.bea + Self.ann, .vCard) == .init(added: 1, same: 1))
    #expect(book.shown.first == before.first)
    #expect(try book.take(Self.ann + Self.bea, .vCard) == .init(same: 2))
    // A change in the file is applied to the correct record.
    let later = Self.bea + Self.ann.replacing("1980-01-02", with: "1980-01-03")
    #expect(try book.take(later, .vCard) == .init(edited: 1, same: 1))
    #expect(book.document("Ann").flatMap(Birthday.init)?.birthdate?.iso == "1980-01-03")
    #expect(book.document("Bea").flatMap(Birthday.init)?.birthdate?.iso == "1981-03-04")
  }

  @Test func `Shared uid: two new records do not replace any record of the book`() throws {
    var book = ForeignBook()
    try book.take(Self.ann, .vCard)
    let others = Self.bea + Self.bea.replacing("Bea", with: "Cleo")
    #expect(try book.take(others, .vCard) == .init(added: 2))
    #expect(book.shown.count == 3)
  }

  @Test func `Shared uid: two people with one name stay separate`() throws {
    let twin = Self.ann.replacing("1980-01-02", with: "1980-01-03")
    var book = ForeignBook()
    #expect(try book.take(Self.ann + twin, .vCard) == .init(added: 2))
    #expect(try book.take(Self.ann + twin, .vCard) == .init(same: 2))
  }

  @Test func `Shared uid: a repeated or split record is one record`() throws {
    var book = ForeignBook()
    let file = try FileFormat.vCard.read(Array((Self.ann + Self.ann).utf8))
    #expect(file.remarks.isEmpty)
    #expect(book.take(file) == .init(added: 1, same: 1))
    let rows = try FileFormat.csv.read(Array("Id,Name,Birthday\n1,Ann,\n1,Ann,1980-01-02\n".utf8))
    #expect(rows.remarks.isEmpty)
    #expect(book.take(rows).added <= 1)
  }
}
