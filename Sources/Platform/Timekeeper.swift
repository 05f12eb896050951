/// Tells the time.
public protocol Timekeeper: Sendable {
  /// The wall clock, which people and time servers may set back and forth.
  func now() -> Moment

  /// A clock that only runs forward, for measuring patience; its zero means nothing.
  func monotonicMilliseconds() -> Int64

  /// How far local time is ahead of UTC at a moment, in seconds; east is positive.
  func localOffsetSeconds(at moment: Moment) -> Int

  /// Lets that much time pass before it returns.
  func pause(microseconds: Int64)
}

extension Timekeeper {
  /// Lets that much time pass before it returns.
  public func pause(milliseconds: Int64) { pause(microseconds: milliseconds * 1_000) }
}

/// A point in time, to the millisecond.
public struct Moment: Comparable, Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var milliseconds: Int64

  /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Orders moments by time.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
