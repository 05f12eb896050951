import Domain

/// Guesses which date misspelt words mean.
enum DayGuess {
  /// Returns the words with the correct spelling; nil unless the corrected words can be read as a date.
  ///
  /// - Parameters:
  ///   - words: The words as they were typed.
  ///   - isYearFree: Whether the words can mean a date without a year, rather than the next such day.
  /// - Returns: The words in lower case.
  static func correction(of words: String, isYearFree: Bool) -> String? {
    let typed = words.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    let spelled = typed.map(spelling)
    guard spelled != typed else { return nil }
    let phrase = spelled.joined(separator: " ")
    return isReadable(phrase, isYearFree) ? phrase : nil
  }

  /// The words in phrases for days that are long enough to be recognized if they are misspelt.
  private static let known = Set(DayLanguages.all.flatMap(\.words).filter(canBeMisspelt))

  /// Chinese words are not spelled.
  private static func canBeMisspelt(_ word: String) -> Bool {
    word.count >= 4 && word.allSatisfy(\.isLowercase)
  }

  /// Returns the known word that a misspelt word means, or the word itself if there is none.
  private static func spelling(_ word: String) -> String {
    guard canBeMisspelt(word), !known.contains(word),
      let near = Spelling.nearest(to: word, among: known.sorted())
    else { return word }
    // If a word has two mistakes and a different first letter, it is a different word.
    let isMeant = word.first == near.first || Spelling.distance(from: word, to: near) == 1
    return isMeant ? near : word
  }

  private static func isReadable(_ words: String, _ isYearFree: Bool) -> Bool {
    // Whether words are a date does not depend on the day on which they are read.
    let reader = DayWords(today: try? CivilDate(year: 2026, month: 1, day: 1))
    return isYearFree
      ? (try? reader.date(words)) != nil : (try? reader.dayAndTime(words, now: nil)) != nil
  }
}
