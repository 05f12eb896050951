import Domain
import Interchange
import Testing

/// Reads cards in the forms of phones and programs.
struct VCardReaderTests {
  private func names(_ lines: String) throws -> [String?] {
    let file = try VCardBirthdayTests.read(lines + "BDAY:1815-12-10\r\n")
    let fields = try #require(file.records.first).fields
    return [Field.Birthday.firstName, Field.Birthday.lastName].map { field in
      if case .value(let value)? = fields[field] { value.text } else { nil }
    }
  }

  @Test func `Card reading: names come from their parts, otherwise from the full name`() throws {
    #expect(try names("N:Lovelace;Ada;;;\r\nFN:Countess\r\n") == ["Ada", "Lovelace"])
    #expect(try names("FN:Ada King Lovelace\r\n") == ["Ada King", "Lovelace"])
    #expect(try names("FN:Lovelace\\, Ada\r\n") == ["Ada", "Lovelace"])
    #expect(try names("FN:Ada\r\nN:;;;;\r\n") == ["Ada", nil])
    #expect(try names("N:Lovelace\r\n") == [nil, "Lovelace"])
    #expect(
      try names("N:de la Cruz\\;x;Ana\\, Mar\u{ED}a,Luz;;;\r\n") == [
        "Ana, María Luz", "de la Cruz;x",
      ])
  }

  @Test func `Card reading: folded lines are joined, even within a character`() throws {
    let folded =
      Array("FN:Jos".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xA9, 0x0A, 0x09] + Array(" P\r\n".utf8)
    let bytes =
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\n".utf8) + folded
      + Array("BDAY:1815-\n 12-10\nEND:VCARD".utf8)
    let record = try #require(try FileFormat.vCard.read(bytes).records.first)
    #expect(record.fields[Field.Birthday.firstName] == .value(.text("José")))
    #expect(record.fields[Field.Birthday.birthdate] != nil)
  }

  @Test func `Card reading: version 2.1 declares encoding and character set`() throws {
    #expect(
      try names("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\nller;J=C3=B6rg;;;\r\n")
        == ["Jörg", "Müller"])
    #expect(
      try names("N;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller;J=F6rg\r\n") == ["Jörg", "Müller"])
    let latin =
      Array("BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=windows-1252:M".utf8) + [0xFC]
      + Array("ller;J\r\nBDAY:19960415\r\nEND:VCARD\r\n".utf8)
    let record = try #require(try FileFormat.vCard.read(latin).records.first)
    #expect(record.fields[Field.Birthday.lastName] == .value(.text("Müller")))
  }

  @Test func `Card reading: properties without a field are kept and written back`() throws {
    let card = """
      BEGIN:VCARD\r
      VERSION:3.0\r
      N:Lovelace;Ada;King;Dr.;\r
      FN:Dr. Ada Lovelace\r
      UID:3B1AC6E1-1111-4222-8333-444455556666\r
      BDAY:1815-12-10\r
      item1.X-ABDATE;TYPE=pref:1835-07-08\r
      item1.X-ABLabel:_$!<Anniversary>!$_\r
      TEL;TYPE=CELL,VOICE:+44 20 1\r
      ADR;TYPE=HOME:;;12\\, St James;London;;;UK\r
      PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r
      END:VCARD\r

      """
    var book = ForeignBook()
    try book.take(card, .vCard)
    let written = try book.written(.vCard)
    for line in card.split(separator: "\r\n") {
      #expect(written.contains("\(line)\r\n"), "\(line)")
    }
    #expect(try book.take(written, .vCard) == .init(same: 1))
    var settings = ExportSettings.test
    settings.version = 4
    let four = try book.written(.vCard, settings)
    #expect(four.contains("PHOTO:data:image/jpeg;base64,/9j/4AAQ\r\n"))
    // A changed name keeps the other components of the old name.
    let ada = try #require(book.document("Ada"))
    try book.run(
      #"{"op":"edit","kind":"birthday","id":"\#(ada.id.uuid)","set":{"firstName":"Augusta"}}"#)
    let renamed = try book.written(.vCard)
    #expect(renamed.contains("\r\nN:Lovelace;Augusta;King;Dr.;\r\n"))
    #expect(renamed.contains("\r\nFN:Augusta Lovelace\r\n"))
  }

  @Test func `Card reading: bare type parameters are written back with names`() throws {
    var book = ForeignBook()
    try book.take(
      "BEGIN:VCARD\nVERSION:2.1\nN:A;B\nBDAY:19960415\nTEL;HOME;VOICE:1\n"
        + "PHOTO;JPEG;BASE64:\n /9j/\n 4AAQ\n\nEND:VCARD\n", .vCard)
    let written = try book.written(.vCard)
    #expect(written.contains("\r\nTEL;TYPE=HOME,VOICE:1\r\n"))
    #expect(written.contains("\r\nPHOTO;TYPE=JPEG;ENCODING=b:/9j/4AAQ\r\n"))
  }

  @Test func `Card reading: the uid is written back unchanged`() throws {
    for uid in [
      "urn:uuid:4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1", "ABC",
      "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
    ] {
      var book = ForeignBook()
      try book.take("BEGIN:VCARD\nUID:\(uid)\nFN:A\nBDAY:19960415\nEND:VCARD\n", .vCard)
      #expect(try book.written(.vCard).contains("\r\nUID:\(uid)\r\n"))
      #expect(
        try book.take("BEGIN:VCARD\nUID:\(uid)\nFN:A\nBDAY:19960415\nEND:VCARD\n", .vCard)
          == .init(same: 1))
    }
  }

  @Test
  func `Card reading: cards without a birthday are skipped unless known or requested`()
    throws
  {
    let card = "BEGIN:VCARD\nUID:u\nFN:A B\nEND:VCARD\nBEGIN:VCARD\nFN:C\nEND:VCARD\n"
    var book = ForeignBook()
    #expect(try book.take(card, .vCard) == .init(passed: 1))
    #expect(try FileFormat.vCard.read(Array(card.utf8)).passedOver == [.cardWithoutBirthday: 1])
    try book.take("BEGIN:VCARD\nUID:u\nFN:A B\nBDAY:19960415\nEND:VCARD\n", .vCard)
    // The birthday was removed from the card.
    #expect(try book.take(card, .vCard) == .init(edited: 1))
    #expect(book.shown == [#"{"kind":"birthday","firstName":"A","lastName":"B"}"#])
    var settings = ForeignSettings()
    settings.takesAll = true
    var all = ForeignBook()
    #expect(try all.take(card, .vCard, settings) == .init(added: 2))
  }

  @Test func `Card reading: bad cards are reported and skipped, and the others are read`() throws {
    let text = """
      BEGIN:VCARD
      FN:Never Ended
      BDAY:19960415
      BEGIN:VCARD
      FN:Ada Lovelace
      no property
      BDAY:18151210
      END:VCARD
      BEGIN:VCARD
      BDAY;VALUE=text:when
      END:VCARD
      END:VCARD
      stray:1
      """
    let file = try FileFormat.vCard.read(Array(text.utf8))
    #expect(file.records.count == 1)
    #expect(
      Set(file.skipped) == [
        .init(place: .line(6), fault: .broken("no property")),
        .init(place: .part("VCARD", 1, line: 1), fault: .broken("END:VCARD is missing")),
        .init(place: .part("VCARD", 3, line: 9), fault: .missing("a name or a date")),
        .init(place: .line(12), fault: .broken("END:VCARD has no matching BEGIN")),
        .init(place: .line(13), fault: .broken("STRAY is outside all components")),
      ])
  }

  @Test func `Card reading: limits of file, values, records and depth are enforced`() throws {
    var settings = ForeignSettings()
    (settings.limits.fieldBytes, settings.limits.records, settings.limits.depth) = (100, 2, 3)
    let photo = String(repeating: "A", count: 200)
    let card = "BEGIN:VCARD\nFN:A\nBDAY:1996\nPHOTO:\(photo)\nEND:VCARD\n"
    let one = try FileFormat.vCard.read(Array(card.utf8), settings)
    #expect(one.records.count == 1)
    #expect(one.remarks.map(\.note) == [.leftOut("PHOTO", bytes: 206)])
    #expect(throws: ForeignFault.tooMany(limit: 2)) {
      try FileFormat.vCard.read(Array(String(repeating: card, count: 3).utf8), settings)
    }
    settings.limits.fileBytes = 10
    #expect(throws: ForeignFault.tooLarge("the file", limit: 10)) {
      try FileFormat.vCard.read(Array(card.utf8), settings)
    }
    let deep = "BEGIN:VCARD\n" + String(repeating: "BEGIN:X\n", count: 200_000)
    let nested = try FileFormat.vCard.read(Array(deep.utf8))
    #expect(nested.skipped.contains { $0.fault == .tooDeep(limit: 64) })
  }

  @Test func `Card reading: a card too large for a record loses its largest properties`() throws {
    let photo = String(repeating: "A", count: 60_000)
    let file = try VCardBirthdayTests.read(
      "UID:u\r\nFN:A\r\nBDAY:1996\r\nTEL:1\r\nPHOTO;ENCODING=b:\(photo)\r\n")
    #expect(file.remarks.map(\.note) == [.leftOut("PHOTO", bytes: 60_017)])
    #expect(
      file.records.map(\.extra) == [["lines": "VERSION:3.0\nUID:u\nFN:A\nBDAY:1996\nTEL:1"]])
  }
}
