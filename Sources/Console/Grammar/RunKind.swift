/// The time at which a command ends, and its activity until then.
package enum RunKind: Sendable {
  /// It ends once it has answered.
  case short
  /// It runs until it is stopped, for a user who watches the output.
  case watching
  /// It runs until it is stopped, connected to other machines.
  case serving
}
