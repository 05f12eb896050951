import Bytes
import Journaling

/// *Seen* entries to be written, in batches that each fit into one event.
struct SeenBatches {
  private var batches: [[Seen]] = []
  /// An upper bound on the encoded size of the last batch.
  private var byteCount = 0

  /// The number of events that are needed.
  var count: Int { batches.count }

  /// The maximum size of a batch in bytes, which leaves space for a large command.
  private static let byteLimit = 64 << 10

  mutating func append(_ seen: Seen) {
    let size = Self.entryBytes + seen.missing.count * Self.rangeBytes
    let hasRoom =
      !batches.isEmpty && batches[batches.count - 1].count < Limit.seenEntries
      && byteCount + size <= Self.byteLimit
    if !hasRoom {
      batches.append([])
      byteCount = 0
    }
    batches[batches.count - 1].append(seen)
    byteCount += size
  }

  /// Removes and returns the entries for the next event.
  mutating func next() -> [Seen] { batches.isEmpty ? [] : batches.removeFirst() }

  /// The size of an array header, two ids, a sequence and the header of the ranges.
  private static let entryBytes = 1 + 17 + 9 + 17 + 3
  private static let rangeBytes = 18
}
