/// How many events a peer has sent that were held already.
///
/// A few of them always come: a frame is sent whole though only its last events are lacked, and what is held is not
/// always known. Whoever sends the same again and again, and nothing new, keeps a server busy for ever.
struct ReplayMeter {
  /// Events that came once more, less what new ones allow for.
  private var debt: UInt64 = 0

  /// A new event can come in a frame with this many others that are held.
  private static let allowance: UInt64 = 4_096
  /// Who holds nothing may be sent so many for nothing.
  private static let least: UInt64 = 65_536

  /// Notes what a commit has stored of what came.
  ///
  /// - Parameters:
  ///   - came: Events that had come.
  ///   - new: Those of them that were not held.
  ///   - held: Events that are held now.
  /// - Returns: Whether the peer has sent more again than any honest one does: all that is held, twice.
  mutating func note(came: UInt64, new: UInt64, holding held: UInt64) -> Bool {
    let (paid, paidAll) = new.multipliedReportingOverflow(by: Self.allowance)
    debt = debt.saturatingSum(came - min(came, new))
    debt = paidAll || paid >= debt ? 0 : debt - paid
    return debt > held.saturatingSum(held).saturatingSum(Self.least)
  }
}
