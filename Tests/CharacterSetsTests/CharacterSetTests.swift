import CharacterSets
import Testing

/// Decoding by the C library in various character sets.
struct CharacterSetTests {
  static let words: [(String, [UInt8], String)] = [
    ("windows-1251", [0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2], "Иванов"),
    ("KOI8-R", [0xF3, 0xC9, 0xC4, 0xCF, 0xD2, 0xCF, 0xD7], "Сидоров"),
    ("SHIFT_JIS", [0x8E, 0x52, 0x93, 0x63], "山田"), ("gbk", [0xCD, 0xF5], "王"),
    ("ISO-8859-2", [0xA3, 0x75, 0x6B, 0x61, 0x73, 0x7A], "Łukasz"),
    ("ISO-8859-15", [0xA4], "€"), ("Big5", [0xA4, 0xFD], "王"), ("EUC-KR", [0xB1, 0xE8], "김"),
    ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x3B, 0x33, 0x1B, 0x28, 0x42], "山"),
    ("UTF-16BE", [0x00, 0x41, 0xD8, 0x3C, 0xDF, 0x82], "A🎂"), ("UTF-8", [0xC3, 0xBC], "ü"),
    ("US-ASCII", [0x41], "A"), ("KOI8-R", [], ""),
  ]

  @Test(arguments: words)
  func `Character sets: bytes are decoded in the named set`(
    name: String, bytes: [UInt8], text: String
  ) throws {
    #expect(try CharacterSet(named: name).decode(bytes) == text)
  }

  @Test(arguments: [
    "", "FOO", "UTF-8//TRANSLIT", "../../etc/passwd", "KOI8-R\u{0}", "КОИ-8",
    String(repeating: "A", count: 41),
  ])
  func `Character sets: an unknown set is refused`(name: String) {
    #expect(throws: CharacterSetError.unknown(name)) {
      try CharacterSet(named: name).decode([0x41])
    }
  }

  @Test(
    arguments: [
      ("UTF-8", [0x41, 0xFC], 1), ("US-ASCII", [0x41, 0x42, 0xFC], 2), ("SHIFT_JIS", [0x8E], 0),
      ("UTF-16BE", [0x00, 0x41, 0xD8], 2),
    ] as [(String, [UInt8], Int)])
  func `Character sets: a malformed sequence is reported by its offset`(
    name: String, bytes: [UInt8], place: Int
  ) {
    #expect(throws: CharacterSetError.malformed(name, at: place)) {
      try CharacterSet(named: name).decode(bytes)
    }
  }

  @Test func `Character sets: a text longer than its bytes is decoded completely`()
    throws
  {
    let bytes = [UInt8](repeating: 0xA4, count: 100_000)
    #expect(
      try CharacterSet(named: "ISO-8859-15").decode(bytes)
        == String(repeating: "€", count: 100_000))
  }
}
