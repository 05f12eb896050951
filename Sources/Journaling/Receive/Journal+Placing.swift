import Bytes
import Platform

/// Where a frame belongs that somebody sent.
enum Spot: Hashable, Sendable {
  /// All of its events are held.
  case held
  /// It goes on where a strand ends.
  case follows(UniqueID)
  /// Its events from a place on are others than those that a strand has behind the same one.
  case leaves(UniqueID, from: Int)
  /// It holds events that a strand has lost.
  case fills(UniqueID)
  /// Nothing is held that it could follow; so far the log is.
  case beyond(UInt64)
}

/// The tree of a replica's events tells where a frame belongs: by the chain hashes alone, whatever the sender
/// believes.
extension Journal {
  mutating func place(_ frame: Frame, of replica: UniqueID) throws(JournalError) -> Spot {
    if let strand = strandEnding(before: frame, of: replica) { return behindEnd(of: strand) }
    if let strand = fillersEnding(before: frame, of: replica) { return .fills(strand) }
    // What is staged is looked at like the rest.
    for (strand, reception) in receptions.sorted(by: { $0.key < $1.key })
    where reception.replica == replica {
      try store(strand)
    }
    guard let (strand, shared, unread) = try lastShared(frame, of: replica) else {
      let isNew = frame.firstSequence == 1 && states[replica] == nil
      return isNew ? .follows(replica) : .beyond(states[replica]?.end.sequence ?? 0)
    }
    if let unread { try noteLoss(in: strand, at: unread) }
    guard let state = states[strand] else { preconditionFailure("what is shared is held") }
    let next = frame.firstSequence + UInt64(shared + 1)
    if next > frame.lastSequence {
      return try strandToFill(with: frame, upTo: frame.lastSequence, in: strand).map { .fills($0) }
        ?? .held
    }
    if state.losses.events.contains(where: { $0.contains(next) }) { return .fills(strand) }
    if next == state.end.sequence + 1 { return behindEnd(of: strand) }
    // Logs part between commands.
    let index = frame.events[...(shared + 1)].lastIndex { $0.isCommandStart } ?? 0
    if let branch = try branchWithoutStart(frame, from: index) { return .fills(branch) }
    return .leaves(strand, from: index)
  }

  /// The strand, of one that holds an event of a frame and those it follows, that lacks something the frame brings up
  /// to there.
  func strandToFill(
    with frame: Frame, upTo last: UInt64, in strand: UniqueID
  ) throws(JournalError) -> UniqueID? {
    var (next, last): (UniqueID?, UInt64) = (strand, last)
    while let strand = next, let state = states[strand], frame.firstSequence <= last {
      let events = frame.events.filter { state.first <= $0.sequence && $0.sequence <= last }
      let isLacked = events.contains { event in
        state.losses.events.contains { $0.contains(event.sequence) }
          || state.losses.bodies.contains { $0.contains(event.sequence) }
            && !lacksBody(event, in: frame)
      }
      if isLacked { return strand }
      last = state.first - 1
      next = try trunk(of: strand)
    }
    return nil
  }

  /// Takes down that a strand cannot be read at one of its events, unless that is known.
  ///
  /// Files that are named after their events are not read until they are asked for.
  private mutating func noteLoss(
    in strand: UniqueID, at sequence: UInt64
  ) throws(JournalError) {
    guard let state = states[strand],
      !state.losses.events.contains(where: { $0.contains(sequence) })
    else { return }
    var reader = try strandReader(of: strand, from: sequence)
    let read = try onDisk { () throws(DiskError) in try reader.read() }
    let held = read?.frame.firstSequence ?? state.end.sequence + 1
    guard held > sequence else { return }
    try setHoles([strand: state.losses.events + [sequence...held - 1]])
  }

  /// Whether an event came without its body though no `erase` that counts is said to have taken it.
  func lacksBody(_ event: EventRecord, in frame: Frame) -> Bool {
    frame.strippedBody(of: event).map { !standing.contains($0.erase.mark) } ?? event.isStripped
  }

  /// The branch that begins at one of a frame's events, where the strand that holds it has lost its beginning.
  private mutating func branchWithoutStart(
    _ frame: Frame, from index: Int
  ) throws(JournalError) -> UniqueID? {
    let first = frame.events[index]
    let strand = UniqueID.branch(
      firstCommandHash: frame.events[index + Int(first.more)].hash)
    guard states[strand] != nil else { return nil }
    var reader = try strandReader(of: strand, from: 1)
    let held = try onDisk { () throws(DiskError) in try reader.read() }
    guard let held = held?.frame.firstSequence else {
      // All is lost, of some files even the names.
      guard let lost = states[strand]?.ending.lost, lost.lowerBound >= first.sequence else {
        return nil
      }
      if lost.lowerBound > first.sequence { forgetStart(of: strand, for: first.sequence) }
      states[strand]?.ending = .lost(first.sequence...lost.upperBound)
      return strand
    }
    guard held > first.sequence else { return nil }
    forgetStart(of: strand, for: first.sequence)
    states[strand]?.losses.add(events: [first.sequence...held - 1])
    return strand
  }

  /// Has a strand begin at an event that is lost: what it follows shows when that comes back.
  private mutating func forgetStart(of strand: UniqueID, for first: UInt64) {
    states[strand]?.first = first
    states[strand]?.before = nil
    states[strand]?.trunk = nil
    states[strand]?.isRemains = false
  }

  /// What is lost at a strand's end is put into the place of the damaged file, as any hole is.
  private func behindEnd(of strand: UniqueID) -> Spot {
    states[strand]?.ending.lost == nil ? .follows(strand) : .fills(strand)
  }

  /// The strand, as far as it is staged, that ends right before a frame.
  private func strandEnding(before frame: Frame, of replica: UniqueID) -> UniqueID? {
    let (sequence, hash) = (frame.firstSequence - 1, frame.information.hash)
    let staged = receptions.filter { $0.value.replica == replica }
    let found = staged.first { $0.value.end.sequence == sequence && $0.value.end.hash == hash }
    if let found { return found.key }
    return states.first { strand, state in
      // A branch of which nothing can be read ends nowhere.
      state.replica == replica && staged[strand] == nil && state.first <= sequence + 1
        && state.end.sequence == sequence && state.end.hash == hash
    }?.key
  }

  /// The strand one of whose holes is filled up to right before a frame.
  private func fillersEnding(before frame: Frame, of replica: UniqueID) -> UniqueID? {
    fillers.first { strand, staged in
      guard states[strand]?.replica == replica, let last = staged.last?.frame.events.last else {
        return false
      }
      let isOpen =
        states[strand]?.ending.lost.map { $0.lowerBound <= frame.firstSequence } ?? false
        || states[strand]?.losses.events.contains { $0.contains(frame.firstSequence) } ?? false
      return isOpen && last.sequence == frame.firstSequence - 1
        && last.hash == frame.information.hash
    }?.key
  }

  /// The last event of a frame that is held, by its place in the frame, the strand that holds it, and the first of
  /// the frame's events that should be there, too, and cannot be read.
  ///
  /// The place is -1 for the event before the frame.
  private mutating func lastShared(
    _ frame: Frame, of replica: UniqueID
  ) throws(JournalError) -> (strand: UniqueID, place: Int, unread: UInt64?)? {
    var best: (strand: UniqueID, place: Int, unread: UInt64?)?
    for strand in strands(of: replica) {
      // What is lost before remains is none of their own yet.
      if let state = states[strand], state.isRemains, frame.firstSequence < state.first { continue }
      let hashes = try hashes(of: strand, in: frame.firstSequence - 1...frame.lastSequence)
      // What it holds behind other events than the frame's only lies there, and follows what is lost.
      let alike = frame.events.prefix { hashes[$0.sequence, default: $0.hash] == $0.hash }
      let last = alike.lastIndex { hashes[$0.sequence] == $0.hash }
      let isBefore = hashes[frame.firstSequence - 1] == frame.information.hash
      guard let place = last ?? (isBefore ? -1 : nil) else { continue }
      guard best.map({ place > $0.place }) ?? true, let own = states[strand]?.events else {
        continue
      }
      let unread = frame.events.first { own.contains($0.sequence) && hashes[$0.sequence] == nil }
      best = (strand, place, unread?.sequence)
    }
    return best
  }

  /// The chain hashes of a strand's own events that can be read, of those in a range.
  private func hashes(
    of strand: UniqueID, in range: ClosedRange<UInt64>
  ) throws(JournalError) -> [UInt64: Digest] {
    guard let state = states[strand] else { return [:] }
    var hashes: [UInt64: Digest] = [:]
    if range.contains(0), strand == state.replica { hashes[0] = Chain.zero(of: strand) }
    guard range.lowerBound <= state.end.sequence, range.upperBound >= state.first else {
      return hashes
    }
    var reader = try strandReader(of: strand, from: range.lowerBound)
    do throws(DiskError) {
      while let read = try reader.read(), read.frame.firstSequence <= range.upperBound {
        // Events before and behind are as true as those in between.
        for event in read.frame.events { hashes[event.sequence] = event.hash }
      }
    } catch {
      throw .disk(error)
    }
    return hashes
  }
}
