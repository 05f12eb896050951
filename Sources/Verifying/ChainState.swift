import Bytes

/// The state of a log after an event.
struct ChainState {
  var sequence: UInt64
  var time: UInt64
  var when: Int64
  var hash: Digest
  var tableCount: UInt64
  /// Nil if a missing event may have added to it.
  var table: [UniqueID]?
  /// Whether the preceding events are missing, so that only their number is known.
  var isAdrift = false

  /// Whether a frame that begins with an event continues the log without a gap.
  func isFollowed(by first: UInt64) -> Bool { !isAdrift && first == sequence + 1 }
}

extension ChainState {
  /// The state before a frame as the frame's information gives it.
  ///
  /// It is compared with the state after the frame before, `previous`, if this frame follows that one.
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
