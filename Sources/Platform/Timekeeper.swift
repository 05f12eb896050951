/// The clocks of a machine.
public protocol Timekeeper: Sendable {
  /// Returns the time of the wall clock, which users and time servers may set forward or back.
  func now() -> Moment

  /// Returns the time of a clock that never runs backward, for measuring durations; its zero is arbitrary.
  func monotonicMilliseconds() -> Int64

  /// Returns the offset of local time from UTC at the given time, in seconds; positive values are east of UTC.
  func localOffsetSeconds(at moment: Moment) -> Int

  /// Returns the offsets of the time zone with the given name, such as `Europe/Berlin`; nil if this machine has no data
  /// about the zone.
  func zone(named name: String) -> ZoneRules?

  /// Blocks the caller for a duration.
  func pause(microseconds: Int64)
}

extension Timekeeper {
  /// Returns nil, because a timekeeper has no data about time zones by default.
  public func zone(named name: String) -> ZoneRules? { nil }

  /// Blocks the caller for a duration.
  public func pause(milliseconds: Int64) { pause(microseconds: milliseconds * 1_000) }
}

/// A point in time with millisecond precision.
public struct Moment: Comparable, Hashable, Sendable {
  /// The number of milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var milliseconds: Int64

  /// Creates the moment that is `milliseconds` after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Orders moments by time.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
