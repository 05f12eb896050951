import Bytes
import Domain
import Journaling

extension Replayer {
  /// Folds all events while the logs are read for the first time, which is enough for most books.
  ///
  /// - Parameters:
  ///   - limit: How much may be folded so.
  ///   - take: Given each fact, with the log it stands in.
  /// - Returns: nil where it is more than that, or where it shows at the end that not every event counts, or not as it
  ///   was taken: then the logs must be read once more.
  /// - Throws: ``DaybookError`` where the logs cannot be read.
  func foldAtOnce(
    upTo limit: Quota = .unlimited, _ take: (Fact, UniqueID) -> Void = { _, _ in }
  ) throws(DaybookError) -> Fold? {
    // What was counted in an earlier fold is not what there is now.
    foldedNews = [:]
    let tree = store.logTree
    // Which branch a name leads to can depend on what other logs say.
    guard tree.forks.isEmpty, store.heldEventCount <= limit.events else { return nil }
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
          bytes += UInt64(fact.body.valueBytes)
          // Too much is read on to its end, which takes no memory, and folded afterwards.
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
    // Marks were dropped as if nobody had missed an event.
    guard !records.needsRefold else { return nil }
    foldedNews = folded
    return Fold(records: records, posting: posting, hidden: [])
  }

  /// Whether every event that was posted counts, and says all that it says.
  private func isWhole(_ posting: Posting) -> Bool {
    let folded = posting.ledger.folded
    guard store.journal.logs.allSatisfy({ $0.value.sequence <= folded[$0.key] ?? 0 }),
      folded.keys.allSatisfy({ store.journal.end(of: $0, on: .aside) == nil })
    else { return false }
    // What could not be read may have named a log that was met only behind it.
    return posting.ledger.unreadCount == 0
      && posting.ledger.erasing.isNothing(by: folded)
  }
}
