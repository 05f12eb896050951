/// The amount that has been received since the last fold, for deciding when to fold next.
///
/// Folding more at once takes more memory, and folding more often takes more time.
struct FoldPortion {
  private let limit: Quota
  private var taken = Quota()

  /// - Parameter limit: The amount that is folded at once.
  init(upTo limit: Quota) { self.limit = limit }

  mutating func add(_ news: Quota) { taken = taken + news }

  /// Whether it is time to fold.
  ///
  /// If the result is true, counting starts again.
  mutating func takeWhole() -> Bool {
    guard !taken.fits(limit) else { return false }
    taken = Quota()
    return true
  }
}

extension Quota {
  /// The amount that can be added to a read model at once, for a memory limit in bytes.
  ///
  /// The calculation assumes 16 KiB for an event, including the rows that it changes and SQLite's cache, and 16 bytes
  /// for each byte that is charged for its fields and values. These figures are several times higher than the measured
  /// figures.
  static func postable(within memory: UInt64) -> Quota {
    Quota(events: max(memory >> 14, 1), bytes: min(max(memory >> 4, 1), 64 << 20))
  }

  /// The amount that can be folded and built as a new read model at once, for a memory limit in bytes.
  ///
  /// The calculation assumes 4 KiB for an event (2.7 KiB were measured), and 8 bytes for each byte that is charged for
  /// its fields and values. A tag of an entity is charged 128 bytes, and took at most 830 bytes while the entity was
  /// added.
  static func foldable(within memory: UInt64) -> Quota {
    Quota(events: memory >> 12, bytes: memory >> 3)
  }
}
