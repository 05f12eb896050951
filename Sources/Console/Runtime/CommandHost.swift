import Phrasing

/// The functions of the program that a command can call.
///
/// The functions are closures because the command table consists of commands, so commands cannot depend on the table.
struct CommandHost: Sendable {
  /// Returns the lines of help about the named command, or general help if no command is named.
  let help: @Sendable (_ words: [String]) throws(UsageFault) -> [String]
  /// The manual page of the program, in mdoc.
  let manual: @Sendable () -> [String]
  /// The reference of all commands, in Markdown.
  let reference: @Sendable () -> [String]
  /// Runs another command and waits until it ends.
  let run: @Sendable (_ arguments: [String], CommandEnvironment) -> ExitCode
}
