/// Counts events that a peer has sent although they were already held.
///
/// Some repetition is normal: a frame is sent as a whole even if the peer lacks only its last events, and the peer
/// cannot always tell which events are held. A peer that repeatedly sends the same events and no new events could keep
/// a server busy forever.
struct ReplayMeter {
  /// The number of events in frames without new events, minus the allowance for new events.
  private var debt: UInt64 = 0

  /// The number of repeated events that one new event allows.
  private static let allowance: UInt64 = 4_096
  /// The number of repeated events that a peer may send even if no events are held here.
  private static let least: UInt64 = 65_536

  /// Counts the events of a frame with new events.
  mutating func pay(forNew count: UInt64) {
    let (paid, overflows) = count.multipliedReportingOverflow(by: Self.allowance)
    debt = overflows || paid >= debt ? 0 : debt - paid
  }

  /// Counts the events of a frame without new events.
  ///
  /// - Returns: Whether the peer has sent more than an honest peer would: twice the number of held events, plus a
  ///   constant.
  mutating func add(_ count: UInt64, holding held: UInt64) -> Bool {
    debt += count
    return debt > 2 * held + Self.least
  }
}
