/// A part of the program that reads untrusted bytes.
///
/// No bytes may cause a trap or excessive use of time or memory. Refused bytes cause an error of their layer.
/// Accepted bytes keep their meaning when they are written and read again.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A frame as stored in a file.
  case frame
  /// The content of a frame, which the target packs with correct checksums: first event and count, information, events,
  /// head.
  case content
  /// The information in a frame about the log before it.
  case information
  /// A header and a body.
  case event
  /// A message of a stream, without its length.
  case message
  /// A bundle, with or without the digest at its end.
  case bundle
  /// A line with the name of a file of a directory peer, followed by the content of the file.
  case directory
  /// The settings of a session, followed by the messages of the peer.
  case session
  /// The format, the settings and a file from another program.
  case importer
  /// Command lines whose arguments are separated by tabs.
  case commandLine
  /// The name of an object in a sealed store, or the content of such a name, which the target seals.
  case storeName
  /// A sealed object, or its padded content, which the target seals.
  case storeObject
  /// A key package, or its statement, which the target encrypts.
  case storePackage
  /// The file with the store keys of a device.
  case storeRing
  /// A knock or an answer in a sealed store, or its padded content, which the target seals.
  case storeKnock
  /// An invitation through a sealed store, or its content, to which the target adds the checksum.
  case storeInvitation
  /// The bytes sent to the web page, preceded by a byte with the size of the pieces in which they arrive.
  case request

  /// Passes arbitrary bytes to the target and checks its rules.
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
    case .storeName: try StoreObjects.takeName(bytes)
    case .storeObject: try StoreObjects.takeObject(bytes)
    case .storePackage: try StoreKeys.takePackage(bytes)
    case .storeRing: try StoreKeys.takeRing(bytes)
    case .storeKnock: try StoreJoins.takeKnock(bytes)
    case .storeInvitation: try StoreJoins.takeInvitation(bytes)
    case .request: try Requests.take(bytes)
    }
  }
}

/// A rule that an input has violated.
public struct Violation: Error, Hashable, Sendable {
  /// A description of the rule.
  public let rule: String
}

/// Throws a violation of the rule unless the condition holds.
func demand(_ holds: Bool, _ rule: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(rule: rule()) }
}
