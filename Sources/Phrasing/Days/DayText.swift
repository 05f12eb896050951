import Domain

/// Converts text to the form that is searched for days and times.
enum DayText {
  private static let characters = DayLanguages.all.reduce(into: [Character: Character]()) {
    $0.merge($1.characters) { first, _ in first }
  }
  private static let rewrites = DayLanguages.all.flatMap(\.rewrites)
  private static let rewritesOfASCII =
    DayLanguages.reading("").flatMap(\.rewrites).filter(\.word.isASCII)

  /// Returns the words in lower case, without commas and without a dot at the end of a word.
  static func normal(_ words: String) -> String {
    let lower = words.lowercased()
    // No ASCII letter is read as a different letter.
    let isASCII = lower.isASCII
    let letters = isASCII ? lower : String(lower.map { characters[$0] ?? narrow($0) })
    var text = letters.split { $0 == "," || $0.isWhitespace }.map(withoutDots)
      .filter { !$0.isEmpty }.joined(separator: " ")
    if !isASCII { text = withoutSpacesBesideIdeographs(text) }
    for rewrite in isASCII ? rewritesOfASCII : rewrites {
      text = text.replacing(rewrite.word, with: rewrite.replacement)
    }
    return text
  }

  private static func withoutDots(_ word: Substring) -> String {
    var word = word
    while word.last == "." { word.removeLast() }
    return String(word)
  }

  /// Returns the text without the spaces that some users put between Chinese words and numbers.
  private static func withoutSpacesBesideIdeographs(_ text: String) -> String {
    let characters = Array(text)
    let kept = characters.indices.filter { place in
      guard characters[place] == " " else { return true }
      return !isIdeograph(characters[place - 1]) && !isIdeograph(characters[place + 1])
    }
    return String(kept.map { characters[$0] })
  }

  private static func isIdeograph(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.isIdeographic ?? false
  }

  /// Returns the ASCII form of a full-width character, because keyboards for Chinese write such digits and signs.
  private static func narrow(_ character: Character) -> Character {
    guard character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first,
      (0xFF01...0xFF5E).contains(scalar.value),
      let ascii = Unicode.Scalar(scalar.value - 0xFEE0)
    else { return character }
    return Character(ascii)
  }
}
