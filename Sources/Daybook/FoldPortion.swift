/// How much of what comes in a sync is stored and not folded yet.
///
/// Folding takes memory by how much is folded at once, and more time the more often it is done.
struct FoldPortion {
  private let limit: Quota
  private var stored = Quota()

  /// - Parameter isSmall: Whether memory is to be spared, as by a process that serves many others.
  init(isSmall: Bool) {
    limit =
      isSmall ? Quota(events: 4_096, bytes: 4 << 20) : Quota(events: .max, bytes: 64 << 20)
  }

  mutating func add(_ news: Quota) { stored = stored + news }

  /// Whether it is time to fold, and begins to count anew if it is.
  mutating func takeWhole() -> Bool {
    guard !stored.fits(limit) else { return false }
    stored = Quota()
    return true
  }
}
