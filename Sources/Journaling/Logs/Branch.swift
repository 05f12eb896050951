import Bytes

/// A log of a replica that forked, and where its events lie.
struct Branch: Sendable {
  var lineage: Lineage
  /// The strand that holds the events, beside those of other logs perhaps.
  var strand: UniqueID
  /// The log at its last event; for one that follows a fork at once, at the fork.
  var end: LogEnd
  var holes: [ClosedRange<UInt64>]

  /// The log's own events; empty for a log that forked at its very beginning.
  var isEmpty: Bool { end.sequence < lineage.first }
}
