/// The exit code of a run, as the shell receives it.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case refused = 1
  case usage = 2
  case dataFault = 3
  case network = 4
  case busy = 5
  case cannotWrite = 6

  /// The meaning of the code, as shown in the help.
  package var meaning: String {
    switch self {
    case .done: "success, even if a list is empty"
    case .refused: "refused, not found, or ambiguous"
    case .usage: "the command line is invalid"
    case .dataFault: "damage was found in the book or in a file"
    case .network: "the network or the sync failed; try again"
    case .busy: "another program is writing to the book"
    case .cannotWrite: "cannot write: disk full, read-only, or broken"
    }
  }
}
