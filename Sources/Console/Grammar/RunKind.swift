/// How long a command runs, and what for.
package enum RunKind: Sendable {
  /// Until it has answered.
  case short
  /// Until it is stopped, for somebody who looks on.
  case watching
  /// Until it is stopped, in touch with other machines.
  case serving
}
