/// Those who have called and not shown yet that they may.
///
/// There is no room for many. Who comes when there is none takes the place of another: of the one who has waited
/// longest, and of those who have said least. Who may come in is through within a few moments, and so does not wait long
/// however many strangers stand and say nothing.
struct PendingConnections {
  private struct Caller {
    var number: UInt64
    var host: String
    var hasSpoken = false
  }

  /// In the order in which they came.
  private var callers: [Caller] = []

  var count: Int { callers.count }

  /// Lets one more wait, and tells who has to go for that.
  mutating func enter(_ number: UInt64, from host: String) -> UInt64? {
    let leaver = leaver(for: host)
    if let leaver { leave(leaver) }
    callers.append(Caller(number: number, host: host))
    return leaver
  }

  /// Who has to go when one more comes; nobody where there is room.
  func leaver(for host: String) -> UInt64? {
    if callers.count(where: { $0.host == host }) >= Limit.sessionsOfAddress {
      return last { $0.host == host }
    }
    return callers.count >= Limit.unknownSessions ? last { _ in true } : nil
  }

  /// Notes that one has said enough to be answered.
  mutating func noteSpoken(_ number: UInt64) {
    guard let place = callers.firstIndex(where: { $0.number == number }) else { return }
    callers[place].hasSpoken = true
  }

  /// Notes that one is in, or gone.
  mutating func leave(_ number: UInt64) { callers.removeAll { $0.number == number } }

  /// The one to go of those meant.
  private func last(_ isMeant: (Caller) -> Bool) -> UInt64? {
    let meant = callers.filter(isMeant)
    return (meant.first { !$0.hasSpoken } ?? meant.first)?.number
  }
}
