import Bytes
import Journaling
import Platform

/// Events behind lost ones that no device without the lost ones can accept.
///
/// The numbers in an event refer to logs through a table, to which a lost event may have added. If the frame behind a
/// hole has the table, any device can read what follows; otherwise it cannot (`protocol.md` 9).
struct StrandedEvents {
  let count: UInt64

  init(of log: UniqueID, in journal: borrowing Journal) {
    let holes = journal.holes(in: log)
    guard !holes.isEmpty, let end = journal.end(of: log, on: .logs) else {
      count = 0
      return
    }
    var unread: [ClosedRange<UInt64>] = []
    for hole in holes where unread.isEmpty && hole.upperBound < end.sequence {
      let next = hole.upperBound + 1
      if !Self.tellsTable(at: next, of: log, in: journal) { unread = [next...end.sequence] }
    }
    count = unread.without(holes).reduce(0) { $0 + UInt64($1.count) }
  }

  /// Whether the frame that begins with an event has the table of logs; false if it cannot be read.
  private static func tellsTable(
    at sequence: UInt64, of log: UniqueID, in journal: borrowing Journal
  ) -> Bool {
    guard var reader = try? journal.reader(of: log, from: sequence) else { return false }
    return (try? reader.read())?.frame.start != nil
  }
}
