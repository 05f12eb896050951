/// The report of an error: a code for programs, text for users, and the exit code of the run.
package struct Told {
  /// A fixed name that scripts can test.
  package var code: String
  /// The message for the user, in one or more lines: the fault, its place, and the next step.
  package var text: String
  package var exit: ExitCode

  package init(_ code: String, _ exit: ExitCode, _ text: String) {
    self.code = code
    self.exit = exit
    self.text = text
  }
}

/// The question `Did you mean …?` to append to a sentence; empty if there is no suggestion.
package func guess(_ suggestion: String?) -> String {
  suggestion.map { " Did you mean '\($0)'?" } ?? ""
}
