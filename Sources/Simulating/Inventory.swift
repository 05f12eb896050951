import Bytes
import Journaling
import Platform

/// Every event that a book's folder holds, as a reader finds it that knows nothing of before.
struct Inventory {
  /// Where each event stands, by the chain hash there, which no two events share.
  private(set) var events: [Digest: Spot] = [:]

  /// An event's place in the log it was read from.
  struct Spot: Hashable {
    var log: UniqueID
    var sequence: UInt64
    /// Whether its body was taken out.
    var isStripped: Bool

    var words: String { "\(log.hex.prefix(8)) \(sequence)" }
  }

  /// Reads all logs, those of devices nobody has admitted among them.
  init(of folder: Path, on machine: Machine) throws(JournalError) {
    let journal = try Journal(at: folder, on: machine)
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      try read(log, upTo: end.sequence, in: journal)
    }
  }

  private mutating func read(
    _ log: UniqueID, upTo last: UInt64, in journal: borrowing Journal
  ) throws(JournalError) {
    let first = journal.lineage(of: log).first
    guard first <= last else { return }
    var reader = try journal.reader(of: log)
    do throws(DiskError) {
      while let frame = try reader.read()?.frame, frame.firstSequence <= last {
        for event in frame.events where (first...last).contains(event.sequence) {
          events[event.hash] = Spot(
            log: log, sequence: event.sequence, isStripped: event.isStripped)
        }
      }
    } catch {
      throw .disk(error)
    }
  }

  var hashes: Set<Digest> { Set(events.keys) }
}
