package import Bytes
internal import Journaling

/// Reads the frames that a peer lacks, one at a time.
package struct Export {
  /// A frame to send.
  package struct Parcel: Hashable, Sendable {
    package let log: UniqueID
    package let frame: [UInt8]
    package let events: ClosedRange<UInt64>
  }

  /// The frames of one replica to send.
  private struct Stretch {
    let replica: UniqueID
    let frames: FrameStream
    /// The last event of the log that the peer holds, if the log has only one branch.
    let held: UInt64?
    /// The last event that was sent.
    var reached: UInt64 = 0
  }

  private let holder: any Holder
  /// The number of sent events, by replica.
  package private(set) var sent: [UniqueID: UInt64] = [:]
  /// The frontiers of this side and of the peer when the export began.
  private var own = Frontier.nothing
  private var other = Frontier.nothing
  private var waiting: ArraySlice<UniqueID> = []
  private var current: Stretch?
  /// The places that the peer will have once it has stored all sent events.
  package private(set) var delivered = Frontier.nothing

  package init(_ holder: any Holder) { self.holder = holder }

  /// Begins to send the events that a peer lacks, replica by replica.
  package mutating func begin(for other: Frontier) {
    own = holder.hello.frontier
    self.other = other
    // For most logs, both sides have the same places.
    waiting =
      own.replicas.filter { replica in
        let theirs = other.places(of: replica)
        return own.places(of: replica).contains { !theirs.contains($0) }
      }[...]
    (current, delivered) = (nil, .nothing)
  }

  /// The next frame that the peer lacks, or nil at the end.
  package mutating func next() throws(SyncError) -> Parcel? {
    while true {
      if current != nil, let parcel = try nextOfCurrent() { return parcel }
      guard let replica = waiting.popFirst() else { return nil }
      current = try begin(replica, lackedBy: Array(other.places(of: replica)))
    }
  }

  /// Calls a closure with each frame that a peer lacks.
  package mutating func run(
    for other: Frontier,
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    begin(for: other)
    while let parcel = try next() { try visit(parcel.log, parcel.frame, parcel.events) }
  }

  /// Calls a closure with each frame of a replica that a peer lacks.
  mutating func run(
    _ replica: UniqueID, lackedBy places: [Place],
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    own = holder.hello.frontier
    current = try begin(replica, lackedBy: places)
    while let parcel = try nextOfCurrent() {
      try visit(parcel.log, parcel.frame, parcel.events)
    }
  }

  private func begin(
    _ replica: UniqueID, lackedBy told: [Place]
  ) throws(SyncError) -> Stretch {
    // Each place is looked up on disk, so only the last places are used. As a result, some frames may be sent
    // unnecessarily.
    let places = Array(told.suffix(Portion.looks))
    return Stretch(
      replica: replica, frames: try holder.frames(of: replica, lackedBy: places),
      held: try holder.reach(of: replica, by: places))
  }

  private mutating func nextOfCurrent() throws(SyncError) -> Parcel? {
    guard var stretch = current else { return nil }
    guard let frame = try stretch.frames.next() else {
      // Events that no head proves have not been sent, but can be sent later.
      let places = own.places(of: stretch.replica)
      if let last = places.last?.sequence, stretch.reached >= last {
        delivered = delivered.union(Frontier(Array(places)))
      }
      current = nil
      return nil
    }
    let events = try Self.events(of: frame, in: stretch.replica)
    stretch.reached = max(stretch.reached, events.upperBound)
    let count = Self.newCount(in: events, behind: stretch.held)
    if count > 0 { sent[stretch.replica, default: 0] += count }
    current = stretch
    return Parcel(log: stretch.replica, frame: frame, events: events)
  }

  /// The number of a frame's events that are new to the peer.
  ///
  /// If the log has branches, all events of the frame are counted.
  private static func newCount(in events: ClosedRange<UInt64>, behind held: UInt64?) -> UInt64 {
    guard let held, held < events.upperBound else { return UInt64(events.count) }
    return events.upperBound - max(events.lowerBound - 1, held)
  }

  private static func events(
    of frame: [UInt8], in replica: UniqueID
  ) throws(SyncError) -> ClosedRange<UInt64> {
    // The logs of this device may have been damaged since they were opened.
    guard let label = FrameLabel(frame.span, at: 0) else {
      throw .journal(.refused(replica, .envelope))
    }
    return label.events
  }
}
