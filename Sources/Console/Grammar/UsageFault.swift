/// Why a command line was not understood.
package enum UsageFault: Error, Hashable, Sendable {
  case unknownCommand(String, suggestion: String?)
  /// The first word of a command wants a second.
  case incomplete(String, continuations: [String])
  case unknownContinuation(String, String, suggestion: String?, continuations: [String])
  /// The usage is of the command that has no such option, nor one of a similar name.
  case unknownOption(String, suggestion: String?, usage: String? = nil)
  case missingValue(String)
  case unexpectedValue(String)
  /// The value is none of those that the option has.
  case unknownValue(_ option: String, String, _ known: String)
  case repeatedOption(String)
  /// Two options that ask for different things.
  case contradiction(String, String)
  case missingOperand(String, usage: String)
  case extraOperand(String, usage: String)
  /// `at` takes a reading command only.
  case notReading(String, isOfPresent: Bool)
  case missingCommand
}
