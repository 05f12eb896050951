import Bytes
import Domain
import Journaling

/// The fold of all events of a book.
struct Fold {
  var records: Records
  var posting: Posting
  /// The facts that have no effect because their entities are erased.
  var hidden: [Fact]
}

/// Replays the logs of a book by folding their events into records.
final class Replayer {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let reviewer: ErasureReviewer
  /// The numbers by which the read model last identified logs.
  var numbering: [Causality.LogIdentity] = []
  /// The events after which a complete fold counts the events of each log; nil if it does not count them.
  private(set) var newsStarts: [UniqueID: UInt64]?
  /// The counts of the last complete fold.
  var foldedNews: [UniqueID: FoldedNews] = [:]

  init(of store: LogStore, as device: LocalDevice) {
    (self.store, localDevice) = (store, device)
    trustReader = TrustReader(store: store)
    reviewer = ErasureReviewer(store: store, localDevice: device)
  }

  /// Runs a function during which each complete fold counts the events after the given events.
  func countingNews<Value>(
    behind starts: [UniqueID: UInt64], _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    newsStarts = starts
    defer { (newsStarts, foldedNews) = (nil, [:]) }
    return try body()
  }

  /// Folds all events that take effect on this machine.
  func foldAll() throws(DaybookError) -> Fold {
    if let fold = try foldAtOnce() { return fold }
    return try foldAll { _, _ in true }
  }

  /// Folds the logs from their beginnings.
  ///
  /// The logs are read twice, because trust and causality must be known before the first event is folded, unless
  /// `known` provides them from another fold of the same logs. Facts that `isIncluded` accepts are first changed by
  /// `adapt` and then folded. The facts come from the given logs or, by default, from those that are folded on this
  /// machine.
  func foldAll(
    of logs: [UniqueID: UInt64]? = nil, knowing known: Posting? = nil,
    where isIncluded: (Fact, Causality) -> Bool = { _, _ in true },
    adapting adapt: (inout Fact, Causality) -> Void = { _, _ in }
  ) throws(DaybookError) -> Fold {
    let readings: UInt64 = known == nil ? 2 : 1
    return try store.folder.progress.tellingProgress(
      of: .fold, total: readings * store.heldEventCount
    ) {
      advance throws(DaybookError) in
      let posting = if let known { known } else { try firstPosting(of: logs, advance) }
      return try fold(by: posting, where: isIncluded, adapting: adapt, advance)
    }
  }

  /// Reads all logs for the trust and causality that must be known before the first event is folded.
  func firstPosting(
    of logs: [UniqueID: UInt64]? = nil, _ advance: (UInt64) -> Void
  ) throws(DaybookError) -> Posting {
    let tree = store.logTree
    var posting = emptyPosting(of: tree)
    var owners: [EventKey: EventKey] = [:]
    for log in tree.ordered(store.journal.logs.keys) {
      try post(log, in: tree, after: 0, to: &posting) { fact in
        advance(1)
        if let owner = fact.owner { owners[fact.key] = owner }
      }
    }
    try trustReader.addRemembered(to: &posting.ledger, in: tree)
    try decide(&posting, showing: logs, in: tree)
    try posting.hideErased(owners: owners, in: tree)
    return posting
  }

  /// Decides which events of the logs are shown, and which erasures are held back.
  ///
  /// - Parameters:
  ///   - posting: The posting of the logs, to which the decisions are added.
  ///   - logs: The last event of each log to show; by default, the last one that this machine shows.
  ///   - tree: The forks of the logs.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  func decide(
    _ posting: inout Posting, showing logs: [UniqueID: UInt64]? = nil, in tree: LogTree
  ) throws(DaybookError) {
    let trust = try trustReader.trust(by: posting.ledger)
    posting.ledger.folded = if let logs { logs } else { try localDevice.shownLogs(trust) }
    let authors = Set(posting.ledger.erasing.erases.map(\.place.log))
    posting.ledger.erasing.lostAuthors = trust.admitted.filter { log, _ in
      authors.contains(log) && store.journal.end(of: log, on: .logs) == nil
    }
    posting.ledger.erasing.heldBack =
      try reviewer.review(posting.ledger, by: trust, in: tree).heldBack
  }

  func fold(
    by known: Posting, where isIncluded: (Fact, Causality) -> Bool = { _, _ in true },
    adapting adapt: (inout Fact, Causality) -> Void = { _, _ in }, _ advance: (UInt64) -> Void
  ) throws(DaybookError) -> Fold {
    var posting = known
    let causality = posting.causality
    var records = Records(causality: causality)
    var hidden: [Fact] = []
    try forEachFolded(by: &posting, advance) { fact, isHidden in
      if isHidden { return hidden.append(fact) }
      guard isIncluded(fact, causality) else { return }
      var fact = fact
      adapt(&fact, causality)
      records.absorb(fact)
    }
    return Fold(records: records, posting: posting, hidden: hidden)
  }

  /// Passes each folded fact to `take`, and tells `take` whether the fact is hidden because its entity is erased.
  ///
  /// The posting counts the facts that are not hidden.
  func forEachFolded(
    by posting: inout Posting, _ advance: (UInt64) -> Void,
    _ take: (Fact, _ isHidden: Bool) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    let tree = store.logTree
    let known = posting
    var counting = Posting(again: known)
    let now = store.folder.now
    posting.ledger.factCount = 0
    for log in tree.ordered(known.ledger.folded.keys) {
      try post(log, in: tree, after: 0, to: &counting) { fact throws(DaybookError) in
        advance(1)
        guard isFolded(fact, known) else { return }
        posting.witness(fact.time, now: now)
        let isHidden = known.hides(fact)
        if !isHidden { posting.ledger.factCount += 1 }
        try take(fact, isHidden)
      }
    }
  }

  func emptyPosting(of tree: LogTree) -> Posting {
    var posting = Posting(causality: Causality(), ledger: Ledger())
    (posting.ledger.forks, posting.ledger.holes) = (tree.forks, store.journalHoles)
    posting.causality = keptNumbers(of: tree) ?? posting.causality
    return posting
  }

  /// The numbers of the logs in the latest read model.
  ///
  /// A command in progress, which holds the lock, has already used these numbers.
  ///
  /// - Returns: A causality with these numbers; nil without the lock, or if the logs have changed.
  func keptNumbers(of tree: LogTree) -> Causality? {
    guard store.isLocked else { return nil }
    var posting = Posting(causality: Causality(), ledger: Ledger())
    for identity in numbering { _ = posting.number(of: identity.id, in: tree) }
    return posting.causality.logs == numbering ? posting.causality : nil
  }

  /// Posts the events of a log after a sequence, up to its end in the journal.
  ///
  /// If another process writes more events in the meantime, they are posted when the journal is read again. Posting
  /// them here would count them without storing them, and they may use indices that this table does not have.
  func post(
    _ log: UniqueID, in tree: LogTree, after sequence: UInt64, to posting: inout Posting,
    _ take: (Fact) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    guard let end = store.journal.end(of: log, on: .logs) ?? store.journal.end(of: log, on: .aside)
    else {
      return
    }
    // Frames can also contain events of the trunk or of another branch.
    let start = tree.lineage(of: log).first
    guard end.sequence > sequence, end.sequence >= start else { return }
    let wanted = max(sequence + 1, start)...end.sequence
    var next = posting
    if wanted.lowerBound == start { next.begin(log, in: tree) }
    let damage = try store.forEachFrame(of: log, from: wanted.lowerBound, upTo: wanted.upperBound) {
      frame, counting throws(DaybookError) in
      let events = counting[counting.startIndex].sequence...wanted.upperBound
      try next.post(frame, of: log, events, table: end.table, in: tree, take)
    }
    posting = next
    let missing = damage.compactMap(\.missing).filter { $0.overlaps(wanted) }
    // Events that were missing before are still missing.
    let before = posting.ledger.missing[log] ?? []
    let all = before.filter { $0.upperBound <= sequence } + missing.map { $0.clamped(to: wanted) }
    if !all.isEmpty { posting.ledger.missing[log] = all }
  }

  func isFolded(_ fact: Fact, _ posting: Posting) -> Bool {
    guard let log = posting.causality.identity(of: fact.key.log)?.id,
      let last = posting.ledger.folded[log]
    else { return false }
    return fact.key.sequence <= last
  }
}
