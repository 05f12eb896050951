/// Limits of sync.
///
/// They are checked before anything is allocated.
package enum Limit {
  /// The size of a message without its length.
  package static let messageBytes = 8 << 20
  /// The size of a frame, as in the journal, with salts.
  package static let frameBytes = 2 << 20
  /// The number of places in a frontier.
  package static let frontierPlaces = 4_096
  /// The number of places that are looked up on disk for one peer at once, in addition to one for each log.
  package static let looks = 256
  /// The number of ranges after a hole, for each place.
  package static let islands = 1_024
  /// The number of ranges of all places together, so that a frontier fits into a message.
  package static let frontierIslands = 65_536
  package static let formerBooks = 256
  package static let refusalTextBytes = 1_024
  /// The length of a host name.
  package static let hostBytes = 253
  /// The length of the name of an invited device.
  package static let proofNameBytes = 100
  /// How long an invitation is valid.
  package static let invitationMilliseconds: Int64 = 600_000
  /// The number of open invitations.
  ///
  /// A new one replaces the oldest.
  package static let openInvitations = 16
  /// Staged frames are stored before their size exceeds this.
  package static let stagedBytes = 4 << 20
  /// Staged frames are stored before their decompressed size exceeds this.
  package static let stagedContentBytes = 16 << 20

  /// The number of staged events before which they are stored, unless the first frame alone has more.
  ///
  /// Events that are folded together take memory for each event.
  package static let stagedEvents: UInt64 = 8_192

  /// The time the user has to decide about an invited device.
  package static let answerMilliseconds: Int64 = 120_000

  /// The size of a file of a directory peer.
  package static let fileBytes = 16 << 20
  /// The number of files of one replica that are kept although larger files hold the same events.
  package static let coveredFiles = 16
  /// If this many files of one replica are in no larger file, the next push writes one with all events.
  package static let looseFiles = 64
  /// The number of entries that are read in one directory of a directory peer.
  package static let directoryEntries = 65_536

  /// The number of sessions with peers that have proved that they may take part.
  package static let sessions = 4_096
  /// The number of sessions with peers that have not proved it yet.
  package static let unknownSessions = 64
  /// The number of those sessions for one address.
  package static let sessionsOfAddress = 8
  /// The memory for one device over all its sessions, and for all unknown peers together.
  package static let deviceBytes = 48 << 20

  /// The number of bytes that one session may send in a turn.
  package static let turnBytes = 256 << 10
  /// The number of callers that are accepted in a turn.
  package static let callersAtOnce = 16
  /// How many times in a row no caller can be accepted, for lack of memory or files, before the server gives up.
  package static let doorFailures = 3_000
  /// How long no caller is accepted after accepting one has failed.
  package static let doorPauseMilliseconds: Int64 = 200
  /// How long the peer has to read why a session has ended.
  package static let lastWordsMilliseconds: Int64 = 1_000
  /// The first and the largest upper limit of the wait before a peer is called again, in milliseconds.
  package static let shortestWait: Int64 = 1_000
  package static let longestWait: Int64 = 60_000

  /// The number of bytes that are read from a line or file at once.
  package static let chunkBytes = 64 << 10

  /// How long a line may be silent.
  package static let silenceMilliseconds = 30_000
  /// How long a peer has to send its hello.
  package static let helloMilliseconds: Int64 = 10_000
  /// How long a peer has to store what it was sent.
  package static let commitMilliseconds: Int64 = 600_000
  /// The minimum rate of a peer that sends, after one minute.
  package static let slowestBytesPerSecond: Int64 = 4_096
  package static let graceMilliseconds: Int64 = 60_000
  /// The time without output after which a live side sends `alive`.
  package static let keepAliveMilliseconds: Int64 = 60_000
  /// How long a live peer may be silent.
  package static let restMilliseconds: Int64 = 150_000
}
