/// Recognizes words that do not name a day, in all languages.
enum OtherWords {
  /// Whether the text is a word with the given meaning.
  static func has(_ meaning: OtherWord, _ text: String) -> Bool {
    DayLanguages.reading(text).contains { $0.others[meaning]?.contains(text) ?? false }
  }

  /// Whether the text begins like a phrase for a repetition.
  static func isRepeating(_ text: String) -> Bool {
    DayLanguages.reading(text).contains { language in
      (language.others[.repeating] ?? []).contains { word in
        guard text.hasPrefix(word) else { return false }
        // Chinese has no spaces between words.
        let isWhole = text.dropFirst(word.count).first.map { $0 == " " } ?? true
        return isWhole || !word.contains(where: \.isASCII)
      }
    }
  }
}
