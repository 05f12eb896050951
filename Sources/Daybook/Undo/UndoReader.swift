import Bytes
import Domain
import Journaling

/// Reads from the logs the state that an undo needs.
struct UndoReader {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector

  /// Folds all logs, and collects what is needed to undo something in `logs`.
  func foldToUndo(_ logs: Set<UniqueID>) throws(DaybookError) -> UndoFold {
    let own = try localDevice.ownLog
    let wanted = logs.union(own.map { [$0] } ?? [])
    let (fold, facts, restores) = try foldAll(takingFactsOf: wanted)
    let causality = fold.posting.causality
    let number = own.flatMap(causality.number(of:))
    var steps: [UInt32: [Step]] = [:]
    let undoers = Set(fold.posting.undoing.keys.map(\.log))
    let read = Set(wanted.compactMap(causality.number(of:)))
    for log in undoers.union(read).sorted() {
      guard let id = causality.identity(of: log)?.id else { continue }
      steps[log] = try self.steps(of: id)
    }
    let undone = steps.filter { !$0.value.undone().isEmpty }.keys
    let others = try self.facts(of: Set(undone).subtracting(read), knowing: fold.posting)
    let erasing = fold.posting.ledger.erasing
    let hidden = fold.hidden.filter { $0.key.log == number }.map(\.key.sequence)
    let stripped = own.flatMap { erasing.stripped[$0] } ?? [:]
    let trust = try trustReader.trust(by: fold.posting.ledger)
    let lasting = fold.posting.ledger.trustEvents.filter { $0.log == own }.compactMap { event in
      LastingChange(event.verb, calling: trust.listedName(of:)).map {
        (sequence: event.sequence, change: $0)
      }
    }
    return UndoFold(
      records: fold.records, posting: fold.posting, own: number, facts: facts + others,
      restores: restores, steps: steps,
      erased: Set(hidden).union(stripped.keys),
      erases: erasing.erases.map(\.place).filter { $0.log == own }.map(\.sequence),
      lastingChanges: lasting.sorted { $0.sequence < $1.sequence })
  }

  /// Folds all logs, and collects the facts of the given logs and the restores of all logs.
  private func foldAll(
    takingFactsOf logs: Set<UniqueID>
  ) throws(DaybookError) -> (Fold, facts: [Fact], restores: [Fact]) {
    var facts: [Fact] = []
    var restores: [Fact] = []
    func take(_ fact: Fact, of log: UniqueID?) {
      if let log, logs.contains(log) { facts.append(fact) }
      if fact.body.verb == .restore { restores.append(fact) }
    }
    let once = try projector.replayer.foldAtOnce { fact, log in take(fact, of: log) }
    if let once { return (once, facts, restores) }
    (facts, restores) = ([], [])
    let fold = try projector.replayer.foldAll { fact, causality in
      take(fact, of: causality.identity(of: fact.key.log)?.id)
      return true
    }
    return (fold, facts, restores)
  }

  /// The facts of logs that only the fold has shown to be needed.
  private func facts(
    of logs: Set<UInt32>, knowing posting: Posting
  ) throws(DaybookError) -> [Fact] {
    guard !logs.isEmpty else { return [] }
    var facts: [Fact] = []
    _ = try projector.replayer.foldAll(knowing: posting) { fact, _ in
      if logs.contains(fact.key.log) { facts.append(fact) }
      return false
    }
    return facts
  }

  /// The steps of a log, in order.
  func steps(of log: UniqueID) throws(DaybookError) -> [Step] {
    var finder = StepFinder()
    let table = store.journal.end(of: log, on: .logs)?.table ?? []
    try store.forEachFrame(of: log) { frame, events in
      for event in events {
        let verb = event.verb ?? .max
        let body = frame.content.span.extracting(event.body)
        // A marker that cannot be decoded is ignored.
        let marker = JournalVerb.markers.contains(verb) ? JournalBody(body).marker : nil
        // The frame was checked when it was read, so its headers can be decoded. If one cannot, the event is treated as
        // undoing nothing.
        let link = event.namesOthers ? (try? frame.header(of: event))?.link : nil
        finder.take(
          event, link: link.flatMap { StepFinder.Link($0, table) }, marker: marker,
          // Only domain bodies are ever stripped.
          isFact: event.isStripped || JournalVerb.domain.contains(verb))
      }
    }
    finder.closeRun()
    return finder.steps
  }
}
