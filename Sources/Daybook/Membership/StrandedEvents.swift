import Bytes
import Journaling
import Platform

/// Events that follow lost events, and that a device can accept only if it has the lost events.
///
/// An event refers to logs by their numbers in a table, and a lost event may have added an entry to the table. If the
/// frame after a hole contains the table, any device can read the following events; otherwise it cannot (`protocol.md`
/// 9). The first event contains the key that proves all other events, so no device accepts any of them without the
/// first event.
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
      if hole.lowerBound == 1 || !Self.tellsTable(at: next, of: log, in: journal) {
        unread = [next...end.sequence]
      }
    }
    count = unread.without(holes).reduce(0) { $0 + UInt64($1.count) }
  }

  /// Whether the frame that begins with a given event contains the table of logs; false if the frame cannot be read.
  private static func tellsTable(
    at sequence: UInt64, of log: UniqueID, in journal: borrowing Journal
  ) -> Bool {
    guard var reader = try? journal.reader(of: log, from: sequence) else { return false }
    return (try? reader.read())?.frame.start != nil
  }
}
