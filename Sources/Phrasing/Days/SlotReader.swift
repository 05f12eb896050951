/// Reads the words and numbers that fill a slot in one language.
final class SlotReader: Sendable {
  private struct Word: Sendable {
    let letters: Range<Int>
    let value: Int
  }

  let slot: Slot
  /// The letters with which text in the slot can begin.
  let beginnings: LetterSet
  private let words: [Word]
  /// The letters of all words, one word after another.
  private let letters: [Unicode.Scalar]

  /// - Parameters:
  ///   - slot: The slot.
  ///   - texts: The words with their values.
  ///   - spellings: Other ways to write a letter, such as `ue` for `ü`.
  init(_ slot: Slot, _ texts: [(String, Int)], spellings: [Unicode.Scalar: String]) {
    var words: [Word] = []
    var letters: [Unicode.Scalar] = []
    var beginnings = LetterSet()
    words.reserveCapacity(texts.count)
    letters.reserveCapacity(4 * texts.count)
    for (text, value) in texts {
      let start = letters.count
      letters += text.unicodeScalars
      let end = letters.count
      words.append(Word(letters: start..<end, value: value))
      beginnings.insert(letters[start])
      let isSpelledOneWay = spellings.isEmpty || text.isASCII
      if isSpelledOneWay { continue }
      for letter in letters[start..<end] {
        letters += spellings[letter]?.unicodeScalars ?? String(letter).unicodeScalars
      }
      words.append(Word(letters: end..<letters.count, value: value))
      beginnings.insert(letters[end])
    }
    if slot.digits != nil { for digit in "0123456789".unicodeScalars { beginnings.insert(digit) } }
    (self.slot, self.letters, self.words, self.beginnings) = (slot, letters, words, beginnings)
  }

  /// All words, in each spelling.
  var allWords: [(text: String, value: Int)] {
    words.map { (String(String.UnicodeScalarView(letters[$0.letters])), $0.value) }
  }

  /// Calls a closure for each beginning of the text that can fill the slot, with its length and its value, and returns
  /// the closure's first result.
  func firstReading<Found>(
    at text: ArraySlice<Unicode.Scalar>, _ read: (_ length: Int, _ value: Int) -> Found?
  ) -> Found? {
    guard let first = text.first, beginnings.mayContain(first) else { return nil }
    for word in words where letters[word.letters.lowerBound] == first {
      if text.starts(with: letters[word.letters]),
        let found = read(word.letters.count, word.value)
      {
        return found
      }
    }
    return number(at: text).flatMap { read($0.length, $0.value) }
  }

  /// Returns the number with which the text begins, if the slot accepts it.
  private func number(at text: ArraySlice<Unicode.Scalar>) -> (length: Int, value: Int)? {
    guard let digits = slot.digits else { return nil }
    let run = text.prefix(8).prefix { ("0"..."9").contains($0) }
    // A year has two or four digits. Other numbers are part of something else.
    guard digits.counts.contains(run.count), slot != .year || run.count != 3 else { return nil }
    let value = run.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
    return digits.values.contains(value) ? (run.count, value) : nil
  }
}
