/// When a command ends, and what it does until then.
package enum RunKind: Sendable {
  /// The command ends once it has answered.
  case short
  /// The command runs until it is stopped, for a user who watches the output.
  case watching
  /// The command runs until it is stopped, connected to other machines.
  case serving
}
