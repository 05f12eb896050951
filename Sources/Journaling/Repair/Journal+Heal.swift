import Bytes
import Crypto
import Platform

/// Lost events come back from whoever holds them: accepted where the chain joins on both sides, or a head ends
/// what came.
extension Journal {
  /// Stages a frame for a hole.
  mutating func fill(
    _ strand: UniqueID, with frame: Frame, _ bytes: [UInt8]
  ) throws(JournalError) {
    guard let state = states[strand] else { preconditionFailure("a hole is in what is held") }
    let key: PublicKey
    if frame.firstSequence == 1 {
      // The replica's id vouches for the key; the frames behind need it before this one is stored.
      key = try frame.openingKey(of: state.replica)
      states[state.replica]?.publicKey = key
    } else {
      key = try publicKey(of: state.replica)
    }
    try frame.checkHead(of: state.replica, by: key)
    let arrived = try stripArriving(frame, bytes, of: strand, after: state.end, open: nil)
    let filler = filler(arrived.frame, arrived.bytes)
    let staged = fillers[strand, default: []]
    // Whoever sends the same once more takes no more memory.
    if staged.contains(where: { $0.brings(allOf: filler) }) { return }
    let size = staged.reduce(frame.content.count) { $0 + $1.frame.content.count }
    guard size <= Limit.fileBytes else { throw .unproved(strand, sequence: frame.firstSequence) }
    fillers[strand, default: []].append(filler)
  }

  /// A frame with what it lacks.
  func filler(_ frame: Frame, _ bytes: [UInt8]) -> Filler {
    var bare: Set<UInt64> = []
    for event in frame.events where lacksBody(event, in: frame) { bare.insert(event.sequence) }
    return Filler(frame: frame, bytes: bytes, bare: bare)
  }

  /// Writes the files of a strand anew that lost events, with what came for them.
  ///
  /// - Returns: Whether anything came back.
  mutating func heal(_ strand: UniqueID, with fillers: [Filler]) throws(JournalError) -> Bool {
    guard let state = states[strand] else { return false }
    var healed = false
    for loss in try losses(of: strand, state, fillers) {
      let fitting = fillers.filter { loss.events.overlaps($0.events) }
      guard !fitting.isEmpty, let mending = try mending(loss, of: strand, with: fitting) else {
        continue
      }
      try carryOut(mending, on: strand)
      healed = true
      // Nothing is held behind it any more.
      if mending.remains != nil { break }
    }
    guard healed else { return false }
    try reread(strand)
    return true
  }

  /// Reads a strand whose files were written anew; what is known to be lost of it stays so.
  mutating func reread(_ strand: UniqueID) throws(JournalError) {
    guard let state = states.removeValue(forKey: strand) else { return }
    try load(strand, of: state.replica, from: state.shelf)
    // What was no part of the log may have lain behind its end.
    let events = states[strand]?.events ?? state.events
    for hole in state.losses.events.within(events)
    where try !isHeld(hole, in: strand, upTo: events.upperBound) {
      states[strand]?.losses.add(events: [hole])
    }
    states[strand]?.losses.add(bodies: state.losses.bodies)
  }

  /// What a strand has lost, in the pieces in which it is mended.
  private func losses(
    of strand: UniqueID, _ state: LogState, _ fillers: [Filler]
  ) throws(JournalError) -> [Loss] {
    let bodiless = try state.losses.bodies.map { range throws(JournalError) in
      try commands(of: strand, around: range)
    }
    let holes = try healedTogether(state.losses.events, of: strand, state)
    let inside = holes + [ClosedRange<UInt64>](joining: bodiless)
    var losses = inside.map { Loss(events: $0, isEnd: false) }
    if let lost = state.ending.lost {
      let last = fillers.map(\.frame.lastSequence).reduce(lost.upperBound, max)
      losses.append(Loss(events: lost.lowerBound...last, isEnd: true))
    }
    return losses
  }

  /// Does what a plan says; after a crash in between, the old files or the new ones count, or both.
  mutating func carryOut(
    _ mending: Mending, on strand: UniqueID
  ) throws(JournalError) {
    guard let state = states[strand] else { return }
    let (disk, folder) = (disk, strandFolder(strand, state))
    // A new file's name may cover what stays lost, which the names of the old ones told.
    if mending.leavesHole { try saveHoles() }
    try setAside(mending.damaged, of: strand, in: folder)
    if let remains = mending.remains { try keep(remains, of: state) }
    for file in mending.written {
      try writing { () throws(DiskError) in
        try disk.replace(folder.path(of: file.name), with: file.bytes)
      }
    }
    try remove(mending.replaced.map(folder.path(of:)), from: folder)
    states[strand]?.losses.remove(mending.filled)
    states[strand]?.losses.add(bodies: mending.bare)
  }

  /// Writes what is left of a branch into a folder of its own, before it goes from where it was.
  private mutating func keep(
    _ remains: Mending.Remains, of state: LogState
  ) throws(JournalError) {
    let (disk, folder) = (disk, strandFolder(remains.strand, of: state.replica, state.shelf))
    try writing { () throws(DiskError) in
      try disk.makeDirectories(folder.path)
      for file in remains.files { try disk.replace(folder.path(of: file.name), with: file.bytes) }
    }
    try load(remains.strand, of: state.replica, from: state.shelf)
    try settleNames(of: [remains.strand])
  }

  /// Holes as they are filled: those of a tail as one, since few of the frames between them end in a head or tell
  /// the table.
  private func healedTogether(
    _ holes: [ClosedRange<UInt64>], of strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> [ClosedRange<UInt64>] {
    guard holes.count > 1 else { return holes }
    let folder = strandFolder(strand, state)
    let names = try onDisk { () throws(DiskError) in try folder.segments() }
    var joined: [ClosedRange<UInt64>] = []
    for hole in holes {
      if let last = joined.last, let file = names.last(where: { $0.first <= last.upperBound }),
        file.isTail, file == names.last(where: { $0.first <= hole.lowerBound })
      {
        joined[joined.count - 1] = last.lowerBound...hole.upperBound
      } else {
        joined.append(hole)
      }
    }
    return joined
  }

  /// The whole commands that events of a range belong to.
  private func commands(
    of strand: UniqueID, around range: ClosedRange<UInt64>
  ) throws(JournalError) -> ClosedRange<UInt64> {
    var (first, last) = (range.lowerBound, range.upperBound)
    let before = try frame(of: strand, at: first)?.events.last {
      $0.isCommandStart && $0.sequence <= first
    }
    if let before { first = before.sequence }
    let behind = try frame(of: strand, at: last)?.events.last {
      $0.isCommandStart && $0.sequence <= last
    }
    if let behind { last = max(last, behind.sequence + behind.more) }
    return first...last
  }
}

extension Filler {
  /// Whether it is the same frame as another one, with all the bodies of that.
  fileprivate func brings(allOf other: Filler) -> Bool {
    frame.firstSequence == other.frame.firstSequence
      && frame.events.last?.hash == other.frame.events.last?.hash
      && bare.isSubset(of: other.bare)
  }
}
