package import Bytes
internal import Journaling

/// Takes from a holder what another lacks.
package struct Export {
  private let holder: any Holder
  /// How many events of each replica have gone out.
  package private(set) var sent: [UniqueID: UInt64] = [:]

  package init(_ holder: any Holder) { self.holder = holder }

  /// Gives each frame that another lacks, replica after replica.
  package mutating func run(
    for other: Frontier,
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    let own = holder.hello.frontier
    for replica in own.replicas {
      let theirs = other.places(of: replica)
      // Most logs are where the other has them.
      guard own.places(of: replica).contains(where: { !theirs.contains($0) }) else { continue }
      try run(replica, lackedBy: Array(theirs), visit)
    }
  }

  /// Gives each frame of a replica's log that another lacks.
  mutating func run(
    _ replica: UniqueID, lackedBy places: [Place],
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    let isForked = holder.hello.frontier.places(of: replica).count > 1 || places.count > 1
    var count: UInt64 = 0
    try holder.forEachFrame(of: replica, lackedBy: places) { (frame) throws(SyncError) in
      let events = try Self.events(of: frame, in: replica)
      try visit(replica, frame, events)
      count += isForked ? UInt64(events.count) : Self.newCount(in: events, for: places.first)
    }
    if count > 0 { sent[replica, default: 0] += count }
  }

  /// How many events of a frame are new to the other; of a log with branches that is not known.
  private static func newCount(in events: ClosedRange<UInt64>, for place: Place?) -> UInt64 {
    guard let held = place?.sequence, held < events.upperBound else { return UInt64(events.count) }
    return events.upperBound - max(events.lowerBound - 1, held)
  }

  private static func events(
    of frame: [UInt8], in replica: UniqueID
  ) throws(SyncError) -> ClosedRange<UInt64> {
    // Our own files may have been damaged since they were opened.
    guard let label = FrameLabel(frame.span, at: 0) else {
      throw .journal(.refused(replica, .envelope))
    }
    return label.events
  }
}
