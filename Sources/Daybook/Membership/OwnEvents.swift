package import Bytes
import Journaling
import Syncing

/// Counts this device's events that have no effect here or on other devices.
package struct OwnEvents {
  let store: LogStore
  let localDevice: LocalDevice
  let reviewer: ErasureReviewer
  let projector: Projector
  let peerNotes: PeerNotes

  /// The number of this device's events that a device can accept only if it has the lost events before them.
  ///
  /// Without the lost events, it is unknown which logs the later events refer to.
  package func countOfStranded() throws(DaybookError) -> UInt64 {
    var logs = Set(try localDevice.ownLogs().ends.keys)
    if let left = store.file.left[try store.folder.mark()]?.log { logs.insert(left) }
    var count: UInt64 = 0
    for log in logs { count += StrandedEvents(of: log, in: store.journal).count }
    return count
  }

  /// For each log, the last event that this machine would fold if all events under its keys counted.
  ///
  /// After an old copy has replaced the book, this device has no record of which later events it wrote. Such events are
  /// recognised by their key.
  func shownWithAllOwn() throws(DaybookError) -> [UniqueID: UInt64] {
    let trust = try projector.trust()
    let keys = try reviewer.ownKeys(by: trust)
    var ends = try localDevice.shownLogs(trust).merging(
      try localDevice.ownLogs().ends, uniquingKeysWith: max)
    for (log, key) in trust.keys where keys.contains(key) { ends[log] = .max }
    return ends.filter { store.journal.end(of: $0.key, on: .logs) != nil }
  }

  /// The number of record events that this device wrote but does not show, because they are in logs of a former key and
  /// have no effect.
  package func countOfHiddenOwn() throws(DaybookError) -> UInt64 {
    try countOfHiddenOwn(
      by: try projector.trust())
  }

  /// The number of record events that take effect only on this device, because its key is not admitted or was revoked.
  ///
  /// Erasures are included, because they hide records here and nowhere else.
  ///
  /// The digest does not include such events.
  package func countOfShownAlone() throws(DaybookError) -> UInt64 {
    try countOfShownAlone(
      by: try projector.trust())
  }

  func countOfHiddenOwn(by trust: Trust) throws(DaybookError) -> UInt64 {
    try count(in: try localDevice.ownLogs().hidden(by: trust) { heldRange(of: $0) }) {
      JournalVerb.domain.contains($0)
    }
  }

  func countOfShownAlone(by trust: Trust) throws(DaybookError) -> UInt64 {
    try count(in: try localDevice.ownLogs().shownAlone(by: trust) { heldRange(of: $0) }) {
      JournalVerb.domain.contains($0) || $0 == JournalVerb.erase.rawValue
    }
  }

  private func heldRange(of log: UniqueID) -> ClosedRange<UInt64>? {
    guard let end = store.journal.end(of: log, on: .logs)?.sequence else { return nil }
    let first = store.journal.lineage(of: log).first
    return first <= end ? first...end : nil
  }

  private func count(
    in events: [UniqueID: ClosedRange<UInt64>], where isCounted: (UInt64) -> Bool
  ) throws(DaybookError) -> UInt64 {
    var count: UInt64 = 0
    for (log, range) in events {
      try store.forEachFrame(of: log, from: range.lowerBound, upTo: range.upperBound) { _, events in
        for event in events where range.contains(event.sequence) {
          if let verb = event.verb, isCounted(verb) { count += 1 }
        }
      }
    }
    return count
  }

  /// How many of the last `count` events of a log at least one peer has reported holding.
  package func countReached(among count: UInt64, of log: UniqueID) throws(DaybookError) -> UInt64 {
    let end = store.heldEnds()[log] ?? 0
    let reached = try peerNotes.peers().peers.values.flatMap { $0.frontier.places(of: log) }.map(
      \.sequence)
    let lacked = end - min(end, reached.max() ?? 0)
    return count - min(count, lacked)
  }
}
