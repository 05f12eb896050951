import Interchange
import Testing

/// The detection of a file's format.
struct RecognitionTests {
  @Test(
    arguments: [
      ("\u{FEFF}begin:vcard\nFN:A\n", nil, .vCard), ("BEGIN:VCALENDAR\r\n", "x.txt", .iCalendar),
      (#"{"t":1,"op":"add","kind":"list","id":"l","name":"Home"}"#, nil, .operations),
      (#"[{"uuid":"a","description":"x"}]"#, nil, .taskwarrior),
      (#"{"uuid":"a","description":"x"}"#, nil, .taskwarrior),
      ("First name,Birthday\nAda,1815-12-10\n", nil, .csv), ("a;b\n", "table.csv", .csv),
      ("# Home\n- [ ] sweep\n", nil, .markdown), ("* [-] sweep\n", nil, .markdown),
      ("* sweep\n", "list.md", .markdown),
      ("(A) sweep\n", "todo.txt", .todoTxt), ("(A) sweep\n", nil, nil),
      ("<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist><array/></plist>", nil, .propertyList),
      ("bplist00", nil, .propertyList), ("SQLite format 3\0", "x.vcf", .coreData),
      ("", "cards.vcf", .vCard), ("", nil, nil), ("dear diary", "notes", nil),
    ] as [(String, String?, FileFormat?)])
  func `Recognition: the first bytes determine the format, otherwise the file name`(
    text: String, name: String?, format: FileFormat?
  ) {
    #expect(FileFormat.recognise(Array(text.utf8), name: name) == format)
  }

  @Test func `Recognition: random bytes are read or refused without a crash`() {
    let pieces = [
      "BEGIN:VCARD", "END:VCARD", "BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "BDAY:", "\r\n",
      "\n ", ":", ";", "=", "\"", ",", "\u{0}", "ENCODING=QUOTED-PRINTABLE", "1604", "--",
      "RRULE:FREQ",
      "DTSTART", "🎂", "\\", "name", "(", ")", "X-APPLE-OMIT-YEAR=",
    ]
    var state: UInt64 = 42
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      for format in [FileFormat.vCard, .iCalendar, .csv] {
        // Most of these strings are refused. The call only has to return.
        _ = try? format.read(Array(text.utf8))
      }
    }
  }
}
