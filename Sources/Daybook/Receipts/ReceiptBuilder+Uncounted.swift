import Bytes
import Journaling

extension ReceiptBuilder {
  /// Those of some events of logs that no revoke has cut off.
  func counted(
    _ events: [UniqueID: [ClosedRange<UInt64>]], _ trust: Trust
  ) -> [UniqueID: [ClosedRange<UInt64>]] {
    var counted: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (log, ranges) in events {
      let last = trust.cuts[log] ?? .max
      let kept = last == 0 ? [] : ranges.within(1...last)
      if !kept.isEmpty { counted[log] = kept }
    }
    return counted
  }

  /// Of whom something has come or gone, or had counted here, that a revoke has cut off or that waits to be admitted.
  ///
  /// How this device stands itself is told with its standing, and what it does not show of its own apart.
  func uncounted(
    _ grown: [UniqueID: UInt64], _ departed: [UniqueID: [ClosedRange<UInt64>]],
    since before: Holdings, _ trust: Trust, _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Uncounted] {
    let own = try localDevice.lastOwnLog
    let ownEnds = try localDevice.ownLogs().ends
    var found: [UniqueID: Receipt.Uncounted] = [:]
    for (log, last) in trust.cuts where log != own && ownEnds[log] == nil {
      guard let end = store.journal.end(of: log, on: .logs) else { continue }
      let lineage = store.journal.lineage(of: log)
      let last = max(last, lineage.first - 1)
      func beyond(_ end: UInt64?) -> UInt64 { end.map { $0 - min(last, $0) } ?? 0 }
      let came = min(beyond(end.sequence), grown[lineage.replica] ?? 0)
      let went = (departed[log] ?? []).reduce(0) { sum, range in
        sum + min(beyond(range.upperBound), UInt64(range.count))
      }
      let former = beyond(before.counted[log])
      guard came + went + former > 0 else { continue }
      let replica = lineage.replica
      let none = Receipt.Uncounted(
        device: names[replica] ?? replica.hex, replica: replica, events: 0, former: 0)
      found[replica, default: none].events += came + went
      found[replica, default: none].former += former
    }
    for (log, last) in before.counted where log != own && ownEnds[log] == nil {
      // Once a log turns out to be a branch it has another id; no device waits to be admitted then.
      guard let key = trust.keys[log], !trust.admittedKeys.contains(key), trust.cuts[log] == nil
      else { continue }
      let lineage = store.journal.lineage(of: log)
      guard last >= lineage.first else { continue }
      let replica = lineage.replica
      let none = Receipt.Uncounted(
        device: names[replica] ?? replica.hex, replica: replica, events: 0, former: 0,
        isWaiting: true)
      found[replica, default: none].former += last - lineage.first + 1
    }
    return found.values.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }
}
