import Platform

/// The reason why `ssh` has not connected to a `daybook` on the other machine.
package enum SSHFault: Hashable, Sendable {
  /// `ssh` itself has failed and has printed the reason, for example that there is no such host, or that the host or
  /// the user could not be authenticated.
  case login
  /// The other machine has no `daybook` program where its shell looks for programs.
  case noDaybook
  /// The version of `daybook` on that machine does not support the command.
  case outdated
  /// A program other than `daybook` has answered, such as the shell with a greeting.
  case noise
  /// The command ended early with an exit code; nil if it was ended by a signal.
  case ended(code: Int32?)

  /// The code with which `ssh` exits if `ssh` itself has failed; any other code comes from the command.
  private static let ownCode: Int32 = 255
  /// The code with which a shell exits if it has not found a program.
  private static let missingCode: Int32 = 127
  /// The code with which a `daybook` exits if its command line is invalid.
  private static let usageCode: Int32 = 2

  init(_ end: ProgramEnd) {
    switch end {
    case .exit(code: Self.ownCode): self = .login
    case .exit(code: Self.missingCode): self = .noDaybook
    case .exit(code: Self.usageCode): self = .outdated
    case .exit(let code): self = .ended(code: code)
    case .killed: self = .ended(code: nil)
    }
  }
}
