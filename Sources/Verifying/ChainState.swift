import Bytes

/// The state of a log after an event.
struct ChainState {
  var sequence: UInt64
  var time: UInt64
  var when: Int64
  var hash: Digest
  var tableCount: UInt64
  /// The log's table; nil if a missing event may have added entries to it.
  var table: [UniqueID]?
  /// Whether the preceding events are missing, so that only their number is known.
  var isAdrift = false

  /// Whether a frame that begins with the given event continues the log without a gap.
  func isFollowed(by first: UInt64) -> Bool { !isAdrift && first == sequence + 1 }
}

extension ChainState {
  /// Creates the state before a frame from the frame's information.
  ///
  /// If the frame directly follows the previous one, its information is compared with `previous`, the state after that
  /// frame.
  init(
    _ claims: FrameClaims, of frame: borrowing StoredFrame, behind previous: ChainState?,
    mustHaveTable: Bool, _ faults: inout FaultCollector
  ) {
    var table = claims.table ?? (claims.tableCount == 0 ? [] : nil)
    if claims.isWordy { faults.report(.information) }
    if let given = claims.table, UInt64(given.count) != claims.tableCount {
      faults.report(.information)
    }
    if mustHaveTable, table == nil { faults.report(.information) }
    if let previous {
      if claims.time != previous.time { faults.report(.unjoined(.time)) }
      if claims.when != previous.when { faults.report(.unjoined(.when)) }
      if claims.hash != previous.hash { faults.report(.unjoined(.chain)) }
      let differs = table.map { given in previous.table.map { $0 != given } ?? false } ?? false
      if claims.tableCount != previous.tableCount || differs { faults.report(.unjoined(.table)) }
      if table == nil, claims.tableCount == previous.tableCount { table = previous.table }
    }
    self.init(
      sequence: frame.first - 1, time: claims.time, when: claims.when, hash: claims.hash,
      tableCount: claims.tableCount, table: table)
  }
}
