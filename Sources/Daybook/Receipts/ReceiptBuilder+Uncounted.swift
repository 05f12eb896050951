import Bytes
import Journaling

extension ReceiptBuilder {
  /// Returns the given events that no revocation has cut off.
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

  /// The revoked and waiting devices whose events were sent or received, or had counted here.
  ///
  /// The standing of this device and its own hidden events are reported separately.
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
      // A log that turns out to be a branch gets another id, which does not mean that a device is waiting.
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
