import Bytes

/// One of the logs of a forked replica.
struct Branch: Sendable {
  var lineage: Lineage
  /// The strand with the events of the branch.
  ///
  /// The strand can contain other branches as well.
  var strand: UniqueID
  /// The end of the log, or the fork if the log has no events.
  var end: LogEnd
  var holes: [ClosedRange<UInt64>]

  /// Whether the log has no events, because another fork follows immediately.
  var isEmpty: Bool { end.sequence < lineage.first }
}
