import Bytes

/// The position of a received frame relative to the stored events.
enum FramePlacement: Hashable, Sendable {
  /// All events of the frame are stored.
  case held
  /// The frame continues a strand.
  case follows(UniqueID)
  /// The frame differs from a strand starting at a certain command; `from` is the index of that command's first event
  /// in the frame.
  case forks(UniqueID, from: Int)
  /// The frame contains events that a strand has lost.
  case fills(UniqueID)
  /// Events before the frame are missing; the value is the last stored event of the log.
  case gap(UInt64)
}
