import Platform
import Synchronization

/// A wall clock that only the demonstration advances, so that the story always has the same times.
final class StoryClock: Timekeeper {
  private let moment: Mutex<Int64>
  private let base: any Timekeeper

  init(at moment: Moment, base: any Timekeeper) {
    self.moment = Mutex(moment.milliseconds)
    self.base = base
  }

  func now() -> Moment { Moment(milliseconds: moment.withLock { $0 }) }

  func advance(minutes: Int64) { moment.withLock { $0 += minutes * 60_000 } }

  func monotonicMilliseconds() -> Int64 { base.monotonicMilliseconds() }

  /// The story takes place in UTC.
  func localOffsetSeconds(at moment: Moment) -> Int { 0 }

  func zone(named name: String) -> ZoneRules? { base.zone(named: name) }

  func pause(microseconds: Int64) { base.pause(microseconds: microseconds) }
}
