import Bytes
package import Domain
import Journaling
import ReadModel

/// Every folded event of a book, folded.
struct Fold {
  var records: Records
  var posting: Posting
  var change: Change
  /// The facts that count for nothing, since what they are about is erased.
  var hidden: [Fact]
}

extension Book {
  /// All that is folded on this machine, in memory and past the read model.
  package func records() throws(DaybookError) -> Records { try foldAll().records }

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
    return try tellingProgress(of: .fold, total: readings * heldEventCount) {
      advance throws(DaybookError) in
      let posting = if let known { known } else { try firstPosting(of: logs, advance) }
      return try fold(by: posting, where: isIncluded, adapting: adapt, advance)
    }
  }

  /// What there is to know of the logs before the first event counts.
  func firstPosting(
    of logs: [UniqueID: UInt64]? = nil, _ advance: (UInt64) -> Void
  ) throws(DaybookError) -> Posting {
    let tree = logTree
    var posting = emptyPosting(of: tree)
    var owners: [EventKey: EventKey] = [:]
    for log in tree.ordered(journal.logs.keys) {
      try post(log, in: tree, after: 0, to: &posting) { fact in
        advance(1)
        if let owner = fact.owner { owners[fact.key] = owner }
      }
    }
    try addRemembered(to: &posting.ledger, in: tree)
    let trust = try trust(by: posting.ledger)
    posting.ledger.folded = if let logs { logs } else { try shownLogs(trust) }
    posting.ledger.erasing.heldBack = try review(posting.ledger, by: trust, in: tree).heldBack
    try posting.hideErased(owners: owners, in: tree)
    return posting
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
    return Fold(records: records, posting: posting, change: change(for: posting), hidden: hidden)
  }

  /// Hands on each fact that is folded, and whether it is hidden since what it is about is erased; a posting counts
  /// those that are not.
  func forEachFolded(
    by posting: inout Posting, _ advance: (UInt64) -> Void,
    _ take: (Fact, _ isHidden: Bool) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    let tree = logTree
    let known = posting
    var counting = Posting(again: known)
    let now = now
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

  /// How many events the logs of the book have here.
  var heldEventCount: UInt64 { journal.logs.values.reduce(0) { $0 + $1.sequence } }

  func emptyPosting(of tree: LogTree) -> Posting {
    var posting = Posting(causality: Causality(), ledger: Ledger())
    (posting.ledger.forks, posting.ledger.holes) = (tree.forks, journalHoles)
    posting.causality = keptNumbers(of: tree) ?? posting.causality
    return posting
  }

  /// Nothing but the logs under the numbers that they had in the last read model.
  ///
  /// A command that holds the lock has named events by these numbers.
  ///
  /// - Returns: nil without the lock, and if the logs are not the same any more.
  func keptNumbers(of tree: LogTree) -> Causality? {
    guard isLocked else { return nil }
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
    guard let end = journal.end(of: log, on: .logs) ?? journal.end(of: log, on: .aside) else {
      return
    }
    // Frames may hold events of the trunk as well, or of another branch.
    let start = tree.lineage(of: log).first
    guard end.sequence > sequence, end.sequence >= start else { return }
    let events = max(sequence + 1, start)...end.sequence
    var next = posting
    if events.lowerBound == start { next.begin(log, in: tree) }
    let damage = try forEachFrame(of: log, from: events.lowerBound, upTo: events.upperBound) {
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

  /// Where every log stands and what was newly seen, for the read model to keep.
  func change(for posting: Posting) -> Change {
    let positions = posting.causality.logs.enumerated().map { number, identity in
      let end = journal.end(of: identity.id, on: .logs)
      return LogPosition(
        number: UInt32(number), id: identity.id, replica: identity.replica, trunk: identity.trunk,
        sequence: end?.sequence ?? 0, hash: end?.hash.prefix16 ?? .none)
    }
    // A trail is gone on with only by who knows what is posted.
    var settings = [
      "ledger": posting.ledger.encode(), "book": file.book.bytes, Self.trail: [],
    ]
    // One in memory ends with the journal that it was posted from.
    if place != .memory { settings[Self.ends] = journal.recollection().encode() }
    return Change(positions: positions, seen: posting.notes, settings: settings)
  }
}
