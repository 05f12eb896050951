import Domain
import Interchange
import Testing

/// Imported cards that are exported again.
///
/// Only changed lines may differ.
struct KeptCardTests {
  /// A book with an imported card, and its export.
  struct Desk {
    var book = ForeignBook()
    let card: String

    init(_ lines: String) throws {
      card = "BEGIN:VCARD\r\n\(lines)END:VCARD\r\n"
      try book.take(card, .vCard)
    }

    mutating func set(_ fields: String) throws {
      let id = try #require(book.records.documents(.birthday).first).id.uuid
      try book.run(#"{"op":"edit","kind":"birthday","id":"\#(id)","set":{\#(fields)}}"#)
    }

    /// The exported lines, without the digests.
    func lines(version: Int? = nil) throws -> [String] {
      var settings = ExportSettings.test
      settings.version = version
      return try book.written(.vCard, settings).replacing("\r\n ", with: "")
        .split(separator: "\r\n").map(String.init).filter { !$0.hasPrefix("X-DAYBOOK-") }
    }

    var came: [String] { card.split(separator: "\r\n").map(String.init) }
  }

  static let cards: [String] = [
    "VERSION:3.0\r\nUID:u\r\nFN:Kay Offset\r\nN:Offset;Kay;;;\r\nBDAY:19730928T041500+0100\r\n",
    "VERSION:4.0\r\nUID:u\r\nFN:Zac Hours\r\nN:Hours;Zac;;;\r\nBDAY:--0314T103000\r\n",
    "VERSION:3.0\r\nBDAY;ALTID=1;X-SOURCE=phone:19900203\r\nN:Mark;Ian;;;\r\nFN:Ian Mark\r\nUID:u\r\n",
    "VERSION:3.0\r\nUID:u\r\nFN:J\r\nN:;J;;;\r\nitem3.BDAY;VALUE=date:1977-03-04\r\nitem3.X-ABLabel:registered\r\n",
    "VERSION:4.0\r\nUID:u\r\nFN:Tim\r\nN:Days;Tim;;;\r\nBDAY:20250425\r\nBDAY:20240424\r\n",
    "VERSION:4.0\r\nUID:u\r\nFN:Tess\r\nN:;Tess;;;\r\nBDAY;ALTID=1;VALUE=text:spring of 1950\r\nBDAY;ALTID=1:19500402\r\n",
    "VERSION:4.0\r\nUID:u\r\nFN;PREF=1:Ada King\r\nFN;LANGUAGE=it:Contessa\r\nN:King;Ada;;;\r\nN;LANGUAGE=it:Re;Ada;;;\r\nBDAY:18151210\r\n",
    "VERSION:3.0\r\nPRODID:-//Other//EN\r\nUID:u\r\nFN:A\r\nN:;A;;;\r\nREV:20200101T000000Z\r\nBDAY:1815-12-10\r\nCATEGORIES:a,b\r\n"
      + "CATEGORIES:c\r\nNOTE:one\r\nNOTE;LANGUAGE=de:eins\r\nNOTE:two\r\ntel;type=\"cell\";type=pref:1\r\n",
    "VERSION:3.0\r\nUID:u\r\nFN:A\r\nN:;A;;;\r\nBDAY:1815-12-10\r\nBEGIN:X-PART\r\nX-A:1\r\nEND:X-PART\r\n",
  ]

  @Test(arguments: cards)
  func `Kept cards: an unchanged card is written back line by line`(lines: String) throws {
    let desk = try Desk(lines)
    #expect(try desk.lines() == desk.came)
    var book = desk.book
    #expect(try book.take(try book.written(.vCard), .vCard) == .init(same: 1))
  }

  static let changes: [(String, String, [String: String?])] = [
    // The change, the card, and the lines that the change replaces.
    (
      #""birthdate":"1973-09-29""#, cards[0],
      ["BDAY:19730928T041500+0100": "BDAY:1973-09-29T041500+0100"]
    ),
    (#""birthdate":"--03-15""#, cards[1], ["BDAY:--0314T103000": "BDAY:--0315T103000"]),
    (#""birthdate":"1990-03-14""#, cards[1], ["BDAY:--0314T103000": "BDAY:19900314T103000"]),
    (#""birthdate":"1985-12""#, cards[1], ["BDAY:--0314T103000": "BDAY:1985-12"]),
    (
      #""birthdate":"1990-02-04""#, cards[2],
      ["BDAY;ALTID=1;X-SOURCE=phone:19900203": "BDAY;ALTID=1;X-SOURCE=phone:1990-02-04"]
    ),
    (
      #""birthdate":"--03-04""#, cards[3],
      [
        "item3.BDAY;VALUE=date:1977-03-04":
          "item3.BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-03-04"
      ]
    ),
    (#""birthdate":null"#, cards[3], ["item3.BDAY;VALUE=date:1977-03-04": String?.none]),
    (
      #""birthdate":null"#, cards[4],
      ["BDAY:20250425": String?.none, "BDAY:20240424": String?.none]
    ),
    (#""birthdate":"2025-04-26""#, cards[4], ["BDAY:20250425": "BDAY:20250426"]),
    (#""birthdate":"1950-04-03""#, cards[5], ["BDAY;ALTID=1:19500402": "BDAY;ALTID=1:19500403"]),
    (
      #""lastName":"Lovelace""#, cards[6],
      ["FN;PREF=1:Ada King": "FN;PREF=1:Ada Lovelace", "N:King;Ada;;;": "N:Lovelace;Ada;;;"]
    ),
    (
      #""note":"three""#, cards[7], ["NOTE:one": "NOTE:three", "NOTE:two": String?.none]
    ),
    (
      #""tags":["c","d"]"#, cards[7],
      ["CATEGORIES:a,b": "CATEGORIES:c,d", "CATEGORIES:c": String?.none]
    ),
  ]

  @Test(arguments: changes)
  func `Kept cards: a change rewrites only its own lines`(
    fields: String, lines: String, others: [String: String?]
  ) throws {
    var desk = try Desk(lines)
    try desk.set(fields)
    let expected = desk.came.compactMap { line in others[line] ?? line }
    // The time of the last change always differs.
    func unstamped(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("REV") } }
    #expect(unstamped(try desk.lines()) == unstamped(expected))
    var other = ForeignBook()
    try other.take(try desk.book.written(.vCard), .vCard)
    #expect(other.shown == desk.book.shown)
  }

  @Test func `Kept cards: a time of birth and its parameters are kept across versions`() throws {
    #expect(try Desk(Self.cards[0]).lines(version: 4).contains("BDAY:19730928T041500+0100"))
    #expect(
      try Desk(Self.cards[1]).lines(version: 3).contains(
        "BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-14T103000"))
    #expect(
      try Desk(Self.cards[3]).lines(version: 4).contains("item3.BDAY;VALUE=date:19770304"))
  }

  @Test(arguments: [
    ("BDAY:20250425\r\nBDAY:20240424\r\n", "2025-04-25", ["BDAY:20240424"]),
    ("BDAY;VALUE=text:spring\r\nBDAY:19500402\r\n", "1950-04-02", ["BDAY;VALUE=text:spring"]),
    ("BDAY;ALTID=1;VALUE=text:spring\r\nBDAY;ALTID=1:19500402\r\n", "1950-04-02", []),
    ("BDAY:1950\r\nBDAY:--0402\r\nBDAY:19500402\r\n", "1950", ["BDAY:--0402", "BDAY:19500402"]),
    ("BDAY:\r\nBDAY:19500402\r\n", "1950-04-02", []),
  ])
  func `Kept cards: the first readable date is used, and the others are reported`(
    lines: String, date: String, others: [String]
  ) throws {
    let file = try VCardBirthdayTests.read("UID:u\r\nFN:A\r\n" + lines)
    #expect(
      file.records.map { $0.fields[Field.Birthday.birthdate] } == [
        .value(.date(try CivilDate.parse(date)))
      ])
    #expect(file.remarks.map(\.note) == others.map(ForeignNote.notActedOn))
  }

  @Test func `Kept cards: a date labelled as a different occasion is not a birthday`() throws {
    let file = try VCardBirthdayTests.read(
      "UID:u\r\nFN:A\r\nitem1.BDAY:20181206\r\nitem1.X-ABLabel:_$!<Anniversary>!$_\r\n"
        + "item2.BDAY:19500402\r\nitem2.X-ABLabel:registered\r\n")
    #expect(
      file.records.map { $0.fields[Field.Birthday.birthdate] } == [
        .value(.date(try CivilDate.parse("1950-04-02")))
      ])
    #expect(file.remarks.map(\.note) == [.noBirthday("item1.BDAY:20181206", .anniversary)])
  }

  @Test func `Kept cards: the first name with content is used, and both stay`() throws {
    let desk = try Desk(
      "VERSION:3.0\r\nUID:u\r\nFN:\r\nFN:Ada\r\nN:;;;;\r\nN:King;Ada;;;\r\nBDAY:1815-12-10\r\n")
    #expect(
      desk.book.shown == [
        #"{"kind":"birthday","firstName":"Ada","lastName":"King","birthdate":"1815-12-10"}"#
      ])
    #expect(try desk.lines() == desk.came)
  }

  @Test func `Kept cards: a card nested in version 2.1 becomes text`() throws {
    let desk = try Desk(
      "VERSION:2.1\r\nN:A;B\r\nBDAY:18151210\r\nAGENT:\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN:C;D\r\n"
        + "END:VCARD\r\nTEL;HOME:1\r\n")
    #expect(
      try desk.lines().contains(
        "AGENT:BEGIN:VCARD\\nVERSION:2.1\\nN:C\\;D\\nEND:VCARD"))
    var book = desk.book
    #expect(try book.take(try book.written(.vCard), .vCard) == .init(same: 1))
  }

  @Test func `Kept cards: properties kept by an earlier version are exported with the fields`()
    throws
  {
    var book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","firstName":"Ada","birthdate":"1815-12-10"}"#)
    let id = try #require(book.document("Ada")).id.uuid
    try book.run(
      #"{"op":"edit","kind":"birthday","id":"\#(id)","set":{"extra":{"vcf.lines":"TEL:1\nN:;Ada;King;;","#
        + #""vcf.base":"5-0123456789"}}}"#)
    let lines = try book.written(.vCard).split(separator: "\r\n").map(String.init)
    for line in [
      "VERSION:3.0", "UID:\(id)", "FN:Ada", "N:;Ada;King;;", "BDAY:1815-12-10", "TEL:1",
    ] {
      #expect(lines.count { $0 == line } == 1, "\(line)")
    }
  }
}
