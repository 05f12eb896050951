package import Bytes
internal import Journaling

/// Takes from a holder what another lacks, one frame at a time.
package struct Export {
  /// A frame on its way out.
  package struct Parcel: Hashable, Sendable {
    package let log: UniqueID
    package let frame: [UInt8]
    package let events: ClosedRange<UInt64>
  }

  /// A replica's log on its way out.
  private struct Stretch {
    let replica: UniqueID
    let frames: FrameStream
    /// How far the other is known to hold the log, where it has one branch.
    let held: UInt64?
    /// The last event that has gone out.
    var reached: UInt64 = 0
  }

  private let holder: any Holder
  /// How many events of each replica have gone out.
  package private(set) var sent: [UniqueID: UInt64] = [:]
  /// What is held here, and by the other, as the export was begun.
  private var own = Frontier.nothing
  private var other = Frontier.nothing
  private var waiting: ArraySlice<UniqueID> = []
  private var current: Stretch?
  /// What the other will hold when it has taken all that went out.
  package private(set) var delivered = Frontier.nothing

  package init(_ holder: any Holder) { self.holder = holder }

  /// Begins to give what another lacks, replica after replica.
  package mutating func begin(for other: Frontier) {
    own = holder.hello.frontier
    self.other = other
    // Most logs are where the other has them.
    waiting =
      own.replicas.filter { replica in
        let theirs = other.places(of: replica)
        return own.places(of: replica).contains { !theirs.contains($0) }
      }[...]
    (current, delivered) = (nil, .nothing)
  }

  /// The next frame that the other lacks, or nil at the end.
  package mutating func next() throws(SyncError) -> Parcel? {
    while true {
      if current != nil, let parcel = try nextOfCurrent() { return parcel }
      guard let replica = waiting.popFirst() else { return nil }
      current = try begin(replica, lackedBy: Array(other.places(of: replica)))
    }
  }

  /// Gives each frame that another lacks.
  package mutating func run(
    for other: Frontier,
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    begin(for: other)
    while let parcel = try next() { try visit(parcel.log, parcel.frame, parcel.events) }
  }

  /// Gives each frame of a replica's log that another lacks.
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
    // Each is looked up; by the last ones alone no more may be sent than needs be.
    let places = Array(told.suffix(Limit.looks))
    return Stretch(
      replica: replica, frames: try holder.frames(of: replica, lackedBy: places),
      held: try holder.reach(of: replica, by: places))
  }

  private mutating func nextOfCurrent() throws(SyncError) -> Parcel? {
    guard var stretch = current else { return nil }
    guard let frame = try stretch.frames.next() else {
      // What cannot be proved has not gone out, and may another time.
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

  /// How many events of a frame are new to the other; of a log with branches that is not known.
  private static func newCount(in events: ClosedRange<UInt64>, behind held: UInt64?) -> UInt64 {
    guard let held, held < events.upperBound else { return UInt64(events.count) }
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
