import Bytes
import Crypto
import Domain
package import Interchange
import Journaling

/// How operations are to be read.
package struct ImportOptions: Sendable {
  /// Whether source ids become uids of the records, so that later imports find them.
  package var keepsUIDs: Bool
  /// Whether a line that cannot be taken stops everything, with nothing written.
  package var isStrict: Bool

  package init(keepsUIDs: Bool = true, isStrict: Bool = false) {
    self.keepsUIDs = keepsUIDs
    self.isStrict = isStrict
  }
}

/// What an import did.
package struct ImportReport: Sendable {
  package var lines = 0
  /// Operations that wrote something, by verb.
  package var done: [Operation.Verb: Int] = [:]
  /// Operations that found everything as they wanted it.
  package var same = 0
  /// Lines that could not be taken.
  package var skipped: [(line: Int, fault: OperationFault)] = []
  /// The same source had been read before, to its end.
  package var wasImported = false
}

extension Book {
  /// Takes in operations, a JSON object a line: one step for whoever undoes it, and repeatable.
  ///
  /// The source is written batch by batch, each with a mark of how far it got. Killed half way, the same
  /// import goes on behind the last batch; finished, it does nothing.
  package func importOperations(
    _ source: [UInt8], _ options: ImportOptions = ImportOptions()
  ) throws(DaybookError) -> ImportReport {
    try withLock { () throws(DaybookError) in
      let digest = SHA256.digest(of: source)
      let lines = Self.lines(of: source)
      var report = ImportReport()
      report.lines = lines.count
      let own = try ownLogForWriting()
      let before = try step(of: digest, in: own)
      var progress = Int(before?.progress ?? 0)
      report.wasImported = progress >= lines.count && progress > 0
      if report.wasImported { return report }
      if progress > 0, !options.keepsUIDs {
        // Nothing in the book tells which record came from which line, so it starts over.
        _ = try undo(before?.step, of: own)
        progress = 0
      }
      var fold = try foldAll()
      var planning = ImportPlanning(
        fold, own: fold.posting.causality.number(of: own, replica: own),
        end: journal.logs[own]?.sequence ?? 0, options: options, next: progress
      ) { [ledger = fold.posting.ledger] in unread(of: $0, upTo: .max, ledger) }
      while planning.next < lines.count {
        try plan(lines, of: source, digest, &planning, &report, isStrict: options.isStrict)
        if !options.isStrict { try write(&planning) }
      }
      try write(&planning)
      _ = try view()
      return report
    }
  }

  /// How far a source was taken, unless that was undone, and the step to undo for that: it may have been done again.
  private func step(
    of source: Digest, in log: UniqueID
  ) throws(DaybookError) -> (step: Step, progress: UInt64)? {
    let steps = try steps(of: log)
    let standing = UndoStack(steps).done.last { steps.origin(of: $0).run?.source.source == source }
    return standing.map { ($0, steps.origin(of: $0).run?.done ?? 0) }
  }

  /// Decides lines until a batch is full.
  private func plan(
    _ lines: [Range<Int>], of source: [UInt8], _ digest: Digest,
    _ planning: inout ImportPlanning, _ report: inout ImportReport, isStrict: Bool
  ) throws(DaybookError) {
    let start = planning.next
    while planning.next < lines.count, !planning.isBatchFull {
      let line = lines[planning.next]
      planning.next += 1
      if line.isEmpty { continue }
      do throws(OperationFault) {
        let operation = try Operation(line: source.span.extracting(line))
        if try planning.take(operation, now: now) {
          report.done[operation.verb, default: 0] += 1
        } else {
          report.same += 1
        }
      } catch {
        if isStrict { throw .importFault(line: planning.next, error) }
        report.skipped.append((planning.next, error))
      }
    }
    planning.endBatch(from: start, of: digest)
  }

  private func write(_ planning: inout ImportPlanning) throws(DaybookError) {
    for batch in planning.batches {
      let places = try append(batch.commands, in: batch.run, knowing: &planning.posting)
      precondition(places.first == batch.first, "events get the names they were planned with")
    }
    planning.batches = []
  }

  /// The lines of a text, without their ends, which may be those of another system.
  private static func lines(of source: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (place, byte) in source.enumerated() where byte == 0x0a {
      let isReturned = place > start && source[place - 1] == 0x0d
      lines.append(start..<(isReturned ? place - 1 : place))
      start = place + 1
    }
    if start < source.count { lines.append(start..<source.count) }
    return lines
  }
}
