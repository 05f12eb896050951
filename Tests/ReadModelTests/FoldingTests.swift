import Foundation
import Testing

@testable import ReadModel

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Plain ASCII 7", "plain ascii 7"), ("Ünïcödé", "unicode"), ("U\u{308}ni", "uni"),
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Ørsted Łódź", "orsted lodz"),
    ("İstanbul ılık", "istanbul ilik"), ("ISTANBUL", "istanbul"), ("Ｆｕｌｌ　１", "full 1"),
    ("Nguyễn Thị", "nguyen thi"), ("ﾊﾟｽﾞﾙ", "パズル"), ("か\u{3099}", "が"), ("東京", "東京"),
    ("Ἀ", "α"), ("Σοφός", "σοφοσ"), ("Ёлка й", "елка и"), ("и\u{306}", "и"),
    ("Æsir ŒUVRE", "aesir oeuvre"),
    ("ﬁn ﬀ ﬃ ﬆ", "fin ff ffi st"), ("co\u{AD}op\u{200B}", "coop"), ("☎\u{FE0F}", "☎"),
    ("a‑b−c", "a-b-c"),
    ("ﾐﾙｸ｡", "ミルク。"), ("（１：２）", "(1:2)"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"), ("한\u{1161}", "한\u{1161}"),
    ("👩‍👩‍👧", "👩‍👩‍👧"), ("", ""),
    ("ᾨδὴ ᾠδῇ", "ωδη ωδη"), ("Ёж и йод", "еж и иод"), ("Ӝӱӗ", "жуе"),
    ("\u{623}\u{62D}\u{645}\u{62F}", "\u{627}\u{62D}\u{645}\u{62F}"),
    ("\u{622}\u{644}", "\u{627}\u{644}"), ("\u{627}\u{653}\u{644}", "\u{627}\u{644}"),
    ("\u{624}\u{626}", "\u{648}\u{64A}"), ("\u{958}\u{932}\u{92E}", "\u{915}\u{932}\u{92E}"),
    ("\u{915}\u{93C}\u{932}\u{92E}", "\u{915}\u{932}\u{92E}"), ("हिन्दी", "हिन्दी"),
    ("\u{9CB}", "\u{9C7}\u{9BE}"), ("\u{1019}\u{1014}\u{1037}", "\u{1019}\u{1014}\u{1037}"),
    ("ก่อน", "ก่อน"), ("\u{FB2A}", "\u{5E9}"), ("≠", "≠"),
  ])
  func `Folding: equivalent spellings fold to the same text`(text: String, folded: String) {
    #expect(Array(Folding.fold(text).utf8) == Array(folded.utf8))
  }

  @Test func `Folding: a composed letter folds like its decomposed form`() {
    // Symbols that are not letters keep their overlays, and kanji of old character sets are different letters.
    let others: [ClosedRange<UInt32>] = [0x2000...0x2BFF, 0xF900...0xFAFF, 0x1D000...0x2FFFF]
    let different = (UInt32(0x80)...0x1FFFF).filter { value in
      guard let scalar = Unicode.Scalar(value), !others.contains(where: { $0.contains(value) }),
        scalar.properties.isAlphabetic
      else { return false }
      let text = String(scalar)
      let folded = Folding.fold(text)
      return !folded.unicodeScalars.elementsEqual(
        Folding.fold(text.decomposedStringWithCanonicalMapping).unicodeScalars)
    }
    #expect(different.map { String($0, radix: 16) } == [])
  }
}
