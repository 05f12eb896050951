/// How many events a peer has sent that were held already.
///
/// A few of them always come: a frame is sent whole though only its last events are lacked, and what is held is not
/// always known. Whoever sends the same again and again, and nothing new, keeps a server busy for ever.
struct ReplayMeter {
  /// Events of frames in which nothing was new, less what others allow for.
  private var debt: UInt64 = 0

  /// What a new event allows for.
  private static let allowance: UInt64 = 4_096
  /// Who holds nothing may be sent so many for nothing.
  private static let least: UInt64 = 65_536

  /// Counts the events of a frame that holds something new.
  mutating func pay(forNew count: UInt64) {
    let (paid, overflows) = count.multipliedReportingOverflow(by: Self.allowance)
    debt = overflows || paid >= debt ? 0 : debt - paid
  }

  /// Counts the events of a frame in which nothing is new.
  ///
  /// - Returns: Whether it is more than any honest peer sends: all that is held, twice, and some more.
  mutating func add(_ count: UInt64, holding held: UInt64) -> Bool {
    debt += count
    return debt > 2 * held + Self.least
  }
}
