package import Bytes
import Crypto
import Domain
package import Interchange
import Journaling
import Platform
import ReadModel

/// Takes in what files of other kinds hold.
package struct Importer {
  let store: LogStore
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let undoReader: UndoReader
  let undoEngine: UndoEngine
  let exporter: Exporter

  /// Takes in operations, a JSON object a line: one step for whoever undoes it, and repeatable.
  package func importOperations(
    _ source: [UInt8], _ options: ImportOptions = ImportOptions()
  ) throws(DaybookError) -> ImportReport {
    try access.withLock { () throws(DaybookError) in
      let own = try ownLogKeeper.ownLogForWriting()
      let lines = OperationLines(source)
      return try take(
        OperationsAhead(lines, beside: store.machine.beside),
        digest: SHA256.digest(of: source),
        own: own, steps: try undoReader.steps(of: own), options,
        ends: OperationEnds.found(in: lines))
    }
  }

  /// Takes in what was found in a file of another program: one step for whoever undoes it, and repeatable.
  ///
  /// - Parameters:
  ///   - file: What was found.
  ///   - identity: What is the same only for the same bytes, read in the same way.
  ///   - isStrict: Whether a record that cannot be taken stops everything, with nothing written.
  /// - Returns: What was done.
  /// - Throws: ``DaybookError`` as every command does.
  package func importFile(
    _ file: ForeignFile, identity: Digest, isStrict: Bool = false
  ) throws(DaybookError) -> ImportReport {
    try access.withLock { () throws(DaybookError) in
      let own = try ownLogKeeper.ownLogForWriting()
      let steps = try undoReader.steps(of: own)
      let merge = ForeignMerge(
        file, in: exporter.fileTag, isTakenBack: try undoneImports(of: own, steps))
      let options = ImportOptions(isStrict: isStrict)
      return try take(merge, digest: identity, own: own, steps: steps, options)
    }
  }

  /// Whether an event of the own log belongs to an import that is undone.
  private func undoneImports(
    of own: UniqueID, _ steps: [Step]
  ) throws(DaybookError) -> @Sendable (EventKey) -> Bool {
    let undone = steps.undone()
    let events = steps.filter { undone.contains($0.first) && $0.run != nil }.flatMap(\.events)
    if events.isEmpty { return { _ in false } }
    let number = try projector.replayer.foldAll().posting.causality.number(of: own)
    // The commands of a run follow one another, so few ranges are left.
    let ranges = [ClosedRange<UInt64>](joining: events)
    return { key in key.log == number && ranges.contains { $0.contains(key.sequence) } }
  }

  /// Takes in a source.
  ///
  /// It is written batch by batch, each with a mark of how far it got. Killed half way, the same import goes on
  /// behind the last batch; finished, it does nothing.
  func take(
    _ source: some ImportSource, digest: Digest, own: UniqueID, steps: [Step],
    _ options: ImportOptions, ends: (() -> OperationEnds)? = nil
  ) throws(DaybookError) -> ImportReport {
    var source = source
    var report = ImportReport()
    report.lines = source.count
    let before = Self.step(of: digest, in: steps)
    var progress = Int(before?.progress ?? 0)
    report.wasImported = progress >= source.count && progress > 0
    if let before, report.wasImported {
      try tellAgain(before.step, source, &report, own: own, options)
      report.gone = try gone(since: before.step, of: own)
      return report
    }
    if progress > 0, !options.keepsUIDs {
      // Nothing in the book tells which record came from which line, so it starts over.
      _ = try undoEngine.undo(before?.step, of: own)
      progress = 0
    }
    try carryOut(
      try planning(options, importer: source.importer, next: progress, own: own, ends), &source,
      digest,
      &report, isStrict: options.isStrict)
    _ = try projector.view()
    return report
  }

  /// Notes what an import that was done has skipped, and what it has left and is still so.
  ///
  /// It is decided once more on what the book was before it, and nothing is written.
  private func tellAgain(
    _ step: Step, _ source: some ImportSource, _ report: inout ImportReport, own: UniqueID,
    _ options: ImportOptions
  ) throws(DaybookError) {
    var (source, told) = (source, ImportReport())
    let before = try projector.replayer.foldAll { fact, causality in
      let isOwn = causality.identity(of: fact.key.log)?.id == own
      return isOwn ? fact.key.sequence < step.first : fact.time < step.time
    }
    var posting = before.posting
    let number = posting.causality.number(of: own, replica: own)
    var planning = ImportPlanning(
      before, own: number, end: step.first, options: options, importer: source.importer, next: 0,
      ends: nil
    ) { _ in [] }
    while planning.next < source.count {
      try plan(&source, SHA256.digest(of: []), &planning, &told, isStrict: false)
      planning.batches = []
    }
    report.takeSkipped(of: told)
    if told.disputes.isEmpty { return }
    let records = try projector.replayer.foldAll().records
    report.disputes = told.disputes.filter { $0.dispute.stands(in: records) }
  }

  /// Counts the records of an earlier import that have been deleted or erased.
  private func gone(
    since step: Step, of own: UniqueID
  ) throws(DaybookError) -> ImportReport.Gone {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    guard let number = posting.causality.number(of: own) else { return ImportReport.Gone() }
    let events = step.events.joined()
    let infos = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.documents(of: events.map { EventKey(log: number, sequence: $0) })
    }
    let records = Dictionary(infos.values.map { ($0.key, $0.isAlive) }) { first, _ in first }
    let stripped = posting.ledger.erasing.stripped[own] ?? [:]
    var gone = ImportReport.Gone(
      deletedRecords: records.values.count { !$0 },
      erasedEvents: events.count { stripped[$0] != nil })
    gone.isAll = gone.deletedRecords + gone.erasedEvents > 0 && !records.values.contains(true)
    return gone
  }

  private func planning(
    _ options: ImportOptions, importer: UInt64, next: Int, own: UniqueID,
    _ ends: (() -> OperationEnds)?
  ) throws(DaybookError) -> ImportPlanning {
    var fold = try projector.replayer.foldAll()
    return ImportPlanning(
      fold, own: fold.posting.causality.number(of: own, replica: own),
      end: store.journal.end(of: own, on: .logs)?.sequence ?? 0, options: options,
      importer: importer,
      next: next, ends: ends
    ) { [ledger = fold.posting.ledger] in store.unread(of: $0, upTo: .max, ledger) }
  }

  /// Decides and writes all records of a source; what was planned with is gone before the read model is made.
  private func carryOut(
    _ planning: consuming ImportPlanning, _ source: inout some ImportSource, _ digest: Digest,
    _ report: inout ImportReport, isStrict: Bool
  ) throws(DaybookError) {
    var planning = planning
    let count = UInt64(source.count - planning.next)
    try store.folder.progress.tellingProgress(of: .intake, total: count) {
      advance throws(DaybookError) in
      while planning.next < source.count {
        let start = planning.next
        try plan(&source, digest, &planning, &report, isStrict: isStrict)
        if !isStrict { try write(&planning) }
        advance(UInt64(planning.next - start))
      }
      try write(&planning)
    }
  }

  /// How far a source was taken, unless that was undone, and the step to undo for that: it may have been done again.
  private static func step(of source: Digest, in steps: [Step]) -> (step: Step, progress: UInt64)? {
    let standing = UndoStack(steps).done.last { steps.origin(of: $0).run?.source.source == source }
    return standing.map { ($0, steps.origin(of: $0).run?.done ?? 0) }
  }

  /// Decides records until a batch is full.
  private func plan(
    _ source: inout some ImportSource, _ digest: Digest, _ planning: inout ImportPlanning,
    _ report: inout ImportReport, isStrict: Bool
  ) throws(DaybookError) {
    let start = planning.next
    while planning.next < source.count, !planning.isBatchFull {
      let place = planning.next
      planning.next += 1
      do throws(OperationFault) {
        let step = try source.step(at: place, on: planning.records)
        try report.note(step, line: place + 1) { operation throws(OperationFault) in
          try planning.take(operation, now: store.folder.now)
        }
      } catch {
        if isStrict { throw .importFault(line: planning.next, error) }
        report.skip(planning.next, error)
      }
    }
    planning.endBatch(from: start, of: digest)
  }

  private func write(_ planning: inout ImportPlanning) throws(DaybookError) {
    for batch in planning.batches {
      let places = try writer.append(batch.commands, in: batch.run, knowing: &planning.posting)
      precondition(places.first == batch.first, "events get the names they were planned with")
    }
    planning.batches = []
  }
}

/// What an import did; records and lines are counted from 1.
package struct ImportReport: Sendable {
  package var lines = 0
  /// Records about which something was written, by what was done.
  package var done: [Operation.Verb: Int] = [:]
  /// The same, one after the other.
  package var taken: [(line: Int, verb: Operation.Verb)] = []
  /// Records that were found as they are wanted.
  package var same = 0
  /// Records of which nothing was written but what is kept as text.
  package var keptAsText = 0
  /// Lists made because a record names them.
  package var madeLists = 0
  /// Fields that were left as they are, since nothing tells that the file's value is the later one.
  package var disputes: [(line: Int, dispute: FieldDispute)] = []
  /// How many records have such fields, and nothing was written about them.
  package var unsettled = 0
  /// Records that the book has deleted, and keeps so.
  package var keptDeleted = 0
  /// Records that only the book has changed since the file was written.
  package var outdated = 0
  /// Records that are of no concern.
  package var passed = 0
  /// Records that could not be taken, up to a limit.
  package private(set) var skipped: [(line: Int, fault: OperationFault)] = []
  /// How many more could not be taken.
  package private(set) var moreSkipped = 0
  /// The same source had been read before, to its end.
  package var wasImported = false
  /// Records of an earlier import of the same source that are gone.
  package var gone = Gone()

  /// Records and events of an import that the book no longer shows.
  package struct Gone: Sendable {
    package var deletedRecords = 0
    package var erasedEvents = 0
    /// Whether no record that the import added is left.
    package var isAll = false
  }

  package init() {}
}

extension ImportReport {
  private static let mostFaults = ForeignSettings.Limits().faults

  fileprivate mutating func skip(_ line: Int, _ fault: OperationFault) {
    guard skipped.count < Self.mostFaults else { return moreSkipped += 1 }
    skipped.append((line, fault))
  }

  /// Takes over what could not be taken.
  fileprivate mutating func takeSkipped(of other: ImportReport) {
    (skipped, moreSkipped) = (other.skipped, other.moreSkipped)
  }

  /// Carries out a step, and counts it by what its main operation does to its record.
  mutating func note(
    _ step: ImportStep, line: Int,
    _ carryOut: (Operation) throws(OperationFault) -> Operation.Verb?
  ) throws(OperationFault) {
    switch step {
    case .blank: return
    case .passed: passed += 1
    case .keptDeleted: keptDeleted += 1
    case .outdated(let operation):
      outdated += 1
      if let operation { _ = try carryOut(operation) }
    case .noted(let operation):
      same += 1
      _ = try carryOut(operation)
    case .disputed(let step, let disputes):
      self.disputes += disputes.map { (line, $0) }
      let count = same
      try note(step, line: line, carryOut)
      // What is not as the file says is not the same.
      if same > count { (same, unsettled) = (count, unsettled + 1) }
    case .operations(let operations, let main):
      var (verb, other): (Operation.Verb?, Operation.Verb?)
      for (place, operation) in operations.enumerated() {
        guard let done = try carryOut(operation) else { continue }
        if place == main { verb = done } else { other = done }
        if place != main, operation.verb == .add { madeLists += 1 }
      }
      guard let verb = verb ?? other else {
        same += 1
        return
      }
      if verb == .edit, operations[main].writesTextOnly { return keptAsText += 1 }
      done[verb, default: 0] += 1
      taken.append((line, verb))
    }
  }
}

extension Operation {
  /// Whether it writes only what no field stands for.
  fileprivate var writesTextOnly: Bool {
    !assignments.isEmpty && assignments.allSatisfy { $0.field == .extra }
  }
}
