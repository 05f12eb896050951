extension Console {
  /// The message about output that could not be written to standard output.
  ///
  /// If the command can change the book, the message says that its changes, if any, are stored.
  ///
  /// - Parameter arguments: The words after the program's name.
  /// - Returns: A line for standard error.
  package static func sentenceOfLostOutput(_ arguments: [String]) -> String {
    // A command line that cannot be parsed has changed nothing.
    let command = try? CommandLineParser.parse(arguments).command
    let closed = "could not be shown, because standard output is closed or full."
    guard let command, command.changesBook else { return "daybook: the output \(closed)\n" }
    return "daybook: the result \(closed) Any changes are in the book.\n"
  }
}
