import Bytes

/// Where a frame belongs that somebody sent.
enum FramePlacement: Hashable, Sendable {
  /// All of its events are held.
  case held
  /// It goes on where a strand ends.
  case follows(UniqueID)
  /// Its events from a place on are others than those that a strand has behind the same one.
  case forks(UniqueID, from: Int)
  /// It holds events that a strand has lost.
  case fills(UniqueID)
  /// Nothing is held that it could follow; so far the log is.
  case gap(UInt64)
}
