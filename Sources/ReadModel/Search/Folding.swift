/// Folds strings so that letters that people regard as the same compare as equal.
///
/// Folding converts to lower case, removes diacritics, Hebrew and Arabic points and invisible characters, converts
/// full-width ASCII to ASCII and half-width katakana to katakana, and composes kana and Hangul. A precomposed letter
/// and the same letter with combining marks fold to the same text.
///
/// Folded strings are only compared with each other and never shown. A change to these rules requires a new schema
/// version.
enum Folding {
  static func fold(_ text: String) -> String {
    // In most strings, folding changes only the case of ASCII letters.
    if text.utf8.allSatisfy(isPlain) {
      return String(decoding: text.utf8.map(lower), as: UTF8.self)
    }
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      for lower in narrowed(scalar).properties.lowercaseMapping.unicodeScalars {
        append(lower, to: &folded)
      }
    }
    return String(folded)
  }

  /// Whether a byte is ASCII or, if all bytes of the text pass this test, part of a character between U+4000 and
  /// U+9FFF.
  private static func isPlain(_ byte: UInt8) -> Bool { byte < 0xC0 || 0xE4...0xE9 ~= byte }

  private static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
    switch scalar.value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0: return
    // Tatweel, which only stretches an Arabic word.
    case 0x0640: return
    // Soft hyphens, direction marks, zero-width spaces and variation selectors.
    case 0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFE00...0xFE0F, 0xFEFF: return
    case 0x1161...0x1175, 0x11A8...0x11C2: join(scalar, &folded)
    case 0x3099, 0x309A, 0x309B, 0x309C: voice(scalar, &folded)
    default:
      if let plain = plainLetters[scalar] {
        folded.append(contentsOf: plain)
      } else if !isMark(scalar) {
        folded.append(scalar)
      }
    }
  }

  /// Whether a scalar is a diacritic or a point, and not an Indic vowel sign or a sign that joins letters.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // U+1037 is a tone mark that distinguishes words, although Unicode puts it in the class of nuktas.
    guard scalar.value >= 0x0483, scalar.value != 0x1037 else { return false }
    switch scalar.properties.canonicalCombiningClass.rawValue {
    // Overlays and nuktas; Hebrew, Arabic and Syriac points; marks above, below and beside letters.
    case 1, 7, 10...36, 200...240: return true
    default: return false
    }
  }

  /// Converts full-width ASCII to ASCII, half-width katakana to katakana, and special spaces and hyphens to ASCII.
  private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    case 0xFF61...0xFF9F: halfWidthKatakana[Int(scalar.value - 0xFF61)]
    case 0x2010, 0x2011, 0x2212: "-"
    case 0x00A0, 0x2000...0x200A, 0x202F, 0x3000: " "
    default: scalar
    }
  }

  /// Combines a voiced or semi-voiced sound mark with the kana before it.
  ///
  /// In Unicode, the voiced form of a kana directly follows the kana, and the semi-voiced form, if there is one,
  /// follows the voiced form. `voicedApart` lists the exceptions.
  private static func voice(_ mark: Unicode.Scalar, _ folded: inout String.UnicodeScalarView) {
    let isVoiced = mark.value == 0x3099 || mark.value == 0x309B
    guard let kana = folded.last else { return folded.append(mark) }
    let composed: Unicode.Scalar
    if isVoiced, let apart = voicedApart[kana] {
      composed = apart
    } else if (isVoiced ? voiceable : semiVoiceable).contains(kana) {
      composed = after(kana, by: isVoiced ? 1 : 2)
    } else {
      return folded.append(mark)
    }
    folded.removeLast()
    folded.append(composed)
  }

  /// Adds a Hangul vowel or final consonant to the letter or syllable before it, by the Unicode composition formula.
  private static func join(_ letter: Unicode.Scalar, _ folded: inout String.UnicodeScalarView) {
    let composed: UInt32? = folded.last.flatMap { last in
      switch (last.value, letter.value) {
      case (0x1100...0x1112, 0x1161...0x1175):
        0xAC00 + ((last.value - 0x1100) * 21 + (letter.value - 0x1161)) * 28
      case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (last.value - 0xAC00) % 28 == 0:
        last.value + letter.value - 0x11A7
      default: nil
      }
    }
    guard let syllable = composed.flatMap(Unicode.Scalar.init) else {
      folded.append(letter)
      return
    }
    folded.removeLast()
    folded.append(syllable)
  }

  private static func after(_ kana: Unicode.Scalar, by steps: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(kana.value + steps) ?? kana
  }
}

private let semiVoiceable = Set("はひふへほハヒフヘホ".unicodeScalars)

/// Kana whose voiced form does not directly follow them in Unicode, and the iteration marks.
private let voicedApart: [Unicode.Scalar: Unicode.Scalar] = [
  "う": "ゔ", "ウ": "ヴ", "ワ": "ヷ", "ヰ": "ヸ", "ヱ": "ヹ", "ヲ": "ヺ", "ゝ": "ゞ", "ヽ": "ヾ",
]

private let voiceable = semiVoiceable.union(
  "かきくけこさしすせそたちつてとカキクケコサシスセソタチツテト".unicodeScalars)

/// Katakana for U+FF61 to U+FF9F.
private let halfWidthKatakana = Array(
  "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
    .unicodeScalars)

/// The folded form of each lower-case letter that has one.
private let plainLetters: [Unicode.Scalar: String.UnicodeScalarView] = {
  var plain: [Unicode.Scalar: String.UnicodeScalarView] = [:]
  for (letters, base) in foldedLetters + composedLetters {
    for letter in letters.unicodeScalars { plain[letter] = base.unicodeScalars }
  }
  return plain
}()

private let foldedLetters: [(String, String)] = [
  ("àáâãäåāăąǎǟǡǻȁȃȧḁẚạảấầẩẫậắằẳẵặª", "a"), ("æǣǽ", "ae"), ("ḃḅḇƀɓ", "b"), ("çćĉċčḉƈ", "c"),
  ("ďđḋḍḏḑḓɖɗð", "d"), ("èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "e"), ("ḟƒ", "f"), ("ĝğġģǥǧǵḡɠ", "g"),
  ("ĥħȟḣḥḧḩḫẖ", "h"), ("ìíîïĩīĭįıǐȉȋḭḯỉịɨ", "i"), ("ĳ", "ij"), ("ĵǰ", "j"), ("ķǩḱḳḵƙĸ", "k"),
  ("ĺļľŀłḷḹḻḽƚ", "l"), ("ḿṁṃ", "m"), ("ñńņňŋǹṅṇṉṋ", "n"), ("ŉ", "'n"),
  ("òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợº", "o"), ("œ", "oe"), ("ṕṗƥ", "p"), ("ŕŗřȑȓṙṛṝṟ", "r"),
  ("śŝşšșṡṣṥṧṩſẛ", "s"), ("ß", "ss"), ("ţťŧțṫṭṯṱẗ", "t"), ("þ", "th"),
  ("ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "u"), ("ṽṿ", "v"), ("ŵẁẃẅẇẉẘ", "w"), ("ẋẍ", "x"),
  ("ýÿŷȳẏẙỳỵỷỹƴ", "y"), ("źżžẑẓẕƶ", "z"), ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"),
  ("ﬄ", "ffl"), ("ﬅﬆ", "st"), ("’‘ʼ", "'"),
  ("ά", "α"), ("έ", "ε"), ("ή", "η"), ("ίϊΐ", "ι"), ("ό", "ο"), ("ύϋΰ", "υ"), ("ώ", "ω"),
  ("ς", "σ"),
  ("ѐё", "е"), ("ѝй", "и"), ("ї", "і"), ("ў", "у"), ("ѓ", "г"), ("ќ", "к"),
]
