/// How long a command runs, and for what purpose.
package enum RunKind: Sendable {
  /// Until it has answered.
  case short
  /// Until it is stopped, for a user who watches the output.
  case watching
  /// Until it is stopped, connected to other machines.
  case serving
}
