import Crypto
import Platform

extension SyncError {
  /// The time for which to wait for the exit code of a program that has closed its output.
  private static let programEndMilliseconds = 500

  /// The error for a line that failed before the other side authenticated.
  ///
  /// If a program connects the line, the program's exit explains the error.
  func explained(by line: any Line) -> SyncError {
    guard let line = line as? any ProgramLine else { return self }
    switch self {
    case .tls(.notTLS), .tls(.otherVersion), .tls(.broken), .tls(.tooMuch):
      return .ssh(.noise, at: line.peer)
    case .network(.cut), .tls(.cut), .cut:
      // The line ends a moment before the program does.
      let end = line.end(patienceMilliseconds: Self.programEndMilliseconds)
      return end.map { .ssh(SSHFault($0), at: line.peer) } ?? self
    default: return self
    }
  }
}
