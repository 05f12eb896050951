package import Bytes
package import Journaling

/// The logs of a book, as one side of a sync uses them.
///
/// A book implements this protocol, as do the simpler stores in the tests. An instance serves one sync at a time.
package protocol Holder: AnyObject {
  /// This side's current hello, with a place for the end of each branch.
  var hello: Hello { get }

  /// Events that let the peer find where its logs diverge from those of this side.
  ///
  /// If this side has a different event at one of the peer's places, the landmarks are this side's events at the same
  /// sequence and at doubling distances before it. A place beyond this side's events adds no landmarks.
  func landmarks(for other: Frontier) throws(SyncError) -> [Place]

  /// Whether this side has an event, even if events before it are lost.
  func holdsEvent(at place: Place) throws(SyncError) -> Bool

  /// The last event of each branch of a replica, including branches that continue after a loss and have no place in the
  /// frontier.
  func ends(of replica: UniqueID) throws(SyncError) -> [Place]

  /// The given replica's frames, on all branches, that the peer lacks.
  ///
  /// If this side has the event at one of the peer's places, the peer is assumed to hold all events before it. The
  /// frames of each branch are in order, and the last one ends in a head. The first frame can begin with events that
  /// the peer already has, if these cannot be cut off. If events are lost, the readable events after them may follow or
  /// be omitted.
  func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream

  /// Checks, before events are stored or sent, that the peer may still take part.
  ///
  /// - Throws: ``SyncError/unwelcome(_:)`` if the peer may not take part.
  func checkPeer() throws(SyncError)

  /// Called with the peer's frontier before its first frame, and before events are stored at an `end`.
  func hear(of other: Frontier)

  /// Called, before the next frames, with the replicas whose frames may follow lost events.
  func hear(ofLossesIn replicas: Set<UniqueID>)

  /// Checks a frame as far as possible at once, and stages it.
  ///
  /// Events that are already stored or staged are ignored. If the method throws, the staged events of the log may be
  /// discarded.
  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError)

  /// Stores the staged events that heads prove.
  ///
  /// Other staged events are discarded. If the method throws, the staged events of the log with the error are
  /// discarded, and a second call continues with the other logs.
  ///
  /// - Returns: The frontier after the events have been stored.
  func commit() throws(JournalError) -> Frontier

  /// The decompressed size of a frame in bytes, as stated in the frame.
  func contentCount(of frame: [UInt8]) -> Int

  /// The given frame's position in the hash chain of its log, or nil if the bytes are not a frame.
  func span(of frame: [UInt8]) -> FrameSpan?

  /// Whether the given frame ends in a head that the replica signed.
  ///
  /// If the replica's key is not known, any head is accepted.
  func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool

  /// Whether bodies of the given replica have been erased, so that frames elsewhere may still contain them.
  func hasErased(from replica: UniqueID) -> Bool

  /// The effect of the known erasures on the given frame.
  func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict

  /// Whether the given frame lacks bodies that are stored here and that no known erasure removed.
  func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool

  /// Identifies everything on which ``verdict(on:of:)``, for frames whose events are held, and
  /// ``hasBodiesBeyond(_:of:)`` depend.
  ///
  /// While the state is the same, the results are the same and can be remembered; nil if they must not be remembered.
  func erasureState(of replica: UniqueID) -> UniqueID?
}

extension Holder {
  package func holdsEvent(at place: Place) throws(SyncError) -> Bool {
    try holds(place, by: hello.frontier)
  }

  package func ends(of replica: UniqueID) -> [Place] {
    // By default, nothing is lost.
    Array(hello.frontier.places(of: replica))
  }

  package func hear(of other: Frontier) {}

  package func hear(ofLossesIn replicas: Set<UniqueID>) {}

  package func checkPeer() throws(SyncError) {}

  package func contentCount(of frame: [UInt8]) -> Int {
    // The size is stored at the end of the frame. A wrong size is detected when the frame is decompressed.
    frame.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  package func span(of frame: [UInt8]) -> FrameSpan? { FrameSpan(of: frame) }

  package func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool { true }

  package func hasErased(from replica: UniqueID) -> Bool { false }

  package func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict { .clean }

  package func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool { false }

  package func erasureState(of replica: UniqueID) -> UniqueID? { nil }

  /// Calls a closure with each of the given replica's frames, on all branches, that the peer lacks.
  package func forEachFrame(
    of replica: UniqueID, lackedBy places: [Place],
    _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError) {
    let frames = try frames(of: replica, lackedBy: places)
    while let frame = try frames.next() { try visit(frame) }
  }

  /// The answer to the peer's places, in addition to what this side has stated.
  ///
  /// If this side has the event at one of the peer's places, the answer contains this place. Otherwise it contains the
  /// landmarks for the place. Places that do not fit into the message, or that would take too long to look up, are left
  /// out. As a result, some events may be sent again, which does no harm.
  func answer(
    to other: Frontier, beyond own: Frontier, room: Int
  ) throws(SyncError) -> (places: Frontier, holdsAll: Bool) {
    var answers: [Place] = []
    var holdsAll = true
    var last: UniqueID?
    var furtherLooks = 0
    for place in other.places where !own.tells(of: place) {
      // Each lookup reads from the disk. An honest peer needs only one lookup for each log.
      if place.log == last { furtherLooks += 1 }
      last = place.log
      guard answers.count < room, furtherLooks <= Portion.looks else {
        holdsAll = false
        break
      }
      let landmarks = try landmarks(for: Frontier([place]))
      if landmarks.isEmpty, place.sequence <= own.sequence(of: place.log) {
        answers.append(Place(log: place.log, sequence: place.sequence, hash: place.hash))
      } else {
        holdsAll = false
        answers += landmarks.filter { !own.tells(of: $0) }
      }
    }
    return (Frontier(Array(answers.prefix(room))), holdsAll)
  }
}

extension Holder {
  /// The last event of a replica's log that a peer with the given places holds; nil if this is unclear because of
  /// branches.
  package func reach(
    of replica: UniqueID, by places: [Place]
  ) throws(SyncError) -> UInt64? {
    let own = hello.frontier
    guard own.places(of: replica).count <= 1 else { return nil }
    guard places.count > 1 else { return places.first?.sequence ?? 0 }
    // If the log has only one branch, the last stored place covers the earlier places.
    for place in Frontier(places).places.reversed() where try holds(place, by: own) {
      return place.sequence
    }
    return nil
  }

  /// Whether this side has all events up to the given place, according to the frontier that it stated last.
  func holds(_ place: Place, by frontier: Frontier) throws(SyncError) -> Bool {
    if frontier.tells(of: place) { return true }
    guard place.sequence <= frontier.sequence(of: place.log) else { return false }
    return try landmarks(for: Frontier([place])).isEmpty
  }
}

/// Frames in order, each created on demand.
package struct FrameStream {
  private let make: () throws(SyncError) -> [UInt8]?

  package init(_ make: @escaping () throws(SyncError) -> [UInt8]?) { self.make = make }

  /// The next frame, or nil at the end.
  package func next() throws(SyncError) -> [UInt8]? { try make() }
}

extension JournalError {
  /// Whether the error concerns only one log and does not indicate an attack.
  ///
  /// The event with the error and the log's later events are not stored, but other logs continue. A device that has
  /// lost events may hold a frame that does not join the logs of other devices. If such a frame ended the sync, none of
  /// those devices could receive anything from that device.
  package var isConfined: Bool {
    switch self {
    case .gap, .tooManyBranches, .overQuota, .asideFull, .damaged, .unproved, .unjoined: true
    case .refused(_, .foreign): true
    default: false
    }
  }

  /// The replica whose log accepts no more events in this sync.
  var stoppedLog: UniqueID? {
    switch self {
    case .tooManyBranches(let replica), .overQuota(let replica), .unjoined(let replica, _): replica
    default: nil
    }
  }
}
