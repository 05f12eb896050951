import Bytes
import Crypto

/// The chain hashes of the frame that was read last of each strand.
///
/// The events of a log name events of another log in rising order, so most lookups find their frame here. The hashes
/// of an event never change; whoever looks up an event checks first that the log holds it.
package struct RecentHashes {
  private var frames: [UniqueID: (first: UInt64, hashes: [Digest])] = [:]

  package init() {}

  func hash(of strand: UniqueID, at sequence: UInt64) -> Digest? {
    guard let (first, hashes) = frames[strand], sequence >= first,
      sequence - first < UInt64(hashes.count)
    else { return nil }
    return hashes[Int(sequence - first)]
  }

  mutating func keep(_ frame: borrowing Frame, of strand: UniqueID) {
    frames[strand] = (frame.firstSequence, frame.events.map(\.hash))
  }
}
