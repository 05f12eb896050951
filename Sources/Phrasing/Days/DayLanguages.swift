/// The languages in which days and times are read.
///
/// All languages are read, regardless of the user's language, because no phrase has different meanings in two
/// languages.
package enum DayLanguages {
  /// The languages that have phrases in ASCII letters.
  private static let ofASCII = [
    DayCodes.language, EnglishDays.language, GermanDays.language,
  ]

  static let all = ofASCII + [ChineseDays.language]

  /// Returns the languages whose phrases the text can contain.
  ///
  /// Most commands read only text in ASCII letters. This restriction avoids compiling the phrases of other languages.
  static func reading(_ text: String) -> [DayLanguage] { text.isASCII ? ofASCII : all }

  /// The languages with example phrases for each form, as listed in the manual.
  package static let examples: [(language: String, phrases: [String])] =
    all.map { ($0.name, $0.examples) }
}

extension String {
  /// Whether all characters are ASCII.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
