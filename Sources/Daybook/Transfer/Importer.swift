package import Bytes
import Crypto
import Domain
package import Interchange
import Journaling
import Platform
import ReadModel

/// Imports records from files.
package struct Importer {
  let store: LogStore
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let undoReader: UndoReader
  let undoEngine: UndoEngine
  let exporter: Exporter

  /// Imports operations, one JSON object per line.
  ///
  /// An interrupted import can be repeated; repeating a finished one writes nothing. The import is one step for undo,
  /// unless other commands were written before an interrupted one was repeated.
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

  /// Imports the records that were read from another program's file.
  ///
  /// An interrupted import can be repeated; repeating a finished one writes nothing. The import is one step for undo,
  /// unless other commands were written before an interrupted one was repeated.
  ///
  /// - Parameters:
  ///   - file: The records that were read.
  ///   - identity: A digest that is the same only for the same bytes, read in the same way.
  ///   - isStrict: Whether the import stops at the first record that cannot be imported, and writes no records.
  /// - Returns: A report of the changes.
  /// - Throws: ``DaybookError``, as every command does.
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

  /// Returns a function that tells whether an event of this device's own log belongs to an import that was undone.
  private func undoneImports(
    of own: UniqueID, _ steps: [Step]
  ) throws(DaybookError) -> @Sendable (EventKey) -> Bool {
    let undone = steps.undone()
    let events = steps.filter { undone.contains($0.first) && $0.run != nil }.flatMap(\.events)
    if events.isEmpty { return { _ in false } }
    let number = try projector.replayer.foldAll().posting.causality.number(of: own)
    // The commands of a run are consecutive, so their events form only a few ranges.
    let ranges = [ClosedRange<UInt64>](joining: events)
    return { key in key.log == number && ranges.contains { $0.contains(key.sequence) } }
  }

  /// Imports a source.
  ///
  /// The import is written in batches, each with a mark of the number of records done. If it is interrupted, the next
  /// import of the same source continues after the last batch; without uids, it undoes these batches and starts over.
  /// If the last mark is at the end of the source, nothing is written. A strict import checks all records first.
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
    if let before, progress > 0, options.isStrict {
      try check(source, without: before.step, own: own, options, ends)
    }
    if progress > 0, !options.keepsUIDs {
      // Without uids, the book does not show which record came from which line.
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

  /// Adds the skipped records and the unsettled disputes of a finished import to the report.
  ///
  /// The import is planned again on the records from before it, and nothing is written.
  private func tellAgain(
    _ step: Step, _ source: some ImportSource, _ report: inout ImportReport, own: UniqueID,
    _ options: ImportOptions
  ) throws(DaybookError) {
    var options = options
    options.isStrict = false
    let told = try planAgain(source, end: step.first, own: own, options) { fact, isOwn in
      isOwn ? fact.key.sequence < step.first : fact.time < step.time
    }
    report.takeSkipped(of: told)
    if told.disputes.isEmpty { return }
    let records = try projector.replayer.foldAll().records
    report.disputes = told.disputes.filter { $0.dispute.stands(in: records) }
  }

  /// Throws at the first record of a source that cannot be imported, planned as if a step had not been written.
  private func check(
    _ source: some ImportSource, without step: Step, own: UniqueID, _ options: ImportOptions,
    _ ends: (() -> OperationEnds)?
  ) throws(DaybookError) {
    let end = store.journal.end(of: own, on: .logs)?.sequence ?? 0
    let sequences = step.sequences
    _ = try planAgain(source, end: end, own: own, options, ends: ends) { fact, isOwn in
      !(isOwn && sequences.contains(fact.key.sequence))
    }
  }

  /// Plans all records of a source on the given facts, and writes nothing.
  private func planAgain(
    _ source: some ImportSource, end: UInt64, own: UniqueID, _ options: ImportOptions,
    ends: (() -> OperationEnds)? = nil, on isIncluded: (_ fact: Fact, _ isOwn: Bool) -> Bool
  ) throws(DaybookError) -> ImportReport {
    var (source, told) = (source, ImportReport())
    let fold = try projector.replayer.foldAll { fact, causality in
      isIncluded(fact, causality.identity(of: fact.key.log)?.id == own)
    }
    var posting = fold.posting
    let number = posting.causality.number(of: own, replica: own)
    var planning = ImportPlanning(
      fold, own: number, end: end, options: options, importer: source.importer, next: 0, ends: ends
    ) { _ in [] }
    while planning.next < source.count {
      try plan(&source, SHA256.digest(of: []), &planning, &told, isStrict: options.isStrict)
      planning.batches = []
    }
    return told
  }

  /// Counts the deleted records and the erased events of an earlier import.
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

  /// Decides and writes all records of a source.
  ///
  /// The planning is consumed, so that its memory is freed before the read model is updated.
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

  /// The last step that imported a source and is not undone, with the number of records that it has imported.
  ///
  /// The step can be the redo of an import.
  private static func step(of source: Digest, in steps: [Step]) -> (step: Step, progress: UInt64)? {
    let standing = UndoStack(steps).done.last { steps.origin(of: $0).run?.source.source == source }
    return standing.map { ($0, steps.origin(of: $0).run?.done ?? 0) }
  }

  /// Decides records until a batch is full or the source ends.
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

/// The result of an import, in which lines and records are numbered from 1.
package struct ImportReport: Sendable {
  package var lines = 0
  /// The number of changed records, by the effect on them.
  package var done: [Operation.Verb: Int] = [:]
  /// The changed records, in the order of the source.
  package var taken: [(line: Int, verb: Operation.Verb)] = []
  /// The number of records that needed no change.
  ///
  /// Data of the file that no field shows may still have been stored for them.
  package var same = 0
  /// The number of records for which only the field `extra` was written.
  package var keptAsText = 0
  /// The number of lists that were created because a record refers to them.
  package var madeLists = 0
  /// Fields that were left as they are, because it is unknown whether the value in the file is the later one.
  package var disputes: [(line: Int, dispute: FieldDispute)] = []
  /// The number of records that have such fields and needed no other change.
  package var unsettled = 0
  /// The number of records that the book has deleted and keeps deleted.
  package var keptDeleted = 0
  /// The number of records that only the book has changed since the file was written.
  package var outdated = 0
  /// The number of records that were skipped because they are imported only if the book already has them.
  package var passed = 0
  /// The records that could not be imported, up to a limit.
  package private(set) var skipped: [(line: Int, fault: OperationFault)] = []
  /// The number of further records that could not be imported.
  package private(set) var moreSkipped = 0
  /// Whether the same source had already been imported completely.
  package var wasImported = false
  /// The deleted records and erased events of an earlier import of the same source.
  package var gone = Gone()

  /// The numbers of deleted records and erased events of an import.
  package struct Gone: Sendable {
    package var deletedRecords = 0
    package var erasedEvents = 0
    /// Whether anything was deleted or erased and none of the imported records remains.
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

  /// Replaces the list of skipped records with that of the given report.
  fileprivate mutating func takeSkipped(of other: ImportReport) {
    (skipped, moreSkipped) = (other.skipped, other.moreSkipped)
  }

  /// Carries out a step, and counts it by the effect of its main operation.
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
    case .repeating(let step, let operations):
      let count = same
      try note(step, line: line, carryOut)
      var changes = false
      for operation in operations {
        if try carryOut(operation) != nil, !operation.writesTextOnly { changes = true }
      }
      // Of an unchanged to-do, an occurrence changed.
      guard changes, same > count else { return }
      same = count
      done[.edit, default: 0] += 1
      taken.append((line, .edit))
    case .disputed(let step, let disputes):
      self.disputes += disputes.map { (line, $0) }
      let count = same
      try note(step, line: line, carryOut)
      // The disputed fields differ from the file, so the record does not count as the same.
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
  /// Whether the operation assigns only the field `extra`.
  fileprivate var writesTextOnly: Bool {
    !assignments.isEmpty && assignments.allSatisfy { $0.field == .extra }
  }
}
