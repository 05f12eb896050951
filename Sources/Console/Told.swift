/// What is told of an error: a code for programs, words for people, and how the run ends.
struct Told {
  /// A fixed name that scripts can go by.
  var code: String
  /// What happened, where, and what to do now; one or two lines.
  var text: String
  var exit: ExitCode

  init(_ code: String, _ exit: ExitCode, _ text: String) {
    self.code = code
    self.exit = exit
    self.text = text
  }
}

/// Puts a guess behind a sentence, if there is one.
func guess(_ suggestion: String?) -> String {
  suggestion.map { " Did you mean '\($0)'?" } ?? ""
}
