import Phrasing

/// The functions of the program that a command can call.
///
/// They are passed as closures, so that commands do not depend on the command table, which consists of them.
struct CommandHost: Sendable {
  /// The lines of help about the command that the words name, or general help if there are none.
  let help: @Sendable (_ words: [String]) throws(UsageFault) -> [String]
  /// The manual page of the program, in mdoc.
  let manual: @Sendable () -> [String]
  /// The reference of all commands, in Markdown.
  let reference: @Sendable () -> [String]
  /// Runs another command and waits for its end.
  let run: @Sendable (_ arguments: [String], CommandEnvironment) -> ExitCode
}
