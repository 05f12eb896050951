extension Console {
  /// What is told where an answer cannot be shown, which is no reason to doubt that something was done.
  ///
  /// - Parameter arguments: The words after the program's name.
  /// - Returns: A line for standard error.
  package static func sentenceOfLostOutput(_ arguments: [String]) -> String {
    // Words that are not understood change nothing.
    let command = try? CommandLineParser.parse(arguments).command
    let closed = "could not be shown: standard output is closed or full."
    guard let command, command.changesBook else { return "daybook: the answer \(closed)\n" }
    return "daybook: what was done \(closed) What was changed is in the book.\n"
  }
}
