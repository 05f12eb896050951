import Glibc
package import Platform

/// The clocks of this computer.
package struct SystemTimekeeper: Timekeeper {
  private let zones = ZoneCache()

  package init() {}

  package func now() -> Moment { Moment(reading(CLOCK_REALTIME)) }

  package func monotonicMilliseconds() -> Int64 { Moment(reading(CLOCK_MONOTONIC)).milliseconds }

  package func localOffsetSeconds(at moment: Moment) -> Int {
    var seconds = time_t(moment.wholeSeconds)
    var fields = unsafe tm()
    // Unlike localtime, localtime_r is not required to read TZ itself.
    tzset()
    // This call fails only if the year does not fit into its field. In that case, UTC is used.
    guard unsafe localtime_r(&seconds, &fields) != nil else { return 0 }
    return unsafe fields.tm_gmtoff
  }

  package func zone(named name: String) -> ZoneRules? { zones.zone(named: name) }

  package func pause(microseconds: Int64) {
    var rest = timespec(
      tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
    var left = timespec()
    // If a signal interrupts the sleep, the sleep continues for the remaining time.
    while unsafe nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
  }

  private func reading(_ clock: clockid_t) -> timespec {
    var time = timespec()
    let answered = unsafe clock_gettime(clock, &time)
    precondition(answered == 0, "Linux has these clocks")
    return time
  }
}

extension Moment {
  init(_ time: timespec) {
    self.init(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
