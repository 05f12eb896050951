import Bytes
import Crypto

/// What is known about a strand without reading all of its files.
struct LogState: Sendable {
  var shelf: LogShelf
  /// The replica that wrote the strand.
  var replica: UniqueID
  /// The first event of the strand.
  var first: UInt64 = 1
  /// The chain hash before the first event; nil for the first strand of a replica, and if the hash is unknown.
  var before: Digest?
  /// The chain hash at the fork; nil for an orphaned strand.
  var base: Digest? { isOrphaned ? nil : before }
  /// The strand that this strand forks from, if that strand was searched for and found.
  var trunk: UniqueID?
  /// Whether the event that gave the strand its name is lost; if so, the strand begins with a later event.
  var isOrphaned = false
  /// The branch points found so far: events after which other strands may fork from this strand.
  var branchPoints: [UInt64: BranchPoint] = [:]
  var end: LogEnd
  /// The seed or the salts of the last block.
  var lastBlock: BlockSecrets?
  var tail: Tail?
  /// Whether events can follow the end.
  var ending = Ending.sound
  /// The version of a frame too new for this program to read.
  ///
  /// Such a frame is not damage, so the end can be sound, but nothing is written. A frame before the newest file of the
  /// strand is noticed once its events are known to be lost.
  var newerVersion: UInt8?
  var losses = Losses()
  /// Whether the state was taken from a cache.
  ///
  /// The secrets of the last block are not cached, so the last frame must be read before anything is appended.
  var isRecalled = false
  /// Whether the directory entries of the strand's files, and of the folders that contain them, are known to be
  /// flushed.
  ///
  /// An earlier process may have ended after it named a file but before it flushed the folder.
  var isNamed = false
  /// The key of the replica, if it was read from the first event.
  var publicKey: PublicKey?

  /// Advances the end to the end of a written draft.
  mutating func advance(to draft: FrameDraft) {
    end = draft.end
    lastBlock = draft.secrets.blocks.last
  }

  /// Whether the given event is in a hole, or may be one of the lost events after the end.
  func hasLost(_ sequence: UInt64) -> Bool {
    ending.lost.map { $0.lowerBound <= sequence } ?? false
      || losses.events.contains { $0.contains(sequence) }
  }

  /// The strand's events, from the first to the last.
  var events: ClosedRange<UInt64> { first...max(first, end.sequence) }
}

/// The state of a strand's end, according to its files.
enum Ending: Hashable, Sendable {
  /// The last event can be read and the table is known, so events can follow.
  case sound
  /// Lost events may have added logs to the table, so no event can follow.
  case unclear
  /// File names show these events after the end, but the events cannot be read.
  case lost(ClosedRange<UInt64>)

  var isSound: Bool { self == .sound }

  /// The lost events after the end.
  var lost: ClosedRange<UInt64>? {
    if case .lost(let events) = self { events } else { nil }
  }
}

/// The known losses of a strand before its end, as ascending ranges that do not touch.
struct Losses: Hashable, Sendable {
  /// The unreadable events.
  private(set) var events: [ClosedRange<UInt64>] = []
  /// The events that lack their bodies although no `erase` in effect removed the bodies.
  private(set) var bodies: [ClosedRange<UInt64>] = []
  /// The original first event of each hole whose beginning was filled, keyed by the hole's last event.
  ///
  /// If the log turns out to fork in the filled part, the events after the hole may follow either branch.
  private(set) var origins: [UInt64: UInt64] = [:]

  /// The lost events and the events without their bodies.
  var all: [ClosedRange<UInt64>] { [ClosedRange<UInt64>](joining: events + bodies) }

  mutating func add(events lost: [ClosedRange<UInt64>]) { replace(events: events + lost) }

  mutating func add(bodies lost: [ClosedRange<UInt64>]) {
    bodies = [ClosedRange<UInt64>](joining: bodies + lost)
  }

  /// Replaces the lost events.
  ///
  /// An origin stays with the hole that contains the last event of the origin's former hole.
  mutating func replace(events lost: [ClosedRange<UInt64>]) {
    events = [ClosedRange<UInt64>](joining: lost)
    keepOrigins(origins)
  }

  /// Adds the given origins, if their holes still exist.
  mutating func keepOrigins(_ known: [UInt64: UInt64]) {
    var kept: [UInt64: UInt64] = [:]
    for (last, origin) in origins.merging(known, uniquingKeysWith: min) {
      guard let hole = events.first(where: { $0.contains(last) }), origin < hole.lowerBound else {
        continue
      }
      kept[hole.upperBound] = min(origin, kept[hole.upperBound] ?? origin)
    }
    origins = kept
  }

  mutating func forgetBodies() { bodies = [] }

  /// Removes events from the losses after they have been restored with their bodies.
  mutating func remove(_ healed: [ClosedRange<UInt64>]) {
    let before = self
    (events, bodies) = (events.without(healed), bodies.without(healed))
    var known: [UInt64: UInt64] = [:]
    for hole in events {
      guard let whole = before.events.first(where: { $0.contains(hole.upperBound) }) else {
        continue
      }
      known[hole.upperBound] = before.origins[whole.upperBound] ?? whole.lowerBound
    }
    origins = [:]
    keepOrigins(known)
  }
}

/// The file to which events are appended.
struct Tail: Sendable {
  var first: UInt64
  /// The offset at which the last frame ends.
  var length: Int
  /// The number of bytes after the last frame: zeros, the start of an interrupted write, or frames that are skipped.
  var excess = 0
  /// Whether the whole file is known to be flushed.
  ///
  /// Data that an earlier process wrote may be only in memory, in pages that are marked as clean.
  var isSettled: Bool
  /// Whether the file ends in a head.
  var hasHead: Bool
  var frameCount = 1
  /// The chain hashes at the ends of the file's frames, by sequence.
  ///
  /// Peers nearly always hold the log up to one of these events.
  var hashes: [UInt64: Digest] = [:]
  /// Whether a frame is preceded by bytes that are not a frame of the log, although no event is missing there.
  ///
  /// Frames that a disk writes to the wrong place can displace the frames at the end of the file.
  var hasSkippedBytes = false
}
