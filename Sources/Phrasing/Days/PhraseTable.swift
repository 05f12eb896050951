/// Forms of words in the order in which they are tried, with the meaning of each.
struct PhraseTable<Meaning: Sendable>: Sendable {
  private let phrases: [(pattern: PhrasePattern, meaning: Meaning)]
  /// The letters with which text of any of the forms can begin.
  private let beginnings: LetterSet
  private let source: KeyValuePairs<String, Meaning>

  init(_ templates: KeyValuePairs<String, Meaning>, _ vocabulary: Vocabulary) {
    source = templates
    phrases = templates.map { (PhrasePattern($0.key, vocabulary), $0.value) }
    beginnings = phrases.reduce(LetterSet()) { $0.union($1.pattern.beginnings) }
  }

  /// The patterns as they are written in the tables.
  var templates: [String] { source.map(\.key) }

  /// Calls a closure with the meaning and the slots of each form that matches the text, and returns the closure's first
  /// result.
  func first<Found>(
    _ text: ArraySlice<Unicode.Scalar>, _ read: (Meaning, SlotValues) -> Found?
  ) -> Found? {
    guard let first = text.first, beginnings.mayContain(first) else { return nil }
    for place in phrases.indices {
      if let values = phrases[place].pattern.match(text),
        let found = read(phrases[place].meaning, values)
      {
        return found
      }
    }
    return nil
  }
}
