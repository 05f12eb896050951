package import Bytes
import Crypto
package import Platform

/// All logs of a book, as files.
///
/// Whoever appends, seals, receives, admits or recovers holds the book's lock. What these return is
/// durable.
package struct Journal: ~Copyable {
  /// Where logs stand.
  package enum Shelf: String, Hashable, Sendable {
    /// Those of the book.
    case logs
    /// Those of devices nobody has admitted.
    case aside
  }

  let folder: Path
  let disk: any Disk
  let dice: any Dice
  var states: [UniqueID: LogState] = [:]
  var receptions: [UniqueID: Reception] = [:]
  var chain = Chain()
  /// Set when a flush fails: what was flushed then is in doubt, and a second try would lie.
  var isPoisoned = false

  /// Opens the journal of the book in a folder, reading only the end of each log.
  package init(at folder: Path, on machine: Machine) throws(JournalError) {
    self.folder = folder
    disk = machine.disk
    dice = machine.dice
    for shelf in [Shelf.aside, .logs] {
      for log in try list(shelf) { try load(log, from: shelf) }
    }
  }

  /// The ends of the book's logs.
  package var logs: [UniqueID: LogEnd] { ends(on: .logs) }

  /// The ends of the logs nobody has admitted.
  package var aside: [UniqueID: LogEnd] { ends(on: .aside) }

  /// Where a log stands among those of its replica.
  package func lineage(of log: UniqueID) -> Lineage { Lineage(replica: log) }

  /// Where each branch of a forked log begins.
  package var forks: [UniqueID: Fork] { [:] }

  /// The events of a log that could not be read, below its end.
  package func holes(in log: UniqueID) -> [ClosedRange<UInt64>] { [] }

  /// Whether events may follow a log's end as it is on the disk.
  package func isSound(_ log: UniqueID) -> Bool { states[log]?.isSound ?? true }

  /// Where the book's logs end, in the order of their ids.
  package func frontier() -> [Landmark] {
    logs.sorted { $0.key < $1.key }.map { log, end in
      Landmark(log: log, sequence: end.sequence, hash: end.hash.prefix16)
    }
  }

  /// Gives the frames of a log that hold events from a sequence on.
  package func reader(
    of log: UniqueID, from sequence: UInt64 = 1
  ) throws(JournalError) -> LogReader {
    guard let state = states[log] else { throw .unknownLog(log) }
    return LogReader(logFolder(log, state.shelf), from: sequence)
  }

  /// The chain hash of a log at a sequence, or nil where the event is not held.
  package func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let end = states[log]?.end, sequence <= end.sequence else { return nil }
    if sequence == end.sequence { return end.hash }
    if sequence == 0 { return Chain.zero(of: log) }
    return try record(of: log, at: sequence)?.hash
  }

  /// The first event of the command that an event belongs to, or nil where it is not held.
  package func commandStart(
    of log: UniqueID, at sequence: UInt64
  ) throws(JournalError) -> UInt64? {
    try frame(of: log, at: sequence)?.events
      .last { $0.isCommandStart && $0.sequence <= sequence }?.sequence
  }

  func record(
    of log: UniqueID, at sequence: UInt64
  ) throws(JournalError) -> EventRecord? {
    try frame(of: log, at: sequence).map { $0.events[Int(sequence - $0.firstSequence)] }
  }

  private func frame(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Frame? {
    guard sequence > 0 else { return nil }
    var reader = try reader(of: log, from: sequence)
    do throws(DiskError) {
      guard let frame = try reader.read()?.frame, frame.firstSequence <= sequence else {
        return nil
      }
      return frame
    } catch {
      throw .disk(error)
    }
  }

  func logFolder(_ log: UniqueID, _ shelf: Shelf) -> LogFolder {
    LogFolder(path: folder / shelf.rawValue / log.hex, disk: disk)
  }

  private func ends(on shelf: Shelf) -> [UniqueID: LogEnd] {
    states.filter { $0.value.shelf == shelf }.mapValues(\.end)
  }

  private func list(_ shelf: Shelf) throws(JournalError) -> [UniqueID] {
    do throws(DiskError) {
      return try disk.list(folder / shelf.rawValue).compactMap { UniqueID(hex: $0) }
    } catch {
      if error.reason == .notFound { return [] }
      throw .disk(error)
    }
  }

  /// Refuses to write when a flush has failed, and remembers when one fails.
  mutating func writing<Value>(
    _ body: () throws(DiskError) -> Value
  ) throws(JournalError) -> Value {
    guard !isPoisoned else { throw .poisoned }
    do throws(DiskError) {
      return try body()
    } catch {
      if error.operation == .flush || error.operation == .flushDirectory { isPoisoned = true }
      throw .disk(error)
    }
  }
}
