import Domain

/// What the last events of a log do, counted while everything was folded, so that nothing is read again to tell it.
struct FoldedNews {
  /// The last event before them.
  let start: UInt64
  /// The last that there was in the log then.
  let end: UInt64
  /// How many say something of a record.
  private(set) var facts: UInt64 = 0
  private(set) var counter: TallyCounter

  /// Counts what stands behind an event of a log, up to another.
  init(behind start: UInt64, upTo end: UInt64) {
    (self.start, self.end) = (start, end)
    // Most records have an edit or two.
    counter = TallyCounter(capacity: Int(clamping: min(end - min(start, end), Self.most) / 2))
  }

  private static let most: UInt64 = 1 << 20

  mutating func take(_ fact: Fact) {
    guard fact.key.sequence > start else { return }
    facts += 1
    counter.take(fact)
  }
}
