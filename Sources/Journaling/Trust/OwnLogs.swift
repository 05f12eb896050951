package import Bytes

/// The parts of a book's logs that this device has written; they determine which additional logs it shows.
///
/// The shown logs depend only on the admissions of the book and on the log that the device writes. Therefore, admitted
/// devices that hold the same events show the same logs.
package struct OwnLogs: Hashable, Sendable {
  /// The log that the device writes, or, if it writes none, the latest log that it wrote.
  package var last: UniqueID?
  /// The last event of each log or branch that is known to be the device's own; `UInt64.max` for the log that it
  /// writes.
  package var ends: [UniqueID: UInt64]

  package init(last: UniqueID?, ends: [UniqueID: UInt64]) {
    (self.last, self.ends) = (last, ends)
  }

  /// The logs that the device shows, each with the last shown event.
  ///
  /// The device shows the admitted logs and the events that the device has written under its current key. If that key
  /// is unknown, the device shows the log that it writes instead of those events. A log of a replaced key is shown only
  /// as far as it is admitted, because an admitted device would otherwise show events that no other device shows.
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

  /// The device's own events that it does not show.
  ///
  /// `held` returns the first and last stored event of a log.
  package func hidden(
    by trust: Trust, within held: (_ log: UniqueID) -> ClosedRange<UInt64>?
  ) -> [UniqueID: ClosedRange<UInt64>] {
    difference(of: ends, from: shown(by: trust), within: held)
  }

  /// The events that the device shows although they are not admitted.
  ///
  /// `held` returns the first and last stored event of a log.
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
