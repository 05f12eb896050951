import Bytes
import Domain
import Journaling

extension Replayer {
  /// Folds all events while the logs are read for the first time, which is sufficient for most books.
  ///
  /// - Parameters:
  ///   - limit: The maximum amount to fold at once.
  ///   - take: Called with each fact and its log.
  /// - Returns: The fold; nil if the amount is larger, or if it turns out that an event has no effect or has a
  ///   different meaning. In these cases, the logs must be read again.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  func foldAtOnce(
    upTo limit: Quota = .unlimited, _ take: (Fact, UniqueID) -> Void = { _, _ in }
  ) throws(DaybookError) -> Fold? {
    // Discard the counts of any earlier fold.
    foldedNews = [:]
    let tree = store.logTree
    // The branch that a name identifies can depend on other logs.
    guard tree.forks.isEmpty, store.heldEventCount <= limit.events else { return nil }
    // The logs of a book with an erasure are always read twice.
    guard try !trustReader.remembersErasure() else { return nil }
    var posting = emptyPosting(of: tree)
    var records = Records()
    let events = store.heldEventCount
    records.reserveCapacity(forEvents: Int(clamping: events))
    let now = store.folder.now
    var (count, bytes, latest) = (UInt64(0), UInt64(0), Int64(0))
    var folded: [UniqueID: FoldedNews] = [:]
    try store.folder.progress.tellingProgress(of: .fold, total: events) {
      advance throws(DaybookError) in
      for log in tree.ordered(store.journal.logs.keys) {
        var news = newsStarts.map { since in
          FoldedNews(
            behind: since[log] ?? 0, upTo: store.journal.end(of: log, on: .logs)?.sequence ?? 0)
        }
        try post(log, in: tree, after: 0, to: &posting) { fact in
          advance(1)
          count += 1
          news?.take(fact)
          if fact.time > latest, Posting.isCredible(fact.time, now: now) { latest = fact.time }
          bytes += UInt64(fact.body.heldBytes)
          // Beyond the limit, the rest is read without keeping it in memory, and is folded later.
          if bytes <= limit.bytes { records.absorb(fact) }
          take(fact, log)
        }
        folded[log] = news
      }
    }
    guard bytes <= limit.bytes else { return nil }
    try trustReader.addRemembered(to: &posting.ledger, in: tree)
    try decide(&posting, in: tree)
    guard isWhole(posting) else { return nil }
    (posting.ledger.factCount, posting.ledger.latestTime) = (count, latest)
    records.causality = posting.causality
    // Marks were dropped on the assumption that every author had seen all events of a log before the last one that it
    // had seen.
    guard !records.needsRefold else { return nil }
    foldedNews = folded
    return Fold(records: records, posting: posting, hidden: [])
  }

  /// Whether all posted events count, no erasure removes anything, and no body is missing.
  private func isWhole(_ posting: Posting) -> Bool {
    let folded = posting.ledger.folded
    guard store.journal.logs.allSatisfy({ $0.value.sequence <= folded[$0.key] ?? 0 }),
      folded.keys.allSatisfy({ store.journal.end(of: $0, on: .aside) == nil })
    else { return false }
    return posting.ledger.erasing.isNothing(by: folded)
  }
}
