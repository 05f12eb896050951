import Bytes
import Domain
import Journaling
import Platform
package import ReadModel

extension Book {
  /// The read model, brought up to the journal.
  ///
  /// Where the disk has no room for it or is read-only, it is made in memory: it is only a copy, and what the
  /// journal holds can be read all the same.
  package func view() throws(DaybookError) -> ReadModel {
    do throws(DaybookError) {
      return try withSoundView { () throws(DaybookError) in try currentView() }
    } catch {
      guard case .file(let path) = place, error.isRefusalOfTheDisk else { throw error }
      (place, leftView) = (.memory, path)
      model = nil
      return try currentView()
    }
  }

  /// Does something with the read model, and once more with one made anew where its file only now proves damaged.
  ///
  /// It is only a copy: whatever is wrong with it, the logs are what counts.
  func withSoundView<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    do throws(DaybookError) {
      return try body()
    } catch {
      guard case .view(.unusable) = error, place != .memory else { throw error }
      (model, memory) = (nil, nil)
      try rebuild()
      return try body()
    }
  }

  private func currentView() throws(DaybookError) -> ReadModel {
    try noticeOthers()
    for _ in 0..<Self.attempts {
      let model = try openModel()
      let positions = try positions(of: model)
      guard try isOfThisBook(model, positions) else { return try rebuilt() }
      if !positions.isEmpty {
        guard let ledger = try ledger(of: model, at: positions) else { return try rebuilt() }
        if try hasAccepted(since: ledger) { return try rebuilt() }
        guard try isBehind(positions, ledger) else { return model }
      }
      if let caughtUp = try catchUp(model, from: positions) { return caughtUp }
    }
    return try rebuilt()
  }

  /// How often other processes may get in first before everything is folded.
  static let attempts = 8

  /// Opens the journal anew if other processes have written to it.
  func noticeOthers() throws(DaybookError) {
    guard noticesOthers else { return }
    try lookAgain()
  }

  /// Opens the journal anew if other processes have written to it, in a process that does not notice others, too.
  ///
  /// - Parameter always: Whether to open it anew in any case. Two writes within one tick of the file system's clock look
  ///   like one.
  /// - Returns: Whether it was opened anew.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
  @discardableResult
  func lookAgain(always: Bool = false) throws(DaybookError) -> Bool {
    // No other process writes under the lock, and a reload would drop what a sync has staged.
    guard !isLocked, syncLock == nil else { return false }
    let state = Self.diskState(of: layout, on: machine.disk)
    guard always || state != diskState else { return false }
    try reloadJournal()
    return true
  }

  private func openModel() throws(DaybookError) -> ReadModel {
    if let model { return model }
    do throws(ReadModelError) {
      let opened = try ReadModel(place)
      model = opened
      memory = nil
      return opened
    } catch .unusable {
      // It is only a copy: whatever is wrong with it, the logs are what counts.
      try rebuild()
      guard let model else { preconditionFailure("a rebuild leaves a read model") }
      return model
    } catch {
      throw .view(error)
    }
  }

  /// Whether a read model, if anything is in it, was posted for the book as it is called now: by that it is
  /// told whom to trust.
  private func isOfThisBook(
    _ model: ReadModel, _ positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      guard let book = try model.setting("book") else { return positions.isEmpty }
      return book == file.book.bytes
    }
  }

  /// Whether the journal has more than was posted, or has back what it had lost then: that lies before the ends.
  private func isBehind(
    _ positions: [UniqueID: LogPosition], _ ledger: Ledger
  ) throws(DaybookError) -> Bool {
    let posted = positions.filter { $0.value.sequence > 0 }
    guard posted.count == journal.logs.count, try !isHealed(since: ledger) else { return true }
    return journal.logs.contains { log, end in
      posted[log]?.sequence != end.sequence || posted[log]?.hash != end.hash.prefix16
    }
  }

  /// Whether other events can be read, before the ends of logs, than could when the ledger was written.
  private func isHealed(since ledger: Ledger) throws(DaybookError) -> Bool {
    if ledger.holes != journalHoles { return true }
    // What another process put back before the loss was noted left no trace there.
    for (log, ranges) in ledger.missing {
      for lost in ranges.without(journal.holes(in: log)) {
        if try canRead(lost, of: log) { return true }
      }
    }
    for log in ledger.erasing.stripped.keys where journal.end(of: log, on: .logs) != nil {
      for lost in ledger.erasing.bodiless(in: log, by: ledger.folded) {
        if try hasBody(in: lost, of: log) { return true }
      }
    }
    return false
  }

  func positions(of model: ReadModel) throws(DaybookError) -> [UniqueID: LogPosition] {
    let positions = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.positions()
    }
    return Dictionary(uniqueKeysWithValues: positions.map { ($0.id, $0) })
  }

  /// What the read model remembers beside the records, as it was when it was last written.
  func remembered(by model: ReadModel) throws(DaybookError) -> Posting {
    // Another process may have posted since; then what is in mind here is of no use.
    let positions = try positions(of: model)
    if let memory, memory.positions == positions { return memory.posting }
    guard let ledger = try ledger(of: model) else {
      return Posting(causality: Causality(), ledger: Ledger())
    }
    let posting = try wrap(DaybookError.view) { () throws(ReadModelError) in
      Posting(causality: try model.causality(), ledger: ledger)
    }
    memory = (posting, positions)
    return posting
  }

  /// What a read model with these positions was posted by; nil where it does not tell.
  private func ledger(
    of model: ReadModel, at positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Ledger? {
    if let memory, memory.positions == positions { return memory.posting.ledger }
    return try ledger(of: model)
  }

  func ledger(of model: ReadModel) throws(DaybookError) -> Ledger? {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting("ledger")
    }
    guard let bytes else { return nil }
    // One that cannot be read was written by another version, or is damaged.
    return try? Ledger(decoding: bytes)
  }

  /// Applies what the journal has beyond the read model, or folds it all where that is not enough.
  ///
  /// - Returns: nil if another process was quicker.
  private func catchUp(
    _ model: ReadModel, from positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> ReadModel? {
    if try !areHeld(positions) {
      // Another process may have written and posted since the logs were looked at.
      try reloadJournal()
      guard try areHeld(positions) else { return try rebuilt() }
    }
    guard countOfNews(since: positions) < Self.worthFoldingAll else { return try rebuilt() }
    let tree = logTree
    var posting = try remembered(by: model)
    if positions.isEmpty { posting.causality = keptNumbers(of: tree) ?? posting.causality }
    let before = posting.ledger
    guard try isTreeSteady(tree, since: before, at: positions) else { return try rebuilt() }
    var facts: [Fact] = []
    for log in tree.ordered(journal.logs.keys) {
      try post(log, in: tree, after: positions[log]?.sequence ?? 0, to: &posting) {
        facts.append($0)
      }
    }
    // Later on what was posted stays, and a fold of everything looks again.
    if positions.isEmpty { try addRemembered(to: &posting.ledger, in: tree) }
    let trust = try trust(by: posting.ledger)
    posting.ledger.folded = try shownLogs(trust)
    posting.ledger.erasing.heldBack = try review(posting.ledger, by: trust, in: tree).heldBack
    let isTrustSteady = positions.keys.allSatisfy { log in
      before.folded[log] == posting.ledger.folded[log] || positions[log]?.sequence == 0
    }
    guard isTrustSteady, posting.isHoldingSteady(since: before) else { return try rebuilt() }
    guard try posting.isErasingSteady(with: facts, in: tree) else { return try rebuilt() }
    facts.removeAll { !isFolded($0, posting) || posting.hides($0) }
    switch try apply(facts, posting, to: model, expecting: positions) {
    case .done: return model
    case .overtaken: return nil
    case .needsRefold: return try rebuilt()
    }
  }

  /// From so many new events on, folding everything is quicker than looking each record up.
  private static let worthFoldingAll: UInt64 = 20_000

  /// How many events the journal has beyond what was posted.
  private func countOfNews(since positions: [UniqueID: LogPosition]) -> UInt64 {
    journal.logs.reduce(0) { count, log in
      count + log.value.sequence - min(log.value.sequence, positions[log.key]?.sequence ?? 0)
    }
  }

  /// Whether the logs branch where they did, with the same holes, and none that branches has grown.
  ///
  /// Otherwise an event that was posted may have seen more or less than was known.
  private func isTreeSteady(
    _ tree: LogTree, since before: Ledger, at positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Bool {
    guard tree.forks == before.forks, try !isHealed(since: before) else { return false }
    guard !tree.forks.isEmpty else { return true }
    return journal.logs.allSatisfy { log, end in
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
    guard let end = journal.end(of: log, on: .logs), position.sequence <= end.sequence else {
      return false
    }
    if position.sequence == end.sequence { return position.hash == end.hash.prefix16 }
    // An event that cannot be read any more proves nothing.
    guard let hash = try chainHash(of: log, at: position.sequence) else { return true }
    return position.hash == hash.prefix16
  }

  /// What posting to the read model came to.
  private enum Applied {
    case done
    /// Another process has posted meanwhile; whether it is as far as the journal here must be seen.
    case overtaken
    case needsRefold
  }

  /// Posts facts to the read model.
  private func apply(
    _ facts: [Fact], _ posting: Posting, to model: ReadModel,
    expecting positions: [UniqueID: LogPosition]
  ) throws(DaybookError) -> Applied {
    var posting = posting
    for fact in facts { posting.witness(fact.time, now: now) }
    posting.ledger.factCount += UInt64(facts.count)
    var change = change(for: posting)
    var hydrated = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.hydrate(facts, causality: posting.causality)
    }
    if let command = freshCommand(of: facts, posting.causality) {
      let before = hydrated.records
      let touched = hydrated.records.apply(facts)
      change.settings[Self.trail] = try trail(
        behind: command, touching: touched, in: before, of: model)
    } else {
      hydrated.records.apply(facts)
    }
    do throws(ReadModelError) {
      let before = positions.values.sorted { $0.number < $1.number }
      try model.commit(&hydrated, change: change, expecting: before)
    } catch .needsRefold {
      return .needsRefold
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

extension DaybookError {
  /// Whether the disk would not take the read model, which says nothing of the logs.
  var isRefusalOfTheDisk: Bool {
    switch self {
    case .view(let error): error.isRefusalOfTheDisk
    case .disk(let error): [.full, .readOnly, .permission].contains(error.reason)
    default: false
    }
  }
}
