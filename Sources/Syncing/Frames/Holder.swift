package import Bytes
package import Journaling

/// The logs of a book, as one side of a sync uses them.
///
/// A book implements it, and so do the simpler stores in the tests. An instance serves one sync at a time.
package protocol Holder: AnyObject {
  /// Its hello, up to date, with a place for the end of each branch.
  var hello: Hello { get }

  /// Events that let the peer find where its logs and ours diverge.
  ///
  /// For each place of the peer where another event is held here: our events at its sequence, and at doubling
  /// distances before it. A place beyond our events adds none.
  func landmarks(for other: Frontier) throws(SyncError) -> [Place]

  /// Whether an event is held, even if events before it are lost.
  func holdsEvent(at place: Place) throws(SyncError) -> Bool

  /// The last event of each branch of a replica, also of branches that continue behind a loss, which have no place
  /// for it.
  func ends(of replica: UniqueID) throws(SyncError) -> [Place]

  /// The frames of a replica, on all branches, that the peer lacks.
  ///
  /// The peer holds what leads to those of its places that are held here. Each branch comes in order, and ends in a
  /// head. The first frame can begin with events that the peer has, if they cannot be cut away. Where events are
  /// lost, the readable events behind them follow, or none.
  func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream

  /// Makes sure that the peer may still take part, before something is stored or sent.
  ///
  /// - Throws: ``SyncError/unwelcome(_:)`` if it may not.
  func checkPeer() throws(SyncError)

  /// Called with what the peer holds: before its first frame, and before events are stored at an `end`.
  func hear(of other: Frontier)

  /// Called with the replicas that have lost events before the frames that come next.
  func hear(ofLossesIn replicas: Set<UniqueID>)

  /// Stages a frame, and checks what can be checked at once.
  ///
  /// Events that are held or staged already are ignored. When it throws, what was staged of the log may be discarded.
  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError)

  /// Stores the staged events that heads prove.
  ///
  /// The others are discarded. When it throws, what was staged of the log at fault is discarded, and a second call
  /// continues with the other logs.
  ///
  /// - Returns: What is held then.
  func commit() throws(JournalError) -> Frontier

  /// The decompressed size of a frame in bytes, as the frame claims.
  func contentCount(of frame: [UInt8]) -> Int

  /// The place of a frame in the chain of its log, or nil if the bytes are no frame.
  func span(of frame: [UInt8]) -> FrameSpan?

  /// Whether the head at the end of a frame is signed by the replica, as far as its key is known.
  func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool

  /// Whether bodies of a replica were erased, so that frames elsewhere may still have them.
  func hasErased(from replica: UniqueID) -> Bool

  /// What the erasures that are known here mean for a frame.
  func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict

  /// Whether a frame has lost bodies that are held here, although no known erasure removed them.
  func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool
}

extension Holder {
  package func holdsEvent(at place: Place) throws(SyncError) -> Bool {
    try holds(place, by: hello.frontier)
  }

  package func ends(of replica: UniqueID) -> [Place] {
    // Nothing is lost.
    Array(hello.frontier.places(of: replica))
  }

  package func hear(of other: Frontier) {}

  package func hear(ofLossesIn replicas: Set<UniqueID>) {}

  package func checkPeer() throws(SyncError) {}

  package func contentCount(of frame: [UInt8]) -> Int {
    // The size is at the end of the frame. A wrong claim is found when the frame is decompressed.
    frame.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  package func span(of frame: [UInt8]) -> FrameSpan? { FrameSpan(of: frame) }

  package func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool { true }

  package func hasErased(from replica: UniqueID) -> Bool { false }

  package func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict { .clean }

  package func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool { false }

  /// Calls a closure with each frame of a replica, on all branches, that the peer lacks.
  package func forEachFrame(
    of replica: UniqueID, lackedBy places: [Place],
    _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError) {
    let frames = try frames(of: replica, lackedBy: places)
    while let frame = try frames.next() { try visit(frame) }
  }

  /// The answer to the places of a peer, in addition to what this side has stated.
  ///
  /// For each place of the peer, it has that place if it is held, or what is held there instead. Places that do not
  /// fit, or would take too long to look up, are sent later, which does no harm.
  func answer(
    to other: Frontier, beyond own: Frontier, room: Int
  ) throws(SyncError) -> (places: Frontier, holdsAll: Bool) {
    var answers: [Place] = []
    var holdsAll = true
    var last: UniqueID?
    var furtherLooks = 0
    for place in other.places where !own.tells(of: place) {
      // A lookup reads from the disk. One in each log is enough for an honest peer.
      if place.log == last { furtherLooks += 1 }
      last = place.log
      guard answers.count < room, furtherLooks <= Limit.looks else {
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
  /// How far a peer with these places holds the log of a replica; nil if branches leave that open.
  package func reach(
    of replica: UniqueID, by places: [Place]
  ) throws(SyncError) -> UInt64? {
    let own = hello.frontier
    guard own.places(of: replica).count <= 1 else { return nil }
    guard places.count > 1 else { return places.first?.sequence ?? 0 }
    // On one branch, the last held place covers the others.
    for place in Frontier(places).places.reversed() where try holds(place, by: own) {
      return place.sequence
    }
    return nil
  }

  /// Whether all events up to a place are held, given the frontier that this side last stated.
  func holds(_ place: Place, by frontier: Frontier) throws(SyncError) -> Bool {
    if frontier.tells(of: place) { return true }
    guard place.sequence <= frontier.sequence(of: place.log) else { return false }
    return try landmarks(for: Frontier([place])).isEmpty
  }
}

/// Frames in order, each made when it is asked for.
package struct FrameStream {
  private let make: () throws(SyncError) -> [UInt8]?

  package init(_ make: @escaping () throws(SyncError) -> [UInt8]?) { self.make = make }

  /// The next frame, or nil at the end.
  package func next() throws(SyncError) -> [UInt8]? { try make() }
}

extension JournalError {
  /// Whether the error concerns one log only, and does not indicate an attack.
  ///
  /// The events at fault and those after them are not stored. The other logs continue.
  package var isConfined: Bool {
    switch self {
    case .gap, .tooManyBranches, .overQuota, .asideFull, .damaged, .unproved: true
    case .refused(_, .foreign): true
    default: false
    }
  }

  /// The replica whose log takes nothing more in this sync.
  var stoppedLog: UniqueID? {
    switch self {
    case .tooManyBranches(let replica), .overQuota(let replica): replica
    default: nil
    }
  }
}
