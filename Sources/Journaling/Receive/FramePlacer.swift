import Bytes
import Platform

/// Decides where a received frame belongs, based only on chain hashes.
///
/// The placer also records the losses that it finds along the way.
struct FramePlacer {
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser
  let lossKeeper: LossKeeper

  /// Places a frame that continues a strand or a staged frame; nil if the frame continues neither.
  func placeAtEnd(
    _ frame: Frame, of replica: UniqueID, _ staged: StagedFrames
  ) -> FramePlacement? {
    if let strand = strandEnding(before: frame, of: replica, staged.receptions) {
      return behindEnd(of: strand)
    }
    return fillersEnding(before: frame, of: replica, staged.fillers).map { .fills($0) }
  }

  /// Places a frame among the stored events.
  func place(_ frame: Frame, of replica: UniqueID) throws(JournalError) -> FramePlacement {
    guard let (strand, shared, unread) = try lastShared(frame, of: replica) else {
      let isNew = frame.firstSequence == 1 && index.states[replica] == nil
      return isNew ? .follows(replica) : .gap(index.states[replica]?.end.sequence ?? 0)
    }
    if let unread { try noteLoss(in: strand, at: unread) }
    guard let state = index.states[strand] else { preconditionFailure("a shared event is held") }
    let next = frame.firstSequence + UInt64(shared + 1)
    if next > frame.lastSequence {
      let filled = try strandToFill(with: frame, upTo: frame.lastSequence, in: strand)
      if let filled { return .fills(filled) }
      let continued = try strandToContinue(with: frame, before: strand)
      return continued.map { behindEnd(of: $0) } ?? .held
    }
    if state.losses.events.contains(where: { $0.contains(next) }) { return .fills(strand) }
    if next == state.end.sequence + 1 { return behindEnd(of: strand) }
    // A fork is always between two commands.
    let start = frame.events[...(shared + 1)].lastIndex { $0.isCommandStart } ?? 0
    if let branch = try branchWithoutStart(frame, from: start) {
      let fork = frame.events[start].sequence - 1
      if try finder.end(of: strand, at: fork) != nil { return .fills(branch) }
      // Lost events of the trunk may have added logs to the table, so these events are filled first.
      return .fills(try strandToFill(with: frame, upTo: fork, in: strand) ?? branch)
    }
    return .forks(strand, from: start)
  }

  /// The strand that has lost the first event of a frame, if the frame itself shows what precedes it.
  ///
  /// The frame must contain the table of logs and end in a head. A replica with branches is excluded, because the frame
  /// could belong to any of them.
  func strandLacking(_ frame: Frame, of replica: UniqueID) -> UniqueID? {
    guard frame.start != nil, frame.head != nil, index.strands(of: replica) == [replica],
      let state = index.states[replica]
    else { return nil }
    return state.hasLost(frame.firstSequence) ? replica : nil
  }

  /// Finds a strand that has lost an event, or a body, that the given frame contains.
  ///
  /// The given strand is searched first, then the strands that it follows.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - last: The last event of the frame to consider.
  ///   - strand: A strand that holds that event.
  /// - Returns: The strand, or nil if no strand has lost any of these events.
  /// - Throws: ``JournalError`` if a file cannot be read.
  func strandToFill(
    with frame: Frame, upTo last: UInt64, in strand: UniqueID
  ) throws(JournalError) -> UniqueID? {
    var (next, last): (UniqueID?, UInt64) = (strand, last)
    while let strand = next, let state = index.states[strand], frame.firstSequence <= last {
      let events = frame.events.filter { state.first <= $0.sequence && $0.sequence <= last }
      let isLacked = events.contains { event in
        state.hasLost(event.sequence)
          || state.losses.bodies.contains { $0.contains(event.sequence) }
            && !eraser.lacksBody(event, in: frame)
      }
      if isLacked { return strand }
      last = state.first - 1
      next = try finder.trunk(of: strand)
      if next == nil { next = try trunkThatLost(last, knowing: frame, of: state.replica) }
    }
    return nil
  }

  /// The strand that has lost the event after which another strand forks from it.
  ///
  /// Stored events do not show which strand that is. A strand qualifies if it holds the event that precedes its lost
  /// events in the given frame.
  private func trunkThatLost(
    _ fork: UInt64, knowing frame: Frame, of replica: UniqueID
  ) throws(JournalError) -> UniqueID? {
    for strand in index.strands(of: replica) {
      guard let state = index.states[strand], state.first <= fork, state.hasLost(fork),
        let lost = frame.events.first(where: { state.hasLost($0.sequence) })
      else { continue }
      let hash = frame.hash(before: lost.sequence)
      if try finder.pathHash(of: strand, at: lost.sequence - 1) == hash { return strand }
    }
    return nil
  }

  /// The strand whose end is in the given frame, if the frame shows that another strand forks from it after that end.
  private func strandToContinue(
    with frame: Frame, before branch: UniqueID
  ) throws(JournalError) -> UniqueID? {
    guard let state = index.states[branch], branch != state.replica,
      try finder.trunk(of: branch) == nil
    else { return nil }
    return index.strands(of: state.replica).first { strand in
      guard let end = index.states[strand]?.end, end.sequence + 1 < state.first,
        end.sequence + 1 >= frame.firstSequence
      else { return false }
      return frame.hash(before: end.sequence + 1) == end.hash
    }
  }

  /// Records a hole at an unreadable event of a strand, unless the hole is already known.
  ///
  /// Sealed files are not read when the journal is opened, so their damage is found here.
  private func noteLoss(
    in strand: UniqueID, at sequence: UInt64
  ) throws(JournalError) {
    guard let state = index.states[strand],
      !state.losses.events.contains(where: { $0.contains(sequence) })
    else { return }
    var reader = try finder.reader(ofStrand: strand, from: sequence)
    let read = try onDisk { () throws(DiskError) in try reader.read() }
    let held = read?.firstSequence ?? state.end.sequence + 1
    guard held > sequence else { return }
    try lossKeeper.setHoles([strand: state.losses.events + [sequence...held - 1]])
  }

  /// The branch that begins at one of the given frame's events, if the strand of that branch has lost its beginning.
  private func branchWithoutStart(
    _ frame: Frame, from start: Int
  ) throws(JournalError) -> UniqueID? {
    let first = frame.events[start]
    let strand = UniqueID.branch(
      firstCommandHash: frame.events[start + Int(first.more)].hash)
    guard index.states[strand] != nil else { return nil }
    var reader = try finder.reader(ofStrand: strand, from: 1)
    let held = try onDisk { () throws(DiskError) in try reader.read() }
    guard let held = held?.firstSequence else {
      // All events of the strand are lost, and some of its files may also be lost.
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

  /// Sets the first event of a strand to a lost event.
  ///
  /// The event that the strand follows becomes known when the lost event is restored.
  private func forgetStart(of strand: UniqueID, for first: UInt64) {
    index.states[strand]?.first = first
    index.states[strand]?.before = nil
    index.states[strand]?.trunk = nil
    index.states[strand]?.isOrphaned = false
  }

  /// A loss at the end of a strand is filled like any hole, because a damaged file has to be replaced.
  private func behindEnd(of strand: UniqueID) -> FramePlacement {
    index.states[strand]?.ending.lost == nil ? .follows(strand) : .fills(strand)
  }

  /// The strand that ends directly before the given frame, including staged events.
  private func strandEnding(
    before frame: Frame, of replica: UniqueID, _ receptions: [UniqueID: Reception]
  ) -> UniqueID? {
    let (sequence, hash) = (frame.firstSequence - 1, frame.information.hash)
    let staged = receptions.filter { $0.value.replica == replica }
    let found = staged.first { $0.value.end.sequence == sequence && $0.value.end.hash == hash }
    if let found { return found.key }
    return index.states.first { strand, state in
      // A branch without any readable event has no end.
      state.replica == replica && staged[strand] == nil && state.first <= sequence + 1
        && state.end.sequence == sequence && state.end.hash == hash
    }?.key
  }

  /// The strand whose hole is filled by staged frames up to the event directly before the given frame.
  private func fillersEnding(
    before frame: Frame, of replica: UniqueID, _ fillers: [UniqueID: [Filler]]
  ) -> UniqueID? {
    fillers.first { strand, staged in
      guard let state = index.states[strand], state.replica == replica,
        let last = staged.last?.frame.events.last
      else { return false }
      return state.hasLost(frame.firstSequence) && last.sequence == frame.firstSequence - 1
        && last.hash == frame.information.hash
    }?.key
  }

  /// The last stored event of a frame: the strand that contains it, its index in the frame, and the first event of the
  /// frame that the strand should hold but cannot read.
  ///
  /// An index of -1 denotes the event before the frame.
  private func lastShared(
    _ frame: Frame, of replica: UniqueID
  ) throws(JournalError) -> (strand: UniqueID, place: Int, unread: UInt64?)? {
    var best: (strand: UniqueID, place: Int, unread: UInt64?)?
    for strand in index.strands(of: replica) {
      // The events before an orphaned strand are lost, so it is not known which strand they belong to.
      if let state = index.states[strand], state.isOrphaned, frame.firstSequence < state.first {
        continue
      }
      let hashes = try finder.hashes(of: strand, in: frame.firstSequence - 1...frame.lastSequence)
      // Events that match again after differing events follow a hole, so they do not count.
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

extension Frame {
  /// The chain hash before the given event of the frame.
  fileprivate func hash(before sequence: UInt64) -> Digest {
    let place = Int(sequence - firstSequence)
    return place == 0 ? information.hash : events[place - 1].hash
  }
}
