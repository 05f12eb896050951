/// A parsed command line.
package struct Invocation: Sendable {
  /// The command; nil if the command line has none.
  package var command: CommandSpec?
  package var arguments = Arguments()
  package var globals = Globals()
  /// The time after `at`.
  package var moment: String?
}

extension Invocation {
  package var kind: RunKind {
    guard let command else { return .short }
    let staysInTouch = arguments.options.contains { option in
      command.form(ofOption: option.name)?.staysInTouch ?? false
    }
    if staysInTouch || command.traits.contains(.servesPeers) { return .serving }
    return command.traits.contains(.runsLong) ? .watching : .short
  }
}
