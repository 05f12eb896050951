/// A word that sets a field of a new to-do and is not part of its title: `+food`, `@home`, `due:fri`, `!high`.
package struct TodoToken: Hashable, Sendable {
  /// A form of tokens: a mark and a value.
  ///
  /// A line of ``forms`` is all that a new form needs, if `add todo` has its option.
  package struct Form: Sendable {
    package let mark: String
    /// The placeholder of the value, for the help.
    package let value: String
    /// The option of `add todo` that means the same.
    package let option: String
    package let meaning: String
    var isRepeatable = false
    let accepts: @Sendable (String) -> Bool
  }

  package static let forms = [
    Form(
      mark: "+", value: "TAG", option: "tag", meaning: "Adds a tag, or several: +food,party.",
      isRepeatable: true, accepts: isName),
    Form(
      mark: "@", value: "LIST", option: "list",
      meaning: "Puts it on the list of that name, if there is one.", accepts: isAny),
    Form(
      mark: "due:", value: "DATE", option: "due", meaning: "When it is due, as with --due.",
      accepts: isAny),
    Form(
      mark: "start:", value: "DATE", option: "start", meaning: "When it starts, as with --start.",
      accepts: isAny),
    Form(
      mark: "repeat:", value: "RULE", option: "repeat",
      meaning: "How it repeats, as with --repeat: daily, mon,thu or 15th.", accepts: isAny),
    Form(
      mark: "!", value: "P", option: "priority", meaning: "The priority: !high, !normal or !low.",
      accepts: isPriority),
  ]

  /// The forms in a line of the page, where other programs write `#` before a tag.
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
  /// Whether several tokens of this form add to each other.
  package let isRepeatable: Bool

  /// Reads a token; nil if the text is part of a title, as all text that contains a blank is.
  package init?(_ word: String, among forms: [Form] = Self.forms) {
    guard !word.contains(where: \.isWhitespace) else { return nil }
    for form in forms where word.prefix(form.mark.count).lowercased() == form.mark {
      let value = String(word.dropFirst(form.mark.count))
      guard !value.isEmpty, form.accepts(value) else { continue }
      (self.word, self.value) = (word, value)
      (option, isRepeatable) = (form.option, form.isRepeatable)
      return
    }
    return nil
  }

  /// Whether the value can name a tag: it begins with a letter or an emoji, unlike those of `+49`, `++` and `#1`.
  private static func isName(_ value: String) -> Bool {
    guard let first = value.first, let scalar = first.unicodeScalars.first else { return false }
    return first.isLetter || !first.isASCII && scalar.properties.isEmoji
  }

  private static func isAny(_ value: String) -> Bool { true }

  private static func isPriority(_ value: String) -> Bool {
    ["high", "normal", "low"].contains(value.lowercased())
  }
}
