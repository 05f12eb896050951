import Platform

/// Counts the bytes on a conversation's line, and detects whether the peer keeps this side waiting for too long.
struct LineMonitor {
  private let timekeeper: any Timekeeper
  private var timeouts: Timeouts
  /// The number of bytes that were sent and received.
  private(set) var byteCounts = (sent: 0, received: 0)

  /// Starts to wait for the hello; this wait may have begun earlier.
  init(_ timekeeper: any Timekeeper, since start: Int64?) {
    self.timekeeper = timekeeper
    timeouts = Timeouts(since: start ?? timekeeper.monotonicMilliseconds())
  }

  var now: Int64 { timekeeper.monotonicMilliseconds() }

  /// The time at which the next timeout passes, according to the monotonic clock.
  var deadline: Int64 { timeouts.deadline }

  mutating func hear(_ count: Int) {
    byteCounts.received += count
    timeouts.hear(count, at: now)
  }

  mutating func say(_ count: Int) {
    byteCounts.sent += count
    timeouts.say(count, at: now)
  }

  /// Begins to wait for the given event, unless this side is already waiting for it.
  mutating func wait(for waiting: Timeouts.Waiting) { timeouts.wait(for: waiting, at: now) }

  /// The consequence at the given time if a timeout has passed.
  func verdict(at moment: Int64) -> Timeouts.Verdict? { timeouts.verdict(at: moment) }
}
