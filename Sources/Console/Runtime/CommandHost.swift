import Phrasing

/// What a command asks of the program that runs it.
///
/// It needs no table of commands for that, which the commands themselves make up.
struct CommandHost: Sendable {
  /// The lines of the help about a command, or about everything.
  let help: @Sendable (_ words: [String]) throws(UsageFault) -> [String]
  /// The manual page of the program, in mdoc.
  let manual: @Sendable () -> [String]
  /// The reference of all commands, in Markdown.
  let reference: @Sendable () -> [String]
  /// Runs another command to its end.
  let run: @Sendable (_ arguments: [String], CommandEnvironment) -> ExitCode
}
