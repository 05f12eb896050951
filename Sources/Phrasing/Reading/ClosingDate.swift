package import Domain

/// The date phrase that ends a line of text, such as `fri` in `Call the plumber fri`.
package struct ClosingDate: Equatable, Sendable {
  /// The phrase, without a preceding word such as `due`.
  package let words: String
  package let date: CivilDate
  /// The place of the phrase, including a preceding word such as `due`.
  package let range: Range<String.Index>
}

/// How a line of text ends.
package enum LineEnding: Sendable {
  case words
  case date(ClosingDate)
  /// The last words would be a date, but a backslash at this place protects them.
  case protected(String.Index)
  /// The words are two numbers, such as `24/7`, which may be part of the title.
  case doubtful(String, CivilDate)
  /// The words mean several dates.
  case ambiguous(String, DayFault)
}

/// Finds the date phrase that ends a line.
///
/// A phrase consists of whole words, and is never the whole line.
package struct LineEndingReader {
  private let text: String
  /// The words of the line that can belong to the title.
  private let words: [Range<String.Index>]
  private let days: DayWords
  /// Whether a year alone is read as a date, as it is for a birthday.
  private let takesYears: Bool

  /// The maximum number of words in a date, as in `the first monday of next december`.
  private static let mostWords = 6
  /// Words that are removed together with the date after them.
  private static let leadingWords: Set<String> = [
    "due", "on", "by", "born", "bis", "fällig",
  ]
  /// Words that tie the date after them to the title, which would otherwise end in mid-phrase.
  private static let tyingWords: Set<String> = [
    "after", "before", "each", "every", "every!", "for", "from", "of", "since", "the", "through",
    "till", "to", "until", "ab", "für", "jede", "jeden", "nach", "seit", "vor", "zu", "zum",
  ]

  package init(
    _ text: String, words: [Range<String.Index>]? = nil, today: CivilDate?,
    takesYears: Bool = false
  ) {
    self.text = text
    self.words = words ?? text.wordRanges
    (days, self.takesYears) = (
      DayWords(today: today, isInTitle: true), takesYears
    )
  }

  package var ending: LineEnding {
    guard words.count > 1, !isAllDate else { return .words }
    for count in stride(from: min(Self.mostWords, words.count - 1), through: 1, by: -1) {
      if let ending = ending(words.count - count) { return ending }
    }
    return .words
  }

  /// Whether the whole line is a date, such as `next friday`, in which case its end would be a date as well.
  private var isAllDate: Bool {
    guard words.count <= Self.mostWords, case .date? = ending(0) else { return false }
    return true
  }

  /// Reads the words that begin at a place; returns nil if they are not a date.
  private func ending(_ place: Int) -> LineEnding? {
    let start = words[place].lowerBound
    let typed = String(text[start..<words[words.count - 1].upperBound])
    let isProtected = typed.hasPrefix("\\")
    let phrase = isProtected ? String(typed.dropFirst()) : typed
    guard Self.isLongEnough(phrase), !Self.isAmount(phrase) else { return nil }
    do throws(DayFault) {
      let date = try days.date(phrase)
      guard date.month != nil && date.day != nil || takesYears && date.year != nil
      else { return nil }
      if isProtected { return .protected(start) }
      if Self.isPair(phrase) { return .doubtful(phrase, date) }
      let before = place > 0 ? word(place - 1) : ""
      if Self.tyingWords.contains(before) { return .words }
      let isLed = place > 1 && Self.leadingWords.contains(before)
      let range = words[isLed ? place - 1 : place].lowerBound..<words[words.count - 1].upperBound
      return .date(ClosingDate(words: phrase, date: date, range: range))
    } catch {
      guard case .severalReadings = error, place == words.count - 1 else { return nil }
      return isProtected ? .protected(start) : .ambiguous(phrase, error)
    }
  }

  private func word(_ place: Int) -> String { text[words[place]].lowercased() }

  /// Whether the phrase has at least three characters, like the shortest names of days, or two Chinese characters.
  private static func isLongEnough(_ phrase: String) -> Bool {
    phrase.count >= 3 || phrase.unicodeScalars.count(where: \.properties.isIdeographic) >= 2
  }

  /// Whether the phrase is a number of at most three digits, or such a number with a unit, as in `a cable of 10m`.
  private static func isAmount(_ phrase: String) -> Bool {
    let rest = phrase.drop(while: \.isNumber)
    guard !rest.isEmpty else { return (1...3).contains(phrase.count) }
    return rest.startIndex > phrase.startIndex && rest.count == 1
      && "dwmyDWMY".contains(rest.first ?? " ")
  }

  /// Whether the phrase is two numbers, such as `24/7`.
  private static func isPair(_ phrase: String) -> Bool {
    let parts = phrase.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "-" }
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }
}

extension String {
  /// The places of the words, which are separated by white space.
  package var wordRanges: [Range<Index>] {
    split(whereSeparator: \.isWhitespace).map { $0.startIndex..<$0.endIndex }
  }
}
