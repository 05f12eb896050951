import Bytes

/// Where a received frame belongs.
enum FramePlacement: Hashable, Sendable {
  /// All its events are held.
  case held
  /// It continues a strand.
  case follows(UniqueID)
  /// From a command on, given by the index of its first event in the frame, it differs from what a strand holds.
  case forks(UniqueID, from: Int)
  /// It has events that a strand has lost.
  case fills(UniqueID)
  /// The events before it are not held. The last event of the log that is held.
  case gap(UInt64)
}
