/// Splits a command line like a shell, to the extent that the examples and messages require.
enum Shell {
  /// Returns the words without a trailing comment; nil if a quote is not closed.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    /// The quotation mark that is open.
    var quote: Character?
    var isEscaped = false
    for letter in line {
      if isEscaped {
        word = (word ?? "") + String(letter)
        isEscaped = false
      } else if let open = quote {
        if letter == open { quote = nil } else { word = (word ?? "") + String(letter) }
      } else {
        switch letter {
        case "\"", "'":
          quote = letter
          word = word ?? ""
        case "\\": isEscaped = true
        case " ":
          if let word { words.append(word) }
          word = nil
        case "#" where word == nil: return words
        default: word = (word ?? "") + String(letter)
        }
      }
    }
    if quote != nil || isEscaped { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}
