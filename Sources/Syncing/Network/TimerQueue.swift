/// Timers in a heap, so the next one is found immediately, regardless of their number.
///
/// Each timer fires once. If the deadline has been moved in the meantime, the owner sets a new timer when the old one
/// fires.
struct TimerQueue {
  private struct Alarm {
    var time: Int64
    var token: UInt64
  }

  /// The timers as a binary heap: no timer is later than its two children.
  private var timers: [Alarm] = []

  /// The time at which the next timer fires.
  var next: Int64? { timers.first?.time }

  mutating func set(_ token: UInt64, at time: Int64) {
    timers.append(Alarm(time: time, token: token))
    var place = timers.count - 1
    while place > 0, timers[place].time < timers[(place - 1) / 2].time {
      timers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the earliest timer that is due.
  mutating func takeDue(at now: Int64) -> UInt64? {
    guard let first = timers.first, first.time <= now else { return nil }
    let last = timers.removeLast()
    if timers.isEmpty { return first.token }
    timers[0] = last
    sink()
    return first.token
  }

  /// Moves the first timer down to its position in the heap.
  private mutating func sink() {
    var place = 0
    while true {
      let below = [2 * place + 1, 2 * place + 2].filter { $0 < timers.count }
      guard let least = below.min(by: { timers[$0].time < timers[$1].time }),
        timers[least].time < timers[place].time
      else { return }
      timers.swapAt(place, least)
      place = least
    }
  }
}
