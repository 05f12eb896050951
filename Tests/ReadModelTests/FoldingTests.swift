import Testing

@testable import ReadModel

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Plain ASCII 7", "plain ascii 7"), ("Ünïcödé", "unicode"), ("U\u{308}ni", "uni"),
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Ørsted Łódź", "orsted lodz"),
    ("İstanbul ılık", "istanbul ilik"), ("ISTANBUL", "istanbul"), ("Ｆｕｌｌ　１", "full 1"),
    ("Nguyễn Thị", "nguyen thi"), ("ﾊﾟｽﾞﾙ", "パズル"), ("か\u{3099}", "が"), ("東京", "東京"),
    ("Ἀ", "ἀ"), ("Σοφός", "σοφοσ"), ("Ёлка й", "елка и"), ("и\u{306}", "и"),
    ("Æsir ŒUVRE", "aesir oeuvre"),
    ("ﬁn ﬀ ﬃ ﬆ", "fin ff ffi st"), ("co\u{AD}op\u{200B}", "coop"), ("☎\u{FE0F}", "☎"),
    ("a‑b−c", "a-b-c"),
    ("ﾐﾙｸ｡", "ミルク。"), ("（１：２）", "(1:2)"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"), ("한\u{1161}", "한\u{1161}"),
    ("👩‍👩‍👧", "👩‍👩‍👧"), ("", ""),
  ])
  func `what people take for the same is the same`(text: String, folded: String) {
    #expect(Array(Folding.fold(text).utf8) == Array(folded.utf8))
  }
}
