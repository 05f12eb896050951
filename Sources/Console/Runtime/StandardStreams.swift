package import Platform

/// The state of the terminal's input when it is polled.
package enum Typed: Hashable, Sendable {
  case nothing
  case line(String)
  /// The user ended the input.
  case end
}

/// The standard streams, and the properties of the terminals that they are connected to.
package struct StandardStreams: Sendable {
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  package var isInputTerminal = false
  /// The size of the terminal; nil if standard output is not a terminal.
  package var size: (columns: Int, lines: Int)?
  /// Writes to standard output.
  package var write: @Sendable (String) -> Void
  /// Writes to standard error.
  package var writeError: @Sendable (String) -> Void
  /// Reads bytes from standard input, and returns fewer than `count` only at the end of the input.
  package var readInput: @Sendable (_ count: Int) -> [UInt8]
  /// Reads a line from standard input; nil at the end of the input.
  package var readAnswer: @Sendable () -> String?
  /// Takes over standard input and output as a line to another machine; nil unless they are pipes or sockets.
  package var line: @Sendable () throws(NetworkError) -> (any Line)? = { () throws(NetworkError) in
    nil
  }
  /// Returns the input on the terminal since the last call; never waits.
  package var typed: @Sendable () -> Typed = { .nothing }
  /// Discards unread input, which must not answer a later question.
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
