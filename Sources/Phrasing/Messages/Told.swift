/// What is told of an error: a code for programs, words for people, and how the run ends.
package struct Told {
  /// A fixed name that scripts can go by.
  package var code: String
  /// What happened, where, and what to do now; one or two lines.
  package var text: String
  package var exit: ExitCode

  package init(_ code: String, _ exit: ExitCode, _ text: String) {
    self.code = code
    self.exit = exit
    self.text = text
  }
}

/// Puts a guess behind a sentence, if there is one.
package func guess(_ suggestion: String?) -> String {
  suggestion.map { " Did you mean '\($0)'?" } ?? ""
}
