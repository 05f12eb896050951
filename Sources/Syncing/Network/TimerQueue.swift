/// What is to happen when, the next of it at hand however much there is.
///
/// Each is told once. Whoever has put something off meanwhile sees that when it is told, and sets it anew.
struct TimerQueue {
  private struct Alarm {
    var time: Int64
    var token: UInt64
  }

  /// A heap: none is later than the two that it stands above.
  private var timers: [Alarm] = []

  /// When the next of them is due.
  var next: Int64? { timers.first?.time }

  mutating func set(_ token: UInt64, at time: Int64) {
    timers.append(Alarm(time: time, token: token))
    var place = timers.count - 1
    while place > 0, timers[place].time < timers[(place - 1) / 2].time {
      timers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes one that is due, the earliest first.
  mutating func takeDue(at now: Int64) -> UInt64? {
    guard let first = timers.first, first.time <= now else { return nil }
    let last = timers.removeLast()
    if timers.isEmpty { return first.token }
    timers[0] = last
    sink()
    return first.token
  }

  /// Puts the first where it belongs.
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
