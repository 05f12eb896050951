/// A program that this machine runs, with a line to its standard input and output.
///
/// Closing the line closes both. If the program does not end soon afterwards, it is terminated, at the latest when this
/// process exits.
public protocol ProgramLine: Line {
  /// Waits until the program has ended; returns nil if it is still running after the caller's patience.
  func end(patienceMilliseconds: Int) -> ProgramEnd?
}

/// The way in which a program has ended.
public enum ProgramEnd: Hashable, Sendable {
  /// The program exited with a code.
  case exit(code: Int32)
  /// The program was terminated by a signal, or its status is not available.
  case killed
}
