/// Counts events that a peer has sent although they are held.
///
/// Some are normal: a frame is sent whole although only its last events are lacking, and the peer does not always
/// know what is held. A peer that sends the same events again and again, and nothing new, could keep a server busy
/// forever.
struct ReplayMeter {
  /// The number of events in frames without anything new, minus what new events allow.
  private var debt: UInt64 = 0

  /// What one new event allows.
  private static let allowance: UInt64 = 4_096
  /// What a peer is allowed even if nothing is held here.
  private static let least: UInt64 = 65_536

  /// Counts the events of a frame with something new.
  mutating func pay(forNew count: UInt64) {
    let (paid, overflows) = count.multipliedReportingOverflow(by: Self.allowance)
    debt = overflows || paid >= debt ? 0 : debt - paid
  }

  /// Counts the events of a frame with nothing new.
  ///
  /// - Returns: Whether it is more than an honest peer sends: twice all that is held, and some more.
  mutating func add(_ count: UInt64, holding held: UInt64) -> Bool {
    debt += count
    return debt > 2 * held + Self.least
  }
}
