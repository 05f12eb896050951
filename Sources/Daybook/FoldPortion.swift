/// How much is taken in since the last fold, and whether it is time for the next.
///
/// Folding takes memory by how much is folded at once, and more time the more often it is done.
struct FoldPortion {
  private let limit: Quota
  private var taken = Quota()

  /// - Parameter limit: How much is folded at once.
  init(upTo limit: Quota) { self.limit = limit }

  mutating func add(_ news: Quota) { taken = taken + news }

  /// Whether it is time to fold, and begins to count anew if it is.
  mutating func takeWhole() -> Bool {
    guard !taken.fits(limit) else { return false }
    taken = Quota()
    return true
  }
}

extension Quota {
  /// How much news can be posted to a read model at once within so many bytes of memory.
  ///
  /// An event takes up to 6 KiB with the rows that it changes, its values six times their bytes.
  static func postable(within memory: UInt64) -> Quota {
    Quota(events: max(memory >> 14, 1), bytes: min(max(memory >> 4, 1), 64 << 20))
  }

  /// How much can be folded, and laid out as a new read model, at once within so many bytes of memory.
  ///
  /// An event takes up to 3 KiB, its values four times their bytes.
  static func foldable(within memory: UInt64) -> Quota {
    Quota(events: memory >> 12, bytes: memory >> 3)
  }
}
