/// The callers that have not yet proved that they may take part.
///
/// The number of callers is limited, both in total and from each address. If a limit is reached, a new caller replaces
/// one of the callers that the limit covers: the one that has waited longest, preferably among those that have not sent
/// enough to be answered. A peer that may take part proves this quickly, so silent strangers cannot keep it out,
/// regardless of how many there are.
struct PendingConnections {
  private struct Caller {
    var number: UInt64
    var host: String
    var hasSpoken = false
  }

  /// The callers, in the order of arrival.
  private var callers: [Caller] = []

  var count: Int { callers.count }

  /// Adds a caller.
  ///
  /// - Returns: The caller that was removed to make space, if there was one.
  mutating func enter(_ number: UInt64, from host: String) -> UInt64? {
    let leaver = leaver(for: host)
    if let leaver { leave(leaver) }
    callers.append(Caller(number: number, host: host))
    return leaver
  }

  /// The caller to remove if a new one arrives, or nil if the limit is not reached.
  func leaver(for host: String) -> UInt64? {
    if callers.count(where: { $0.host == host }) >= Limit.sessionsOfAddress {
      return last { $0.host == host }
    }
    return callers.count >= Limit.unknownSessions ? last { _ in true } : nil
  }

  /// Records that a caller has sent enough to be answered.
  mutating func noteSpoken(_ number: UInt64) {
    guard let place = callers.firstIndex(where: { $0.number == number }) else { return }
    callers[place].hasSpoken = true
  }

  /// Removes a caller that was accepted or has disconnected.
  mutating func leave(_ number: UInt64) { callers.removeAll { $0.number == number } }

  /// The caller to remove, chosen from those that match.
  private func last(_ isMeant: (Caller) -> Bool) -> UInt64? {
    let meant = callers.filter(isMeant)
    return (meant.first { !$0.hasSpoken } ?? meant.first)?.number
  }
}
