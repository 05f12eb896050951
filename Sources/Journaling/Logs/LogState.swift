import Bytes
import Crypto

/// What a journal knows of a strand without reading all its files.
struct LogState: Sendable {
  var shelf: LogShelf
  /// The replica that wrote it.
  var replica: UniqueID
  /// The first event.
  var first: UInt64 = 1
  /// The chain hash before the first event; nil for the strand that begins the log, and where it is not known.
  var before: Digest?
  /// The chain hash at the fork; nil for an orphaned strand.
  var base: Digest? { isOrphaned ? nil : before }
  /// The strand that it branches off, if that was searched for and found.
  var trunk: UniqueID?
  /// Whether its first event is not the one that it is named after, because the events before it are lost.
  var isOrphaned = false
  /// The events at which other strands may leave it, as far as they were read.
  var branchPoints: [UInt64: BranchPoint] = [:]
  var end: LogEnd
  /// The seed or the salts of the last block.
  var lastBlock: BlockSecrets?
  var tail: Tail?
  /// Whether events can follow the end.
  var ending = Ending.sound
  /// The version of a frame that this program cannot read, because it is newer.
  ///
  /// That is no damage, so the end can be sound. But nothing is written.
  var newerVersion: UInt8?
  var losses = Losses()
  /// Whether the state was taken from a cache.
  ///
  /// The secrets of the last block are not cached, so the last frame must be read before anything is appended.
  var isRecalled = false
  /// Whether the directory entries of its files, and of the folders that hold them, are known to be flushed.
  ///
  /// An earlier process may have ended after it named a file and before it flushed the folder.
  var isNamed = false
  /// The key of the replica, once it was read from the first event.
  var publicKey: PublicKey?

  /// Moves the end to the end of a draft that was written.
  mutating func advance(to draft: FrameDraft) {
    end = draft.end
    lastBlock = draft.secrets.blocks.last
  }

  /// The events from the first to the end.
  var events: ClosedRange<UInt64> { first...max(first, end.sequence) }
}

/// What the files of a strand show at its end.
enum Ending: Hashable, Sendable {
  /// The last event can be read and the table is known, so that events can follow.
  case sound
  /// Lost events may have added logs to the table. Nothing can follow.
  case unclear
  /// Files are named after these events behind the end, and cannot be read.
  case lost(ClosedRange<UInt64>)

  var isSound: Bool { self == .sound }

  /// The lost events behind the end.
  var lost: ClosedRange<UInt64>? {
    if case .lost(let events) = self { events } else { nil }
  }
}

/// The known losses of a strand before its end: ascending ranges that do not touch.
struct Losses: Hashable, Sendable {
  /// Events that cannot be read.
  private(set) var events: [ClosedRange<UInt64>] = []
  /// Events without their bodies, although no `erase` in effect removed them.
  private(set) var bodies: [ClosedRange<UInt64>] = []

  /// Both together.
  var all: [ClosedRange<UInt64>] { [ClosedRange<UInt64>](joining: events + bodies) }

  mutating func add(events lost: [ClosedRange<UInt64>]) {
    events = [ClosedRange<UInt64>](joining: events + lost)
  }

  mutating func add(bodies lost: [ClosedRange<UInt64>]) {
    bodies = [ClosedRange<UInt64>](joining: bodies + lost)
  }

  /// Replaces the lost events.
  mutating func replace(events lost: [ClosedRange<UInt64>]) {
    events = [ClosedRange<UInt64>](joining: lost)
  }

  mutating func forgetBodies() { bodies = [] }

  /// Removes events that were put back with their bodies.
  mutating func remove(_ healed: [ClosedRange<UInt64>]) {
    (events, bodies) = (events.without(healed), bodies.without(healed))
  }
}

/// The file that grows.
struct Tail: Sendable {
  var first: UInt64
  /// Up to the end of the last frame.
  var length: Int
  /// The number of bytes behind the last frame: zeros, the start of an interrupted write, or frames that are skipped.
  var excess = 0
  /// Whether all of it is known to be flushed.
  ///
  /// The writes of an earlier process may be in memory only, in pages that are marked as clean.
  var isSettled: Bool
  /// Whether it ends in a head.
  var hasHead: Bool
  /// How many frames it holds.
  var frameCount = 1
  /// The chain hashes at the ends of its frames, by sequence.
  ///
  /// Peers nearly always hold it up to one of these.
  var hashes: [UInt64: Digest] = [:]
  /// Whether bytes that are no frame of the log are before one, although no event is missing there.
  ///
  /// A disk that displaces frames can push others out at the end.
  var hasSkippedBytes = false
}
