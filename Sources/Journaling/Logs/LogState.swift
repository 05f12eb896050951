import Bytes
import Crypto

/// What a journal knows of a strand without reading all of it.
///
/// A strand is what lies in one folder: the log of a replica as it came first, or what follows a fork of it.
struct LogState: Sendable {
  var shelf: LogShelf
  /// Who wrote it.
  var replica: UniqueID
  /// The strand's first event.
  var first: UInt64 = 1
  /// The chain hash before that, where the strand has a folder of its own.
  var before: Digest?
  /// The same, of one that follows a fork.
  var base: Digest? { isRemains ? nil : before }
  /// The strand that it leaves there, when that has been looked for and is held.
  var trunk: UniqueID?
  /// Whether its first event is not the one that it is named after: what it follows is lost, and it waits for that.
  var isRemains = false
  /// What has been read where others may leave it.
  var junctions: [UInt64: Junction] = [:]
  var end: LogEnd
  /// What the last block is salted with.
  var lastBlock: BlockSecrets?
  var tail: Tail?
  /// What may follow the end.
  var ending = Ending.sound
  /// The version of a frame that is newer than what is known here.
  ///
  /// What it holds is no damage, so the end may be sound all the same; only, nothing is written.
  var newerVersion: UInt8?
  var losses = Losses()
  /// Whether this is how the log was when it was last read, with its files unchanged since.
  ///
  /// What salts its last block is not known then, so its last frame must be read before it goes on.
  var isRecalled = false
  /// Whether the names of its files, and of the folders these lie in, are known to be flushed.
  ///
  /// An earlier process may have ended after it gave a name and before it flushed the folder.
  var isNamed = false
  /// Read from the first event when first needed.
  var publicKey: PublicKey?

  /// Goes on to the end of events that were written.
  mutating func advance(to draft: FrameDraft) {
    end = draft.end
    lastBlock = draft.secrets.blocks.last
  }

  /// The strand's own events up to its end.
  var events: ClosedRange<UInt64> { first...max(first, end.sequence) }
}

/// How a strand ends, as it lies on the disk.
enum Ending: Hashable, Sendable {
  /// The last event is known as it was written, and others may follow.
  case sound
  /// Not all of that is known, as the logs that lost events have added to the table: nothing may follow.
  case unclear
  /// Files are named after these events behind the end, and they cannot be read.
  case lost(ClosedRange<UInt64>)

  var isSound: Bool { self == .sound }

  /// The events that are lost behind the end.
  var lost: ClosedRange<UInt64>? {
    if case .lost(let events) = self { events } else { nil }
  }
}

/// What is known to be lost of a strand below its end; always in order, and apart.
struct Losses: Hashable, Sendable {
  /// Events that cannot be read.
  private(set) var events: [ClosedRange<UInt64>] = []
  /// Events whose bodies are gone though no `erase` that counts took them.
  private(set) var bodies: [ClosedRange<UInt64>] = []

  /// Both.
  var all: [ClosedRange<UInt64>] { [ClosedRange<UInt64>](joining: events + bodies) }

  mutating func add(events lost: [ClosedRange<UInt64>]) {
    events = [ClosedRange<UInt64>](joining: events + lost)
  }

  mutating func add(bodies lost: [ClosedRange<UInt64>]) {
    bodies = [ClosedRange<UInt64>](joining: bodies + lost)
  }

  /// Forgets which events were lost before.
  mutating func replace(events lost: [ClosedRange<UInt64>]) {
    events = [ClosedRange<UInt64>](joining: lost)
  }

  mutating func forgetBodies() { bodies = [] }

  /// Takes note that events have come back, with their bodies.
  mutating func remove(_ healed: [ClosedRange<UInt64>]) {
    (events, bodies) = (events.without(healed), bodies.without(healed))
  }
}

/// The file that grows.
struct Tail: Sendable {
  var first: UInt64
  /// Up to the end of the last frame.
  var length: Int
  /// Bytes behind the last frame: zeros, what is left of a write that was cut short, or frames that are passed over.
  var excess = 0
  /// Whether all of it is known to be flushed.
  ///
  /// What an earlier process wrote may be in memory only, and marked as flushed though it is not.
  var isSettled: Bool
  /// Whether it ends in a head.
  var hasHead: Bool
  /// How many frames it holds.
  var frameCount = 1
  /// The chain hashes at the ends of its frames, by the last events: that is how far others hold it, nearly always.
  var hashes: [UInt64: Digest] = [:]
  /// Whether bytes that are no frame of the log lie before one, though no event is missing there.
  ///
  /// A disk that moves frames can push others out at the end.
  var hasSkippedBytes = false
}
