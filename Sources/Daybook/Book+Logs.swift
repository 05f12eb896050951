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
      try journal.reader(of: log, from: sequence)
    }
    while let read = try nextFrame(&reader), read.frame.firstSequence <= last {
      try visit(read.frame)
    }
    return reader.damage
  }

  private func nextFrame(_ reader: inout LogReader) throws(DaybookError) -> ReadFrame? {
    do throws(DiskError) { return try reader.read() } catch { throw .disk(error) }
  }

  /// Looks at the logs as other processes have left them.
  func reloadJournal() throws(DaybookError) {
    // A disk that failed this process once is not written to again by it.
    let isPoisoned = journal.isPoisoned
    journal = try wrap(DaybookError.journal) { [layout, machine] () throws(JournalError) in
      try Journal(at: layout.folder, on: machine, isPoisoned: isPoisoned)
    }
  }
}

extension Damage {
  /// The events that are not there because of it.
  var missing: ClosedRange<UInt64>? {
    if case .missing(let range) = what { range } else { nil }
  }
}
