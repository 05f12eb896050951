/// The limits of syncing, checked before anything is allocated.
package enum Limit {
  /// A message as it is sent, without its length.
  package static let messageBytes = 8 << 20
  /// A frame; the same as in a journal's files, of one that gives salts.
  package static let frameBytes = 2 << 20
  /// Events that a frontier tells of as led to.
  package static let frontierPlaces = 4_096
  /// Places that are looked up on the disk for one peer at once, beside one of each log.
  package static let looks = 256
  /// Ranges that a frontier tells beyond a hole.
  package static let islands = 1_024
  /// Ranges that are told of all places together, so that a frontier fits into a message.
  package static let frontierIslands = 65_536
  package static let formerBooks = 256
  package static let refusalTextBytes = 1_024
  /// The host of an address.
  package static let hostBytes = 253
  /// What a device that was invited calls itself.
  package static let proofNameBytes = 100
  /// How long an invitation can be used.
  package static let invitationMilliseconds: Int64 = 600_000
  /// Invitations that are open at once; a new one takes the place of the oldest.
  package static let openInvitations = 16
  /// Staged frames are committed before they come to more than this.
  package static let stagedBytes = 4 << 20
  /// So they are before they come to more than this when they are unpacked.
  package static let stagedContentBytes = 16 << 20

  /// So they are before they come to more events than this, where the first frame has no more by itself.
  ///
  /// What is folded at once takes memory by its events.
  package static let stagedEvents: UInt64 = 8_192

  /// How long the user may take to say whether an invited device comes in.
  package static let answerMilliseconds: Int64 = 120_000

  /// A file of a directory peer.
  package static let fileBytes = 16 << 20
  /// More files of one replica than this are not kept where larger ones hold the same.
  package static let coveredFiles = 16
  /// With so many files of one replica that lie in no larger one, the next push leaves one that holds all.
  package static let looseFiles = 64
  /// Entries that are looked at in one directory of a directory peer.
  package static let directoryEntries = 65_536

  /// Sessions at once with peers that have shown who they are.
  package static let sessions = 4_096
  /// Sessions at once with peers that have yet to show who they are.
  package static let unknownSessions = 64
  /// Of these, sessions at once with one address.
  package static let sessionsOfAddress = 8
  /// What may wait for one device over all its sessions, or for all that have yet to show who they are.
  package static let deviceBytes = 48 << 20

  /// What one session may send before it is another's turn.
  package static let turnBytes = 256 << 10
  /// Callers that are taken before it is another's turn.
  package static let callersAtOnce = 16
  /// How often in a row no caller can be taken, for want of memory or files, before a server gives up.
  package static let doorFailures = 3_000
  /// How long no caller is taken after one could not be.
  package static let doorPauseMilliseconds: Int64 = 200
  /// How long the other may take to hear why a session has ended.
  package static let lastWordsMilliseconds: Int64 = 1_000
  /// How long it is waited at least, and at most, before somebody is called again, in milliseconds.
  package static let shortestWait: Int64 = 1_000
  package static let longestWait: Int64 = 60_000

  /// How much is read from a line or file at once.
  package static let chunkBytes = 64 << 10

  /// How long a line may be silent.
  package static let silenceMilliseconds = 30_000
  /// How long a peer may take to say who it is.
  package static let helloMilliseconds: Int64 = 10_000
  /// How long a peer may take to put what it was sent on its disk.
  package static let commitMilliseconds: Int64 = 600_000
  /// What a peer that sends must come up to, after a minute's grace.
  package static let slowestBytesPerSecond: Int64 = 4_096
  package static let graceMilliseconds: Int64 = 60_000
  /// After which silence a side that stays says that it is still there.
  package static let keepAliveMilliseconds: Int64 = 60_000
  /// How long a peer that stays may be silent.
  package static let restMilliseconds: Int64 = 150_000
}
