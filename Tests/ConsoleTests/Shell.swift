/// Splits a command line like a shell, as far as the examples need.
enum Shell {
  /// The words without a trailing comment; nil if a quote is not closed.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for letter in line {
      switch letter {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      case "#" where !isQuoted && word == nil: return words
      default: word = (word ?? "") + String(letter)
      }
    }
    if isQuoted { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}
