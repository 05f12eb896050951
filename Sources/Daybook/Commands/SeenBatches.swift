import Bytes
import Journaling

/// What events are to name as seen, in as many portions as it takes.
struct SeenBatches {
  private var batches: [[Seen]] = []
  /// The encoded size of the last one, as it is at most.
  private var byteCount = 0

  /// How many events it takes to name all.
  var count: Int { batches.count }

  /// What one event names at most, so that a large command has room beside it.
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

  /// Takes what the next event names.
  mutating func next() -> [Seen] { batches.isEmpty ? [] : batches.removeFirst() }

  /// An array, two ids, a sequence and the head of the ranges.
  private static let entryBytes = 1 + 17 + 9 + 17 + 3
  private static let rangeBytes = 18
}
