package import Platform
import Synchronization

/// Clocks that move only when a test advances them or a program pauses.
package final class SimulatedTimekeeper: Timekeeper {
  private struct Hands {
    var now: Moment
    var monotonic: Int64 = 0
    /// The time since the last whole millisecond.
    var microseconds: Int64 = 0
    var offset = 0
  }

  private let hands: Mutex<Hands>

  package init(now: Moment) { hands = Mutex(Hands(now: now)) }

  package func now() -> Moment { hands.withLock { $0.now } }

  package func monotonicMilliseconds() -> Int64 { hands.withLock { $0.monotonic } }

  package func localOffsetSeconds(at moment: Moment) -> Int { hands.withLock { $0.offset } }

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
  package func setLocalOffset(seconds: Int) { hands.withLock { $0.offset = seconds } }
}
