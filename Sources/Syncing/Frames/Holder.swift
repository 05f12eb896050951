package import Bytes
package import Journaling

/// Someone who has a book's logs, and takes more of them.
///
/// A book is one; so are the small ones of the tests. A holder serves one sync at a time.
package protocol Holder: AnyObject {
  /// What it says of itself, up to date: of each log a place for every event it leads to.
  var hello: Hello { get }

  /// Events of its own where another tells of others.
  ///
  /// For each place that has another event than is held at its sequence: what is held there, and at
  /// doubling distances before it, so that the other finds where the two part.
  func landmarks(for other: Frontier) throws(SyncError) -> [Place]

  /// Whether it holds an event, whatever is lost before that.
  func holdsEvent(at place: Place) throws(SyncError) -> Bool

  /// The last event of each branch of a replica's log, also of those that go on behind what is lost, where no place
  /// tells it.
  func ends(of replica: UniqueID) throws(SyncError) -> [Place]

  /// The frames of a replica's log, of all its branches, that another lacks.
  ///
  /// The other holds what leads to those of the places that are held here too; of the rest nothing
  /// is known. Each branch comes in order, its frames one behind the other, and ends in a head. The
  /// first frame may begin with events that are not lacked, where they cannot be cut away. Where
  /// events are lost, what can be read behind them follows, or nothing.
  func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream

  /// Makes sure that the other side of the sync may still take part, before something is stored or sent.
  ///
  /// - Throws: ``SyncError/unwelcome(_:)`` when it may not any more.
  func checkPeer() throws(SyncError)

  /// Hears what another holds before the first frame of it comes.
  func hear(of other: Frontier)

  /// Hears of which logs events are lost that come before the frames which come next.
  func hear(ofLossesIn replicas: Set<UniqueID>)

  /// Keeps a frame in mind, and checks what can be checked at once.
  ///
  /// Events that are held already, and those of a frame staged before, are passed over. When it
  /// throws, what was staged of the log may be forgotten.
  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError)

  /// Puts on the disk what was staged, as far as heads prove it, and tells what is held then.
  ///
  /// The rest is forgotten. When it throws, what was staged of the log at fault is forgotten, and a
  /// second call goes on with the others.
  func commit() throws(JournalError) -> Frontier

  /// How many bytes a frame holds when it is unpacked, as it says itself.
  func contentCount(of frame: [UInt8]) -> Int

  /// Where a frame stands in the chain of its log, or nil for one that is none.
  func span(of frame: [UInt8]) -> FrameSpan?

  /// Whether the head that a frame ends in is the replica's, as far as its key is known.
  func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool

  /// Whether bodies of a replica's log have been erased, so that frames elsewhere may hold them.
  func hasErased(from replica: UniqueID) -> Bool

  /// What the erasures known here say of a frame of a replica's log.
  func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict

  /// Whether a frame of a replica's log has lost bodies, by no erasure that is known, that are not lost here.
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
    // It stands at the end. Who lies about it is found out when it is unpacked.
    frame.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  package func span(of frame: [UInt8]) -> FrameSpan? { FrameSpan(of: frame) }

  package func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool { true }

  package func hasErased(from replica: UniqueID) -> Bool { false }

  package func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict { .clean }

  package func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool { false }

  /// Gives the frames of a replica's log, of all its branches, that another lacks.
  package func forEachFrame(
    of replica: UniqueID, lackedBy places: [Place],
    _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError) {
    let frames = try frames(of: replica, lackedBy: places)
    while let frame = try frames.next() { try visit(frame) }
  }

  /// What it holds of what another tells, beyond what it has told itself.
  ///
  /// Of each place the other told, it tells that it holds it, or what it holds there instead. What does not fit, or
  /// would take too long to look up, comes once more, and does no harm.
  func answer(
    to other: Frontier, beyond own: Frontier, room: Int
  ) throws(SyncError) -> (places: Frontier, holdsAll: Bool) {
    var answers: [Place] = []
    var holdsAll = true
    var last: UniqueID?
    var furtherLooks = 0
    for place in other.places where !own.tells(of: place) {
      // A look reads from the disk. One at each log is what any peer needs.
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
  /// How far one who has told these places holds a replica's log; nil where branches leave that open.
  package func reach(
    of replica: UniqueID, by places: [Place]
  ) throws(SyncError) -> UInt64? {
    let own = hello.frontier
    guard own.places(of: replica).count <= 1 else { return nil }
    guard places.count > 1 else { return places.first?.sequence ?? 0 }
    // On one path the last of them leads over the others.
    for place in Frontier(places).places.reversed() where try holds(place, by: own) {
      return place.sequence
    }
    return nil
  }

  /// Whether it holds what leads to a place, given what it last said that it holds.
  func holds(_ place: Place, by frontier: Frontier) throws(SyncError) -> Bool {
    if frontier.tells(of: place) { return true }
    guard place.sequence <= frontier.sequence(of: place.log) else { return false }
    return try landmarks(for: Frontier([place])).isEmpty
  }
}

/// Frames one behind the other, made as they are asked for.
package struct FrameStream {
  private let make: () throws(SyncError) -> [UInt8]?

  package init(_ make: @escaping () throws(SyncError) -> [UInt8]?) { self.make = make }

  /// The next frame, or nil at the end.
  package func next() throws(SyncError) -> [UInt8]? { try make() }
}

extension JournalError {
  /// Whether it concerns one log only, and is no sign of a forger.
  ///
  /// The log stays as it is from there on; the others go on.
  package var isConfined: Bool {
    switch self {
    case .gap, .tooManyBranches, .overQuota, .asideFull, .damaged, .unproved: true
    case .refused(_, .foreign): true
    default: false
    }
  }

  /// The replica whose log takes nothing more of a sync, whatever follows.
  var stoppedLog: UniqueID? {
    switch self {
    case .tooManyBranches(let replica), .overQuota(let replica): replica
    default: nil
    }
  }
}
