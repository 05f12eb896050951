import Bytes
import Crypto

/// For each strand, the chain hashes of the most recently read frame.
///
/// The events of a log name the events of another log in ascending order, so most lookups find their frame here. The
/// hash of an event never changes. Callers first check that the log holds the event.
package struct RecentHashes {
  private var frames: [UniqueID: (first: UInt64, hashes: [Digest])] = [:]
  private var count = 0

  /// The number of hashes above which all hashes are discarded; this many hashes take 1 MiB.
  private static let limit = 1 << 15

  package init() {}

  func hash(of strand: UniqueID, at sequence: UInt64) -> Digest? {
    guard let (first, hashes) = frames[strand], sequence >= first,
      sequence - first < UInt64(hashes.count)
    else { return nil }
    return hashes[Int(sequence - first)]
  }

  mutating func keep(_ frame: borrowing Frame, of strand: UniqueID) {
    if count > Self.limit { (frames, count) = ([:], 0) }
    count += frame.events.count - (frames[strand]?.hashes.count ?? 0)
    frames[strand] = (frame.firstSequence, frame.events.map(\.hash))
  }
}
