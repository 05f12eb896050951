package import Bytes
internal import Journaling

/// A stretch of a log that the other lacks.
package struct Want: Hashable, Sendable {
  package var log: UniqueID
  /// It has everything up to here.
  package var after: UInt64
  /// And these beyond a hole.
  package var islands: [ClosedRange<UInt64>]

  package init(log: UniqueID, after: UInt64, islands: [ClosedRange<UInt64>] = []) {
    (self.log, self.after, self.islands) = (log, after, islands)
  }

  /// How many events of a frame are new to the other.
  func newCount(in events: ClosedRange<UInt64>) -> UInt64 {
    guard events.upperBound > after else { return 0 }
    let isHeld = islands.contains {
      $0.lowerBound <= events.lowerBound && events.upperBound <= $0.upperBound
    }
    return isHeld ? 0 : events.upperBound - max(events.lowerBound - 1, after)
  }
}

extension Frontier {
  /// What another, who is as far as it says, lacks of what is held here.
  package func wants(of other: Frontier) -> [Want] {
    places.compactMap { place in
      guard let theirs = other[place.log] else { return Want(log: place.log, after: 0) }
      let reached = place.islands.last?.upperBound ?? place.sequence
      guard theirs.sequence < reached else { return nil }
      return Want(log: place.log, after: theirs.sequence, islands: theirs.islands)
    }
  }
}
