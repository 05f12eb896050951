/// Reads a command line as a shell does, as far as examples need it.
enum Shell {
  /// The words, without a comment behind them; nil when a quote is not closed.
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
