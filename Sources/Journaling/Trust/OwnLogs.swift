package import Bytes

/// What of a book's logs a device has written itself, and what it shows by that.
///
/// What is shown depends on what the book admits, on the log that the device writes, and on nothing else. So devices
/// whose keys are admitted, and that hold the same events, show the same.
package struct OwnLogs: Hashable, Sendable {
  /// The log by which the device is known: the one it writes, or else the one it left last.
  package var last: UniqueID?
  /// The last event of each log or branch that is known to be the device's own; `UInt64.max` for the log it writes.
  package var ends: [UniqueID: UInt64]

  package init(last: UniqueID?, ends: [UniqueID: UInt64]) {
    (self.last, self.ends) = (last, ends)
  }

  /// The logs that the device shows, each with the last event that it shows.
  ///
  /// These are the admitted logs and, beside them, what the device has written under its present key; if that key is
  /// unknown, the log it writes. A log of a replaced key is shown as far as it is admitted, because an admitted device
  /// would otherwise show what no other one does.
  package func shown(by trust: Trust) -> [UniqueID: UInt64] {
    var shown = trust.admitted
    guard let last else { return shown }
    // The key of a log is unknown if its first event is lost, but the device still writes in the log.
    guard let key = trust.keys[last] else {
      if let end = ends[last] { shown[last] = end }
      return shown
    }
    for (log, end) in ends where trust.keys[log] == key { shown[log] = max(shown[log] ?? 0, end) }
    return shown
  }

  /// The events of its own that the device does not show, of logs whose first and last events are given.
  package func hidden(
    by trust: Trust, within held: (_ log: UniqueID) -> ClosedRange<UInt64>?
  ) -> [UniqueID: ClosedRange<UInt64>] {
    difference(of: ends, from: shown(by: trust), within: held)
  }

  /// The events that the device shows and that are not admitted, of logs whose first and last events are given.
  package func shownAlone(
    by trust: Trust, within held: (_ log: UniqueID) -> ClosedRange<UInt64>?
  ) -> [UniqueID: ClosedRange<UInt64>] {
    difference(of: shown(by: trust), from: trust.admitted, within: held)
  }

  private func difference(
    of more: [UniqueID: UInt64], from less: [UniqueID: UInt64],
    within held: (_ log: UniqueID) -> ClosedRange<UInt64>?
  ) -> [UniqueID: ClosedRange<UInt64>] {
    var found: [UniqueID: ClosedRange<UInt64>] = [:]
    for (log, end) in more {
      guard let held = held(log) else { continue }
      let before = less[log] ?? 0
      let last = min(end, held.upperBound)
      guard before < last, held.lowerBound <= last else { continue }
      found[log] = max(before + 1, held.lowerBound)...last
    }
    return found
  }
}
