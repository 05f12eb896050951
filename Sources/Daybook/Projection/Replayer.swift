import Bytes
import Domain
import Journaling

/// Every folded event of a book, folded.
struct Fold {
  var records: Records
  var posting: Posting
  /// The facts that count for nothing, since what they are about is erased.
  var hidden: [Fact]
}

/// Replays the logs of a book: folds their events into records.
final class Replayer {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let reviewer: ErasureReviewer
  /// The numbers by which the read model last told logs apart.
  var numbering: [Causality.LogIdentity] = []
  /// The last events behind which news are counted while everything is folded; nil where none are.
  private(set) var newsStarts: [UniqueID: UInt64]?
  /// What was counted when everything was folded last.
  var foldedNews: [UniqueID: FoldedNews] = [:]

  init(of store: LogStore, as device: LocalDevice) {
    (self.store, localDevice) = (store, device)
    trustReader = TrustReader(store: store)
    reviewer = ErasureReviewer(store: store, localDevice: device)
  }

  /// Has each fold of everything count the events behind some places, for as long as something is done.
  func countingNews<Value>(
    behind starts: [UniqueID: UInt64], _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    newsStarts = starts
    defer { (newsStarts, foldedNews) = (nil, [:]) }
    return try body()
  }

  /// Folds what counts on this machine.
  func foldAll() throws(DaybookError) -> Fold {
    if let fold = try foldAtOnce() { return fold }
    return try foldAll { _, _ in true }
  }

  /// Folds the logs from their beginnings.
  ///
  /// The logs are read twice, since who is trusted and what was seen must be known before the first event
  /// counts; unless it is known from another fold of the same logs. Of the logs given, or of those folded on this
  /// machine, the facts count that are said to, as they are adapted.
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

  /// What there is to know of the logs before the first event counts.
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
  ///   - posting: What is known of the logs, which is told of the decisions.
  ///   - logs: The last event that is shown of each log; where nothing is given, what this machine shows.
  ///   - tree: How the logs hang together.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
  func decide(
    _ posting: inout Posting, showing logs: [UniqueID: UInt64]? = nil, in tree: LogTree
  ) throws(DaybookError) {
    let trust = try trustReader.trust(by: posting.ledger)
    posting.ledger.folded = if let logs { logs } else { try localDevice.shownLogs(trust) }
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

  /// Hands on each fact that is folded, and whether it is hidden since what it is about is erased; a posting counts
  /// those that are not.
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

  /// Nothing but the logs under the numbers that they had in the last read model.
  ///
  /// A command that holds the lock has named events by these numbers.
  ///
  /// - Returns: nil without the lock, and if the logs are not the same any more.
  func keptNumbers(of tree: LogTree) -> Causality? {
    guard store.isLocked else { return nil }
    var posting = Posting(causality: Causality(), ledger: Ledger())
    for identity in numbering { _ = posting.number(of: identity.id, in: tree) }
    return posting.causality.logs == numbering ? posting.causality : nil
  }

  /// Posts the events of a log beyond a sequence, up to where the journal has it.
  ///
  /// Another process may have written more meanwhile. That is posted when the journal is looked at again: here it
  /// would be counted without being remembered, and names by index what the table here does not hold.
  func post(
    _ log: UniqueID, in tree: LogTree, after sequence: UInt64, to posting: inout Posting,
    _ take: (Fact) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    guard let end = store.journal.end(of: log, on: .logs) ?? store.journal.end(of: log, on: .aside)
    else {
      return
    }
    // Frames may hold events of the trunk as well, or of another branch.
    let start = tree.lineage(of: log).first
    guard end.sequence > sequence, end.sequence >= start else { return }
    let events = max(sequence + 1, start)...end.sequence
    var next = posting
    if events.lowerBound == start { next.begin(log, in: tree) }
    let damage = try store.forEachFrame(of: log, from: events.lowerBound, upTo: events.upperBound) {
      frame throws(DaybookError) in
      try next.post(frame, of: log, events, table: end.table, in: tree, take)
    }
    posting = next
    let missing = damage.compactMap(\.missing).filter { $0.overlaps(events) }
    // What was missing before is so still.
    let before = posting.ledger.missing[log] ?? []
    let all = before.filter { $0.upperBound <= sequence } + missing.map { $0.clamped(to: events) }
    if !all.isEmpty { posting.ledger.missing[log] = all }
  }

  func isFolded(_ fact: Fact, _ posting: Posting) -> Bool {
    guard let log = posting.causality.identity(of: fact.key.log)?.id,
      let last = posting.ledger.folded[log]
    else { return false }
    return fact.key.sequence <= last
  }
}
