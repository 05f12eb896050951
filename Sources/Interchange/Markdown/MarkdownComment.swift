internal import Domain

/// The comment that daybook writes after the title of an item, invisible to a reader of the text: `<!-- daybook
/// ID BASE time:17:00 -->`.
///
/// The comment precedes the signs, because Obsidian finds signs only at the end of a line.
struct MarkdownComment: Equatable {
  /// The words that only this program reads.
  enum Key: String, CaseIterable {
    case time, zone
    // The words about a repeating to-do, under the names of SeriesWords.Key.
    case rule = "repeat"
    case first, until, slot, slots
    case remind, parent, tags
  }

  var id: String
  var base: String?
  var values: [Key: String] = [:]

  /// The words that daybook wrote about a repeating to-do.
  var series: SeriesWords {
    get {
      var texts: [SeriesWords.Key: String] = [:]
      for key in SeriesWords.Key.allCases {
        let word = Key(rawValue: key.rawValue).flatMap { values[$0] }
        texts[key] = word.map(EncodedWord.read)
      }
      return SeriesWords(texts)
    }
    set {
      for (name, text) in newValue.values {
        if let key = Key(rawValue: name.rawValue) { values[key] = Self.encoded(text) }
      }
    }
  }

  private static let opening = " <!-- daybook "
  private static let closing = " -->"

  init(id: String) { self.id = id }

  /// Removes the last comment of a book from the text of an item; nil if there is none.
  static func take(from text: inout String) -> MarkdownComment? {
    guard let start = text.ranges(of: opening).last,
      let end = text[start.upperBound...].firstRange(of: closing)
    else { return nil }
    let words = text[start.upperBound..<end.lowerBound].split(separator: " ").map(String.init)
    guard let id = words.first else { return nil }
    var comment = MarkdownComment(id: id)
    for word in words.dropFirst() { comment.take(word) }
    text = String(text[..<start.lowerBound] + text[end.upperBound...])
    return comment
  }

  private mutating func take(_ word: String) {
    guard let colon = word.firstIndex(of: ":") else { return base = word }
    guard let key = Key(rawValue: String(word[..<colon])) else { return }
    values[key] = String(word[word.index(after: colon)...])
  }

  var text: String {
    let own = Key.allCases.compactMap { key in values[key].map { key.rawValue + ":" + $0 } }
    let words = [id, base].compactMap(\.self) + own
    return String(Self.opening.dropFirst()) + words.joined(separator: " ") + Self.closing
  }

  // The mark that ends a comment must not occur inside it.

  static func encoded(_ text: String) -> String { EncodedWord.text(text, also: "<>") }

  static func encoded(_ texts: [String]) -> String { EncodedWord.list(texts, also: "<>") }
}
