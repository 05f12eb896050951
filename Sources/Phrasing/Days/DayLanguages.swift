/// The languages in which days and times are read.
///
/// All are read at once, whatever the language of the user: no phrase of one means something else in another.
package enum DayLanguages {
  static let all = [
    DayCodes.language, EnglishDays.language, GermanDays.language, ChineseDays.language,
  ]

  /// The languages with phrases that show each form, for the manual.
  package static let examples: [(language: String, phrases: [String])] =
    all.map { ($0.name, $0.examples) }
}
