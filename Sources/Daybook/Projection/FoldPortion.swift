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
  /// The events and values that can be posted to a read model at once within a limit of memory, in bytes.
  ///
  /// Counts 16 KiB for an event, with the rows that it changes and SQLite's cache, and 16 bytes for each byte of a value:
  /// several times what was measured.
  static func postable(within memory: UInt64) -> Quota {
    Quota(events: max(memory >> 14, 1), bytes: min(max(memory >> 4, 1), 64 << 20))
  }

  /// The events and values that can be folded and laid out as a new read model at once within a limit of memory, in
  /// bytes.
  ///
  /// Counts 4 KiB for an event, where 2.7 were measured, and 8 bytes for each byte of a value.
  static func foldable(within memory: UInt64) -> Quota {
    Quota(events: memory >> 12, bytes: memory >> 3)
  }
}
