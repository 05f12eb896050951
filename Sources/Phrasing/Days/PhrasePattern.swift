/// A form of words with slots: `[on ]{weekday}`, `(last|past) {weekday}`.
///
/// Square brackets contain parts that may be left out, round ones alternatives, and braces the name of a ``Slot``.
struct PhrasePattern: Sendable {
  private indirect enum Piece: Sendable {
    case letters([Unicode.Scalar])
    case slot(Slot)
    case choice([[Piece]])
  }

  private let pieces: [Piece]

  /// - Parameters:
  ///   - template: The pattern. A mistake in it is a mistake in a table of the program, so it traps.
  ///   - spellings: Other ways to write a letter, such as `ue` for `ü`.
  init(_ template: String, spellings: [Character: String] = [:]) {
    var parser = Parser(rest: Array(template)[...], spellings: spellings)
    let options = parser.options()
    precondition(parser.rest.isEmpty, "\(template) has a bracket too many")
    pieces = options.count == 1 ? options[0] : [.choice(options)]
  }

  /// Returns the values of the slots, or nil if the text does not have this form.
  func match(_ text: [Unicode.Scalar], _ vocabulary: Vocabulary) -> SlotValues? {
    Self.match(pieces[...], text[...], vocabulary, SlotValues())
  }

  /// The scalars with which text of this form can begin.
  func beginnings(_ vocabulary: Vocabulary) -> Set<Unicode.Scalar> {
    Self.beginnings(of: pieces[...], vocabulary)
  }

  private static func beginnings(
    of pieces: ArraySlice<Piece>, _ vocabulary: Vocabulary
  ) -> Set<Unicode.Scalar> {
    switch pieces.first {
    case nil: []
    case .letters(let letters): Set(letters.prefix(1))
    case .slot(let slot): vocabulary.beginnings(of: slot)
    case .choice(let options):
      options.reduce(into: []) {
        $0.formUnion(beginnings(of: ($1 + pieces.dropFirst())[...], vocabulary))
      }
    }
  }

  private static func match(
    _ pieces: ArraySlice<Piece>, _ text: ArraySlice<Unicode.Scalar>, _ vocabulary: Vocabulary,
    _ values: SlotValues
  ) -> SlotValues? {
    guard let piece = pieces.first else { return text.isEmpty ? values : nil }
    let rest = pieces.dropFirst()
    switch piece {
    case .letters(let letters):
      guard text.starts(with: letters) else { return nil }
      return match(rest, text.dropFirst(letters.count), vocabulary, values)
    case .choice(let options):
      for option in options {
        if let found = match((option + rest)[...], text, vocabulary, values) { return found }
      }
      return nil
    case .slot(let slot):
      for (length, value) in vocabulary.readings(of: slot, at: text) {
        let values = values.setting(slot, value)
        if let found = match(rest, text.dropFirst(length), vocabulary, values) { return found }
      }
      return nil
    }
  }
}

extension PhrasePattern {
  /// Reads a template.
  private struct Parser {
    var rest: ArraySlice<Character>
    let spellings: [Character: String]

    /// Reads alternatives up to a closing bracket or the end.
    mutating func options() -> [[Piece]] {
      var options: [[Piece]] = [[]]
      while let next = rest.first, next != ")", next != "]" {
        rest.removeFirst()
        switch next {
        case "|": options.append([])
        case "(": options[options.count - 1].append(.choice(bracket()))
        case "[": options[options.count - 1].append(.choice(bracket() + [[]]))
        case "{": options[options.count - 1].append(.slot(slot()))
        default: append(next, to: &options[options.count - 1])
        }
      }
      return options
    }

    private mutating func bracket() -> [[Piece]] {
      let inner = options()
      precondition(!rest.isEmpty, "a template has a bracket too few")
      rest.removeFirst()
      return inner
    }

    private mutating func slot() -> Slot {
      let name = String(rest.prefix { $0 != "}" })
      rest = rest.dropFirst(name.count + 1)
      guard let slot = Slot(rawValue: name) else { preconditionFailure("no slot \(name)") }
      return slot
    }

    private func append(_ letter: Character, to pieces: inout [Piece]) {
      let letters = Array(letter.unicodeScalars)
      if let other = spellings[letter] {
        pieces.append(.choice([[.letters(letters)], [.letters(Array(other.unicodeScalars))]]))
      } else if case .letters(let before) = pieces.last {
        pieces[pieces.count - 1] = .letters(before + letters)
      } else {
        pieces.append(.letters(letters))
      }
    }
  }
}
