/// Why a command line cannot be parsed.
package enum UsageFault: Error, Hashable, Sendable {
  case unknownCommand(String, suggestion: String?)
  /// The word is not a command, but its meaning is known; `advice` is a sentence.
  case otherWord(String, advice: String)
  /// The option selects to-dos, but the word `set` is missing before the changes.
  case missingSet(option: String)
  /// The second word of a two-word command is missing.
  case incomplete(String, continuations: [String])
  case unknownContinuation(String, String, suggestion: String?, continuations: [String])
  /// The second word is almost the name of a kind, but may also begin a title; `commands` has a line for each meaning.
  case unclearKind(String, commands: [String])
  /// All arguments set fields, so none is left for the title.
  case onlyTokens([String])
  /// The command has no such option; `usage` is its syntax if no option has a similar name.
  case unknownOption(String, suggestion: String?, usage: String? = nil)
  case missingValue(String)
  case unexpectedValue(String)
  /// The option does not accept the value.
  case unknownValue(_ option: String, String, _ known: String)
  case repeatedOption(String)
  /// The two options exclude each other.
  case contradiction(String, String)
  case missingOperand(String, usage: String)
  case extraOperand(String, usage: String)
  /// `at` is followed by a command that cannot read the past.
  case notReading(String, isOfPresent: Bool)
}
