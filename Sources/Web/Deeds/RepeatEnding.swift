import Domain
import Phrasing

/// The repeat phrase that ends a line of text, such as `every mon at 9am` in `Put the bins out every mon at 9am`.
///
/// A phrase consists of whole words, states that something repeats, and is never the whole line.
struct RepeatEnding {
  let phrase: RepeatPhrase
  /// The minute of the day at which each date is due.
  let minute: Int?
  /// The place of the phrase, including any backslash before it.
  let range: Range<String.Index>
  /// Whether a backslash protects the phrase, which is then part of the title.
  let isProtected: Bool

  /// The maximum number of words in a phrase, as in `every 2 weeks on mon and thu until 30 jun 2027 at 9am`.
  private static let mostWords = 12

  /// Finds the longest phrase at the end of the line; nil if there is none.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - words: The words of the line that can belong to the title.
  ///   - today: The current day.
  init?(_ text: String, words: [Range<String.Index>], today: CivilDate?) {
    guard words.count > 1 else { return nil }
    let reader = RepeatWords(today: today)
    for start in max(1, words.count - Self.mostWords)..<words.count {
      let range = words[start].lowerBound..<words[words.count - 1].upperBound
      let typed = text[range]
      let isProtected = typed.hasPrefix("\\")
      guard let read = reader.phraseAndTime(String(isProtected ? typed.dropFirst() : typed))
      else { continue }
      (phrase, minute) = read
      (self.range, self.isProtected) = (range, isProtected)
      return
    }
    return nil
  }
}
