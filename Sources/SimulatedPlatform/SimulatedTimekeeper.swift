package import Platform
import Synchronization

/// Clocks that move only when a test advances them or a program pauses.
package final class SimulatedTimekeeper: Timekeeper {
  private struct Hands {
    var now: Moment
    var monotonic: Int64 = 0
    /// The microseconds since the last whole millisecond.
    var microseconds: Int64 = 0
    var offset = 0
    var zone: ZoneRules?
  }

  private let hands: Mutex<Hands>

  package init(now: Moment) { hands = Mutex(Hands(now: now)) }

  package func now() -> Moment { hands.withLock { $0.now } }

  package func monotonicMilliseconds() -> Int64 { hands.withLock { $0.monotonic } }

  package func localOffsetSeconds(at moment: Moment) -> Int {
    hands.withLock { $0.zone?.offsetSeconds(at: moment) ?? $0.offset }
  }

  /// Returns the rules of a zone that is in ``zones``; nil for all other zones.
  package func zone(named name: String) -> ZoneRules? {
    Self.zones[name].flatMap(ZoneRules.init(posix:))
  }

  /// Advances both clocks.
  package func advance(milliseconds: Int64) {
    precondition(milliseconds >= 0, "time passes forward; use set to turn the wall clock back")
    pause(microseconds: milliseconds * 1_000)
  }

  package func pause(microseconds: Int64) {
    hands.withLock {
      let passed = $0.microseconds + microseconds
      $0.microseconds = passed % 1_000
      $0.now.milliseconds += passed / 1_000
      $0.monotonic += passed / 1_000
    }
  }

  /// Sets the wall clock forward or back.
  ///
  /// The monotonic clock does not change.
  package func set(_ moment: Moment) { hands.withLock { $0.now = moment } }

  /// Sets the number of seconds by which local time is ahead of UTC.
  package func setLocalOffset(seconds: Int) {
    hands.withLock { ($0.offset, $0.zone) = (seconds, nil) }
  }

  /// Sets the zone of local time to one of ``zones``.
  package func setLocalZone(named name: String) {
    guard let zone = zone(named: name) else { preconditionFailure("no such zone: \(name)") }
    hands.withLock { $0.zone = zone }
  }
}

extension SimulatedTimekeeper {
  /// The zones that are known, with the rules that have applied in them since 2012.
  package static let zones = [
    "UTC": "UTC0", "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
    "Europe/London": "GMT0BST,M3.5.0/1,M10.5.0", "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "America/St_Johns": "NST3:30NDT,M3.2.0,M11.1.0", "Asia/Kolkata": "IST-5:30",
    "Asia/Kathmandu": "<+0545>-5:45", "Asia/Tokyo": "JST-9", "Pacific/Honolulu": "HST10",
    "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
  ]
}
