/// What is to happen when, the next of it at hand however much there is.
///
/// Each is told once. Whoever has put something off meanwhile sees that when it is told, and sets it anew.
struct Alarms {
  private struct Alarm {
    var time: Int64
    var token: UInt64
  }

  /// A heap: none is later than the two that it stands above.
  private var alarms: [Alarm] = []

  /// When the next of them is due.
  var next: Int64? { alarms.first?.time }

  mutating func set(_ token: UInt64, at time: Int64) {
    alarms.append(Alarm(time: time, token: token))
    var place = alarms.count - 1
    while place > 0, alarms[place].time < alarms[(place - 1) / 2].time {
      alarms.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes one that is due, the earliest first.
  mutating func takeDue(at now: Int64) -> UInt64? {
    guard let first = alarms.first, first.time <= now else { return nil }
    let last = alarms.removeLast()
    if alarms.isEmpty { return first.token }
    alarms[0] = last
    sink()
    return first.token
  }

  /// Puts the first where it belongs.
  private mutating func sink() {
    var place = 0
    while true {
      let below = [2 * place + 1, 2 * place + 2].filter { $0 < alarms.count }
      guard let least = below.min(by: { alarms[$0].time < alarms[$1].time }),
        alarms[least].time < alarms[place].time
      else { return }
      alarms.swapAt(place, least)
      place = least
    }
  }
}
