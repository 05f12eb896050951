/// What a terminal has to say at a moment.
package enum Typed: Hashable, Sendable {
  case nothing
  case line(String)
  /// The user has ended the input.
  case end
}

/// The standard streams, and what is known of the terminals they may lead to.
package struct StandardStreams: Sendable {
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  package var isInputTerminal = false
  /// How much fits on the terminal; nil where standard output is none.
  package var size: (columns: Int, lines: Int)?
  /// Writes to standard output.
  package var write: @Sendable (String) -> Void
  /// Writes to standard error.
  package var writeError: @Sendable (String) -> Void
  /// The next bytes of standard input, which are fewer than asked for only at its end.
  package var readInput: @Sendable (_ count: Int) -> [UInt8]
  /// The next line of standard input, or nil at its end.
  package var readAnswer: @Sendable () -> String?
  /// What was typed on the terminal since that was last asked; never waits.
  package var typed: @Sendable () -> Typed = { .nothing }
  /// Forgets what was typed and not read, so that it answers no question that comes after it.
  package var forgetTyped: @Sendable () -> Void = {}

  package init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable (Int) -> [UInt8],
    readAnswer: @escaping @Sendable () -> String?
  ) {
    self.write = write
    self.writeError = writeError
    self.readInput = readInput
    self.readAnswer = readAnswer
  }
}
