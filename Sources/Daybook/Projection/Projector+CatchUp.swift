import Bytes
import Domain
import Journaling
import ReadModel

extension Projector {
  /// The result of updating a read model.
  enum CatchUp {
    case done
    /// Another process has updated the read model in the meantime, so check again whether it matches this journal.
    case overtaken
    /// Folded events may now have a different meaning, so everything must be folded again.
    case needsRebuild
  }

  /// Adds the new events of the journal to a read model, if that is sufficient.
  func catchUp(
    _ model: ReadModel, from positions: [UniqueID: LogPosition], posting command: FreshCommand?
  ) throws(DaybookError) -> CatchUp {
    if try !areHeld(positions) {
      // Another process may have written and folded events after this process read the logs.
      try store.reloadJournal()
      guard try areHeld(positions) else { return .needsRebuild }
    }
    guard countOfNews(since: positions) < Self.worthFoldingAll else { return .needsRebuild }
    let tree = store.logTree
    var posting = try remembered(by: model)
    if positions.isEmpty { posting.causality = replayer.keptNumbers(of: tree) ?? posting.causality }
    let before = posting.ledger
    guard try isTreeSteady(tree, since: before, at: positions) else { return .needsRebuild }
    var facts: [Fact] = []
    // Facts beyond the limit are dropped, and everything is folded in portions instead.
    let limit = Quota.foldable(within: memoryLimit).bytes
    var bytes: UInt64 = 0
    for log in tree.ordered(store.journal.logs.keys) {
      try replayer.post(log, in: tree, after: positions[log]?.sequence ?? 0, to: &posting) { fact in
        bytes += UInt64(fact.body.heldBytes)
        if bytes <= limit { facts.append(fact) }
      }
      guard bytes <= limit else { return .needsRebuild }
    }
    // Trust events that the logs have lost are added only to an empty read model. In any other read model, events that
    // were folded stay folded until the next complete fold.
    if positions.isEmpty {
      try replayer.trustReader.addRemembered(to: &posting.ledger, in: tree)
    } else if try !replayer.trustReader.isMemorySteady(posting.ledger, in: tree) {
      return .needsRebuild
    }
    try replayer.decide(&posting, in: tree)
    let isTrustSteady = positions.keys.allSatisfy { log in
      before.folded[log] == posting.ledger.folded[log] || positions[log]?.sequence == 0
    }
    guard isTrustSteady, before.erasing.lostAuthors == posting.ledger.erasing.lostAuthors,
      posting.keepsErasures(of: before)
    else { return .needsRebuild }
    guard try posting.isErasingSteady(with: facts, in: tree) else { return .needsRebuild }
    facts.removeAll { !replayer.isFolded($0, posting) || posting.hides($0) }
    return try apply(facts, posting, of: command, to: model, expecting: positions)
  }

  /// The minimum number of new events for which a complete fold is faster than looking up each record.
  private static let worthFoldingAll: UInt64 = 20_000

  /// The number of events in the journal that the read model has not posted yet.
  private func countOfNews(since positions: [UniqueID: LogPosition]) -> UInt64 {
    store.journal.logs.reduce(0) { count, log in
      count + log.value.sequence - min(log.value.sequence, positions[log.key]?.sequence ?? 0)
    }
  }

  /// Whether the logs have the same forks and holes as before, and no forked log has grown.
  ///
  /// Otherwise, a folded event may have seen more or fewer events than previously known.
  private func isTreeSteady(
    _ tree: LogTree, since before: Ledger, at positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Bool {
    guard tree.forks == before.forks, try !isHealed(since: before) else { return false }
    guard !tree.forks.isEmpty else { return true }
    return store.journal.logs.allSatisfy { log, end in
      !tree.isPartOfFork(log) || positions[log]?.sequence ?? 0 == end.sequence
    }
  }

  private func areHeld(_ positions: [UniqueID: LogPosition]) throws(DaybookError) -> Bool {
    for (id, position) in positions where try !isPrefix(position, of: id) { return false }
    return true
  }

  private func isPrefix(
    _ position: LogPosition, of log: UniqueID
  ) throws(DaybookError) -> Bool {
    guard position.sequence > 0 else { return true }
    guard let end = store.journal.end(of: log, on: .logs), position.sequence <= end.sequence else {
      return false
    }
    if position.sequence == end.sequence { return position.hash == end.hash.prefix16 }
    // An event that can no longer be read cannot be compared.
    guard let hash = try store.chainHash(of: log, at: position.sequence) else { return true }
    return position.hash == hash.prefix16
  }

  /// Adds facts to the read model.
  private func apply(
    _ facts: [Fact], _ posting: Posting, of command: FreshCommand?, to model: ReadModel,
    expecting positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> CatchUp {
    var posting = posting
    for fact in facts { posting.witness(fact.time, now: store.folder.now) }
    posting.ledger.factCount += UInt64(facts.count)
    var change = change(for: posting)
    var hydrated = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(facts, causality: posting.causality)
    }
    if let command, command.isAll(of: facts, posting.causality) {
      let before = hydrated.records
      let touched = hydrated.records.apply(facts)
      change.settings[UndoTrailStore.setting] = try UndoTrailStore.trail(
        behind: command, touching: touched, in: before, of: model)
    } else {
      hydrated.records.apply(facts)
    }
    do throws(ReadModelError) {
      let before = positions.values.sorted { $0.number < $1.number }
      try model.writer.commit(&hydrated, change: change, expecting: before)
    } catch .needsRefold {
      return .needsRebuild
    } catch .stale {
      memory = nil
      return .overtaken
    } catch {
      throw .view(error)
    }
    posting.forgetNotes()
    let reached = Dictionary(uniqueKeysWithValues: change.positions.map { ($0.id, $0) })
    memory = (posting, reached)
    return .done
  }
}
