import Bytes

/// A log of a replica that has forked.
struct Branch: Sendable {
  var lineage: Lineage
  /// The strand that holds its events.
  ///
  /// It can hold other branches as well.
  var strand: UniqueID
  /// The end of the log; the fork, if it has no events.
  var end: LogEnd
  var holes: [ClosedRange<UInt64>]

  /// Whether it has no events, because another fork follows at once.
  var isEmpty: Bool { end.sequence < lineage.first }
}
