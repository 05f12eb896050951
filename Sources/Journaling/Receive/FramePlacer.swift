import Bytes
import Platform

/// Says where a frame belongs: by the chain hashes alone, whatever the sender believes.
struct FramePlacer {
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser
  let lossKeeper: LossKeeper

  /// Places a frame that goes on where a strand or what is staged ends; nil where it goes on nowhere.
  func placeAtEnd(
    _ frame: Frame, of replica: UniqueID, _ staged: StagedFrames
  ) -> FramePlacement? {
    if let strand = strandEnding(before: frame, of: replica, staged.receptions) {
      return behindEnd(of: strand)
    }
    return fillersEnding(before: frame, of: replica, staged.fillers).map { .fills($0) }
  }

  /// Places a frame among the events that are stored.
  func place(_ frame: Frame, of replica: UniqueID) throws(JournalError) -> FramePlacement {
    guard let (strand, shared, unread) = try lastShared(frame, of: replica) else {
      let isNew = frame.firstSequence == 1 && index.states[replica] == nil
      return isNew ? .follows(replica) : .gap(index.states[replica]?.end.sequence ?? 0)
    }
    if let unread { try noteLoss(in: strand, at: unread) }
    guard let state = index.states[strand] else { preconditionFailure("what is shared is held") }
    let next = frame.firstSequence + UInt64(shared + 1)
    if next > frame.lastSequence {
      return try strandToFill(with: frame, upTo: frame.lastSequence, in: strand).map { .fills($0) }
        ?? .held
    }
    if state.losses.events.contains(where: { $0.contains(next) }) { return .fills(strand) }
    if next == state.end.sequence + 1 { return behindEnd(of: strand) }
    // Logs part between commands.
    let start = frame.events[...(shared + 1)].lastIndex { $0.isCommandStart } ?? 0
    if let branch = try branchWithoutStart(frame, from: start) { return .fills(branch) }
    return .forks(strand, from: start)
  }

  /// The strand, of one that holds an event of a frame and those it follows, that lacks something the frame brings up
  /// to there.
  func strandToFill(
    with frame: Frame, upTo last: UInt64, in strand: UniqueID
  ) throws(JournalError) -> UniqueID? {
    var (next, last): (UniqueID?, UInt64) = (strand, last)
    while let strand = next, let state = index.states[strand], frame.firstSequence <= last {
      let events = frame.events.filter { state.first <= $0.sequence && $0.sequence <= last }
      let isLacked = events.contains { event in
        state.losses.events.contains { $0.contains(event.sequence) }
          || state.losses.bodies.contains { $0.contains(event.sequence) }
            && !eraser.lacksBody(event, in: frame)
      }
      if isLacked { return strand }
      last = state.first - 1
      next = try finder.trunk(of: strand)
    }
    return nil
  }

  /// Takes down that a strand cannot be read at one of its events, unless that is known.
  ///
  /// Files that are named after their events are not read until they are asked for.
  private func noteLoss(
    in strand: UniqueID, at sequence: UInt64
  ) throws(JournalError) {
    guard let state = index.states[strand],
      !state.losses.events.contains(where: { $0.contains(sequence) })
    else { return }
    var reader = try finder.reader(ofStrand: strand, from: sequence)
    let read = try onDisk { () throws(DiskError) in try reader.read() }
    let held = read?.frame.firstSequence ?? state.end.sequence + 1
    guard held > sequence else { return }
    try lossKeeper.setHoles([strand: state.losses.events + [sequence...held - 1]])
  }

  /// The branch that begins at one of a frame's events, where the strand that holds it has lost its beginning.
  private func branchWithoutStart(
    _ frame: Frame, from start: Int
  ) throws(JournalError) -> UniqueID? {
    let first = frame.events[start]
    let strand = UniqueID.branch(
      firstCommandHash: frame.events[start + Int(first.more)].hash)
    guard index.states[strand] != nil else { return nil }
    var reader = try finder.reader(ofStrand: strand, from: 1)
    let held = try onDisk { () throws(DiskError) in try reader.read() }
    guard let held = held?.frame.firstSequence else {
      // All is lost, of some files even the names.
      guard let lost = index.states[strand]?.ending.lost, lost.lowerBound >= first.sequence else {
        return nil
      }
      if lost.lowerBound > first.sequence { forgetStart(of: strand, for: first.sequence) }
      index.states[strand]?.ending = .lost(first.sequence...lost.upperBound)
      return strand
    }
    guard held > first.sequence else { return nil }
    forgetStart(of: strand, for: first.sequence)
    index.states[strand]?.losses.add(events: [first.sequence...held - 1])
    return strand
  }

  /// Has a strand begin at an event that is lost: what it follows shows when that comes back.
  private func forgetStart(of strand: UniqueID, for first: UInt64) {
    index.states[strand]?.first = first
    index.states[strand]?.before = nil
    index.states[strand]?.trunk = nil
    index.states[strand]?.isRemains = false
  }

  /// What is lost at a strand's end is put into the place of the damaged file, as any hole is.
  private func behindEnd(of strand: UniqueID) -> FramePlacement {
    index.states[strand]?.ending.lost == nil ? .follows(strand) : .fills(strand)
  }

  /// The strand, as far as it is staged, that ends right before a frame.
  private func strandEnding(
    before frame: Frame, of replica: UniqueID, _ receptions: [UniqueID: Reception]
  ) -> UniqueID? {
    let (sequence, hash) = (frame.firstSequence - 1, frame.information.hash)
    let staged = receptions.filter { $0.value.replica == replica }
    let found = staged.first { $0.value.end.sequence == sequence && $0.value.end.hash == hash }
    if let found { return found.key }
    return index.states.first { strand, state in
      // A branch of which nothing can be read ends nowhere.
      state.replica == replica && staged[strand] == nil && state.first <= sequence + 1
        && state.end.sequence == sequence && state.end.hash == hash
    }?.key
  }

  /// The strand one of whose holes is filled up to right before a frame.
  private func fillersEnding(
    before frame: Frame, of replica: UniqueID, _ fillers: [UniqueID: [Filler]]
  ) -> UniqueID? {
    fillers.first { strand, staged in
      guard let state = index.states[strand], state.replica == replica,
        let last = staged.last?.frame.events.last
      else { return false }
      let isOpen =
        state.ending.lost.map { $0.lowerBound <= frame.firstSequence } ?? false
        || state.losses.events.contains { $0.contains(frame.firstSequence) }
      return isOpen && last.sequence == frame.firstSequence - 1
        && last.hash == frame.information.hash
    }?.key
  }

  /// The last event of a frame that is held, by its place in the frame, the strand that holds it, and the first of
  /// the frame's events that should be there, too, and cannot be read.
  ///
  /// The place is -1 for the event before the frame.
  private func lastShared(
    _ frame: Frame, of replica: UniqueID
  ) throws(JournalError) -> (strand: UniqueID, place: Int, unread: UInt64?)? {
    var best: (strand: UniqueID, place: Int, unread: UInt64?)?
    for strand in index.strands(of: replica) {
      // What is lost before remains is none of their own yet.
      if let state = index.states[strand], state.isRemains, frame.firstSequence < state.first {
        continue
      }
      let hashes = try finder.hashes(of: strand, in: frame.firstSequence - 1...frame.lastSequence)
      // What it holds behind other events than the frame's only lies there, and follows what is lost.
      let alike = frame.events.prefix { hashes[$0.sequence, default: $0.hash] == $0.hash }
      let last = alike.lastIndex { hashes[$0.sequence] == $0.hash }
      let isBefore = hashes[frame.firstSequence - 1] == frame.information.hash
      guard let place = last ?? (isBefore ? -1 : nil) else { continue }
      guard best.map({ place > $0.place }) ?? true, let own = index.states[strand]?.events else {
        continue
      }
      let unread = frame.events.first { own.contains($0.sequence) && hashes[$0.sequence] == nil }
      best = (strand, place, unread?.sequence)
    }
    return best
  }
}
