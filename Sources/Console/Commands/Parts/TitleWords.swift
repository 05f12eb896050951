import Phrasing

/// The arguments of a title, after those that set other fields have become options.
struct TitleWords: Sendable {
  /// An argument that belongs to the title, unless it names an existing list.
  struct Part: Equatable, Sendable {
    var words: String
    /// The name after the `@`.
    var list: String?
    /// Whether the argument comes after `--` and is therefore always text.
    var isLiteral = false
  }

  var parts: [Part]

  var title: String {
    // An empty argument is not a word, but `add todo ""` has an empty title.
    parts.map(\.words).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Help on the arguments of a title.
  static let advice = [
    "In 'add todo TITLE' and 'add TITLE', these arguments set a field instead of becoming part of TITLE.",
    "Everything after -- is part of the title, even words that would otherwise set a field. "
      + "An argument that contains a space is also part of the title, unless it sets a date or a repeat, "
      + "as in due:'next friday 5pm'. A time may follow a date, as in due:1st 09:00.",
    "If the name of a list contains a space, use '-l'. In Bash and zsh, put single quotes around !high, or use '-p high'.",
  ]

  /// The forms of arguments that set a field, and their meanings.
  static let forms = TodoToken.forms.map { ("\($0.mark)\($0.value)", $0.meaning) }
}

/// All remaining operands as a title; tokens such as `due:fri` become the options that mean the same.
///
/// Tokens that name a list stay in the title, because only the book shows whether there is such a list.
func title(_ name: String) -> Parameter<TitleWords> {
  Parameter(form: .title(name)) { arguments throws(UsageFault) in
    let operands = arguments.operands
    guard !operands.isEmpty else { throw .missingOperand(name, usage: arguments.usage) }
    arguments.operands = []
    let literal = operands.count - arguments.literalOperands
    var parts: [TitleWords.Part] = []
    var spelled: [String: String] = [:]
    var place = 0
    while place < operands.count {
      var word = operands[place]
      place += 1
      guard place <= literal, var token = TodoToken(word) else {
        parts.append(.init(words: word, isLiteral: place > literal))
        continue
      }
      if place < literal, let timed = token.followed(byTime: operands[place]) {
        (token, word) = (timed, timed.word)
        place += 1
      }
      guard token.option != "list" else {
        parts.append(.init(words: word, list: token.value))
        continue
      }
      let isGiven = arguments.options.contains { $0.name == token.option }
      if isGiven, !token.isRepeatable {
        let other = spelled[token.option] ?? "--\(token.option)"
        throw other == word ? .repeatedOption(word) : .contradiction(other, word)
      }
      spelled[token.option] = word
      arguments.options.append((token.option, token.value))
    }
    guard !parts.isEmpty else { throw .onlyTokens(operands) }
    return TitleWords(parts: parts)
  }
}
