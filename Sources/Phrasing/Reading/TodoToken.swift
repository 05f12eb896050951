import Domain

/// A word that sets a field of a new to-do and is not part of its title: `+food`, `@home`, `due:fri`, `!high`.
package struct TodoToken: Hashable, Sendable {
  /// A form of tokens, which consists of a mark and a value.
  ///
  /// If `add todo` has the option, a new form needs only an entry in ``forms``.
  package struct Form: Sendable {
    package let mark: String
    /// The placeholder for the value, as shown in the help.
    package let value: String
    /// The option of `add todo` that has the same meaning.
    package let option: String
    package let meaning: String
    var isRepeatable = false
    let accepts: @Sendable (String) -> Bool
    /// Whether a value that contains spaces certainly belongs to the token.
    var acceptsPhrase: @Sendable (String) -> Bool = { _ in false }
  }

  package static let forms = [
    Form(
      mark: "+", value: "TAG", option: "tag", meaning: "Adds a tag, or several: +food,party.",
      isRepeatable: true, accepts: isName),
    Form(
      mark: "@", value: "LIST", option: "list",
      meaning: "Puts the to-do on the list of that name, if there is one.", accepts: isAny),
    Form(
      mark: "due:", value: "DATE", option: "due", meaning: "When it is due, as with --due.",
      accepts: isAny, acceptsPhrase: isDue),
    Form(
      mark: "start:", value: "DATE", option: "start", meaning: "When it starts, as with --start.",
      accepts: isAny, acceptsPhrase: isDay),
    Form(
      mark: "repeat:", value: "RULE", option: "repeat",
      meaning: "How it repeats, as with --repeat, such as daily, mon,thu or 15th.", accepts: isAny,
      acceptsPhrase: isRepeat),
    Form(
      mark: "!", value: "P", option: "priority", meaning: "The priority: !high, !normal or !low.",
      accepts: isPriority),
  ]

  /// The forms in a line on the page, where `#` is also accepted before a tag, as in other programs.
  package static let formsOnPage =
    forms + [
      Form(
        mark: "#", value: "TAG", option: "tag", meaning: "Adds a tag.", isRepeatable: true,
        accepts: isName)
    ]

  /// The word as typed.
  package let word: String
  package let option: String
  package let value: String
  /// Whether several tokens of this form add up rather than contradict each other.
  package let isRepeatable: Bool

  /// Reads a token; nil if the text is part of a title.
  ///
  /// Text that contains a space is a token only if the whole text is, as in `due:next friday`.
  package init?(_ word: String, among forms: [Form] = Self.forms) {
    let hasBlank = word.contains(where: \.isWhitespace)
    for form in forms where word.prefix(form.mark.count).lowercased() == form.mark {
      let value = String(word.dropFirst(form.mark.count)).trimmed
      guard !value.isEmpty, hasBlank ? form.acceptsPhrase(value) : form.accepts(value) else {
        continue
      }
      (self.word, self.value) = (word, value)
      (option, isRepeatable) = (form.option, form.isRepeatable)
      return
    }
    return nil
  }

  private init(_ word: String, option: String, value: String) {
    (self.word, self.option, self.value, isRepeatable) = (word, option, value, false)
  }

  /// Returns the due date together with a time of day that follows it as a separate word, as in `due:1st 09:00`; nil if
  /// the word is not a time.
  package func followed(byTime time: String) -> TodoToken? {
    guard option == "due", time.contains(where: \.isNumber), DayWords.minute(time) != nil,
      Self.isDay(value), Self.isDue("\(value) \(time)")
    else { return nil }
    return TodoToken("\(word) \(time)", option: option, value: "\(value) \(time)")
  }

  /// Any day will do, because whether words are a date does not depend on the day on which they are read.
  private static let anyDay = try? CivilDate(year: 2000, month: 1, day: 1)

  private static func isDue(_ value: String) -> Bool {
    (try? DayWords(today: anyDay).dayAndTime(value, now: nil)) != nil
  }

  private static func isDay(_ value: String) -> Bool {
    (try? DayWords(today: anyDay).dayToCome(value)) != nil
  }

  private static func isRepeat(_ value: String) -> Bool {
    let words = RepeatWords(today: anyDay)
    return words.phraseAndTime(value) != nil || (try? words.phrase(value)) != nil
  }

  /// Whether the value can be the name of a tag, which begins with a letter or an emoji, unlike the values in `+49`,
  /// `++` and `#1`.
  private static func isName(_ value: String) -> Bool {
    guard let first = value.first, let scalar = first.unicodeScalars.first else { return false }
    return first.isLetter || !first.isASCII && scalar.properties.isEmoji
  }

  private static func isAny(_ value: String) -> Bool { true }

  private static func isPriority(_ value: String) -> Bool {
    ["high", "normal", "low"].contains(value.lowercased())
  }
}
