import Domain

/// The effects of the last events of a log, counted during a complete fold so that the events need not be read again.
struct FoldedNews {
  /// The last event before the counted events.
  let start: UInt64
  /// The last event of the log at the time of the fold.
  let end: UInt64
  /// The number of record events.
  private(set) var facts: UInt64 = 0
  private(set) var counter: TallyCounter

  /// Counts the events of a log after one event and up to another.
  init(behind start: UInt64, upTo end: UInt64) {
    (self.start, self.end) = (start, end)
    // Most records have one or two edits.
    counter = TallyCounter(capacity: Int(clamping: min(end - min(start, end), Self.most) / 2))
  }

  private static let most: UInt64 = 1 << 20

  mutating func take(_ fact: Fact) {
    guard fact.key.sequence > start else { return }
    facts += 1
    counter.take(fact)
  }
}
