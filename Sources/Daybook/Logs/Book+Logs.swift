import Bytes
import Journaling
import Platform

extension Book {
  /// Gives the frames of a log that hold events from a sequence on, past what is damaged.
  ///
  /// - Returns: What was damaged.
  @discardableResult
  func forEachFrame(
    of log: UniqueID, from sequence: UInt64 = 1, upTo last: UInt64 = .max,
    _ visit: (Frame) throws(DaybookError) -> Void
  ) throws(DaybookError) -> [Damage] {
    var reader = try wrap(DaybookError.journal) { () throws(JournalError) in
      // Of a single event's frame nothing is to be had behind it.
      try journal.reader(of: log, from: sequence, ahead: last > sequence)
    }
    while let read = try nextFrame(&reader), read.frame.firstSequence <= last {
      try visit(read.frame)
    }
    return reader.damage
  }

  private func nextFrame(_ reader: inout LogReader) throws(DaybookError) -> ReadFrame? {
    do throws(DiskError) { return try reader.read() } catch { throw .disk(error) }
  }

  /// How the logs of the journal hang together.
  var logTree: LogTree {
    let ids = journal.forks.isEmpty ? [:] : journal.logs.merging(journal.aside) { log, _ in log }
    var logs: [UniqueID: (lineage: Lineage, end: UInt64)] = [:]
    for (log, end) in ids { logs[log] = (journal.lineage(of: log), end.sequence) }
    return LogTree(logs) { [unowned self] log, sequence throws(DaybookError) in
      try chainHash(of: log, at: sequence)?.prefix16
    }
  }

  /// The chain hash at an event, or nil where it is not held.
  func chainHash(of log: UniqueID, at sequence: UInt64) throws(DaybookError) -> Digest? {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.hash(of: log, at: sequence)
    }
  }

  /// Whether any event of a range of a log can be read, whether or not it has its body.
  func canRead(
    _ range: ClosedRange<UInt64>, of log: UniqueID
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      var reader = try journal.reader(of: log, from: range.lowerBound)
      let next = try wrap(JournalError.disk) { () throws(DiskError) in try reader.read() }
      return next.map { $0.frame.firstSequence <= range.upperBound } ?? false
    }
  }

  /// Whether any event of a range of a log can be read with its body.
  func hasBody(
    in range: ClosedRange<UInt64>, of log: UniqueID
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      var reader = try journal.reader(of: log, from: range.lowerBound)
      return try wrap(JournalError.disk) { () throws(DiskError) in
        while let frame = try reader.read()?.frame, frame.firstSequence <= range.upperBound {
          let sequences = frame.firstSequence...frame.lastSequence
          for (sequence, event) in zip(sequences, frame.events)
          where range.contains(sequence) && !event.isStripped {
            return true
          }
        }
        return false
      }
    }
  }

  /// The events below the ends of the logs that the journal knows it cannot read.
  var journalHoles: [UniqueID: [ClosedRange<UInt64>]] {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let ranges = journal.holes(in: log)
      if !ranges.isEmpty { holes[log] = ranges }
    }
    return holes
  }

  /// What of a log's events up to a sequence is not folded, because it is not here.
  func unread(of log: UniqueID, upTo last: UInt64, _ ledger: Ledger) -> [ClosedRange<UInt64>] {
    let first = journal.lineage(of: log).first
    guard first <= last else { return [] }
    let found =
      (ledger.missing[log] ?? []) + journal.holes(in: log)
      + ledger.erasing.bodiless(in: log, by: ledger.folded)
    return [ClosedRange<UInt64>](joining: found.within(first...last))
  }

  /// Looks at the logs again where that may show anything new.
  ///
  /// What this process has read, or has written while nobody else could, it knows. Of logs with branches or holes, more
  /// is found out by reading them.
  func refreshJournal() throws(DaybookError) {
    let isPlain = !journal.isRecalled && journal.forks.isEmpty && journalHoles.isEmpty
    let state = isPlain ? Self.diskState(of: layout, on: machine.disk) : nil
    if state == nil || state != diskState { try reloadJournal() }
  }

  /// Looks at the logs and at `book.json` as other processes have left them; the logs may be recalled where only the
  /// own one is about to be written.
  func reloadJournal(recalling isRecalling: Bool = false) throws(DaybookError) {
    let recollection = isRecalling ? try recollectionForWriting() : nil
    // A disk that failed this process once is not written to again by it.
    let isPoisoned = journal.isPoisoned
    let state = Self.diskState(of: layout, on: machine.disk)
    let (erasures, standing) = (journal.erasures, journal.standing)
    let (known, tails, bodiless) = (journal.known, journal.tails, journal.bodiless)
    journal = try wrap(DaybookError.journal) { [layout, machine] () throws(JournalError) in
      try Journal(
        at: layout.folder, on: machine, isPoisoned: isPoisoned, recalling: recollection,
        knowing: known, tails)
    }
    (journal.erasures, journal.standing) = (erasures, standing)
    if isSettled { journal.noteSettled() }
    journal.note(bodiless: bodiless)
    journal.note(
      openings: (memory?.posting.ledger.trustEvents ?? []).compactMap { event in
        if case .open(let opening) = event.verb { opening } else { nil }
      })
    // That a log was left is written down before others' events are stored there, and so is read after them.
    try reloadFile()
    diskState = state
  }
}

extension Damage {
  /// The events that are not there because of it.
  var missing: ClosedRange<UInt64>? {
    if case .missing(let range) = what { range } else { nil }
  }
}
