/// What bytes from elsewhere are given to.
///
/// Whatever they are, nothing may trap, or take time or memory out of proportion; what is refused is refused by an
/// error of its layer; and what is accepted means the same when it is written and read again.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A frame as it lies in a file.
  case frame
  /// What a frame holds, packed with right checksums: first event and count, information, events, head.
  case content
  /// What a frame says of the log before it.
  case information
  /// A header and a body.
  case event
  /// A message of the stream, without its length.
  case message
  /// A bundle, with or without the digest at its end.
  case bundle
  /// A line with a name of a file of a directory peer, and what is in the file.
  case directory
  /// How a session begins, and what the other says in it.
  case session
  /// Settings and a file of another program.
  case importer
  /// Command lines, their words parted by tabs.
  case commandLine
  /// What is sent to the page, behind a byte that says how it is cut.
  case request

  /// Takes any bytes at all.
  public func take(_ bytes: [UInt8]) throws(Violation) {
    switch self {
    case .frame: try Frames.take(bytes)
    case .content: try Frames.takeContent(bytes)
    case .information: try Frames.takeInformation(bytes)
    case .event: try Events.take(bytes)
    case .message: try Messages.take(bytes)
    case .bundle: try Bundles.take(bytes)
    case .directory: try Directories.take(bytes)
    case .session: try Sessions.take(bytes)
    case .importer: try Importers.take(bytes)
    case .commandLine: try CommandLines.take(bytes)
    case .request: try Requests.take(bytes)
    }
  }
}

/// A rule that an input has broken.
public struct Violation: Error, Hashable, Sendable {
  /// The rule, in words.
  public let rule: String
}

/// Asks that something holds for whatever input.
func demand(_ holds: Bool, _ rule: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(rule: rule()) }
}
