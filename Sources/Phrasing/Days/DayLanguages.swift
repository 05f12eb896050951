/// The languages in which days and times are read.
///
/// All of them are read, regardless of the language of the user: no phrase has different meanings in two languages.
package enum DayLanguages {
  static let all = [
    DayCodes.language, EnglishDays.language, GermanDays.language, ChineseDays.language,
  ]

  /// The languages with phrases that show each form, for the manual.
  package static let examples: [(language: String, phrases: [String])] =
    all.map { ($0.name, $0.examples) }
}
