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
  /// An interrupted import can be repeated; repeating a finished import writes nothing. The import is one step for
  /// undo, unless other commands were written before an interrupted import was repeated.
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
  /// An interrupted import can be repeated; repeating a finished import writes nothing. The import is one step for
  /// undo, unless other commands were written before an interrupted import was repeated.
  ///
  /// - Parameters:
  ///   - file: The records that were read.
  ///   - identity: A digest that is the same only for the same bytes, read in the same way.
  ///   - isStrict: Whether the import stops at the first record that cannot be imported, and writes no records.
  /// - Returns: A report of the changes.
  /// - Throws: ``DaybookError``, as for every command.
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

  /// Returns a function that determines whether an event of this device's own log belongs to an import that was undone.
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
  /// The import is written in batches, each with a mark that states how many records have been imported. If the import
  /// is interrupted, the next import of the same source continues after the last batch; without uids, the next import
  /// undoes these batches and starts over. If the last mark is at the end of the source, nothing is written. A strict
  /// import checks all records first.
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
  /// The import is planned again on the records as they were before it, and nothing is written.
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

  /// Throws an error for the first record of a source that cannot be imported.
  ///
  /// The import is planned as if the given step had not been written.
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
  /// The plan is consumed, so that its memory is freed before the read model is updated.
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

  /// The last step that imported a source and has not been undone, with the number of records that it has imported.
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
