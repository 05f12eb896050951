/// The limits of sync.
///
/// Limits are checked before memory is allocated.
package enum Limit {
  /// The maximum size of a message, excluding its length field.
  package static let messageBytes = 8 << 20
  /// The maximum size of a frame with salts, which is the same in the journal.
  package static let frameBytes = 2 << 20
  /// The maximum number of places in a frontier.
  package static let frontierPlaces = 4_096
  /// The maximum number of ranges in one place.
  package static let islands = 1_024
  /// The maximum number of ranges in all places together, chosen so that a frontier fits into a message.
  package static let frontierIslands = 65_536
  package static let formerBooks = 256
  package static let refusalTextBytes = 1_024
  /// The maximum length of a host name.
  package static let hostBytes = 253
  /// The maximum length of an invited device's name.
  package static let proofNameBytes = 100
  /// The time for which an invitation is valid.
  package static let invitationMilliseconds: Int64 = 600_000
  /// The maximum number of open invitations.
  ///
  /// A new invitation replaces the oldest one.
  package static let openInvitations = 16

  /// The time within which the user must decide about an invited device.
  package static let answerMilliseconds: Int64 = 120_000

  /// The maximum size of a file of a directory peer.
  package static let fileBytes = 16 << 20
  /// The maximum number of entries read in one directory of a directory peer.
  package static let directoryEntries = 65_536

  /// The maximum number of sessions with peers that have proved that they may take part.
  package static let sessions = 4_096
  /// The maximum number of sessions with peers that have not yet proved that they may take part.
  package static let unknownSessions = 64
  /// The maximum number of sessions with peers at one address that have not yet proved that they may take part.
  package static let sessionsOfAddress = 8
  /// The maximum memory for one device in all its sessions, and for all unknown peers together.
  package static let deviceBytes = 48 << 20

  /// The time that the peer has to read the reason why a session has ended.
  package static let lastWordsMilliseconds: Int64 = 1_000
  /// The first and the highest upper limit of the delay before a peer is called again, in milliseconds.
  package static let shortestWait: Int64 = 1_000
  package static let longestWait: Int64 = 60_000

  /// The maximum time for which a line may be silent.
  package static let silenceMilliseconds = 30_000
  /// The maximum time that a peer has to send its hello.
  package static let helloMilliseconds: Int64 = 10_000
  /// The maximum time until the first bytes arrive from a machine that `ssh` connects to.
  ///
  /// By default, an SSH server ends a login after 120 s.
  package static let loginMilliseconds: Int64 = 150_000
  /// The maximum time that a peer has to store the events sent to it.
  package static let commitMilliseconds: Int64 = 600_000
  /// The minimum rate at which a sending peer must send after the first minute.
  package static let slowestBytesPerSecond: Int64 = 4_096
  package static let graceMilliseconds: Int64 = 60_000
  /// The time without output after which a live side sends `alive`.
  package static let keepAliveMilliseconds: Int64 = 60_000
  /// The maximum time for which a live peer may be silent.
  package static let restMilliseconds: Int64 = 150_000
}
