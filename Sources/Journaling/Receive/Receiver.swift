import Bytes
import Crypto

/// Checks frames that peers send, and stages their new events.
final class Receiver {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let placer: FramePlacer
  let stripper: ArrivalStripper
  let writer: ReceptionWriter
  let branchRepairer: BranchRepairer
  let committer: ReceptionCommitter
  private(set) var staged = StagedFrames()

  init(
    _ store: SegmentStore, _ index: LogIndex, _ finder: FrameFinder, _ placer: FramePlacer,
    _ stripper: ArrivalStripper, _ writer: ReceptionWriter, _ branchRepairer: BranchRepairer,
    _ committer: ReceptionCommitter
  ) {
    (self.store, self.index, self.finder, self.placer) = (store, index, finder, placer)
    (self.stripper, self.writer) = (stripper, writer)
    (self.branchRepairer, self.committer) = (branchRepairer, committer)
  }

  /// Checks a frame that a peer sent, and stages its new events.
  ///
  /// A frame that would add more than `branchLimit` logs by beginning a branch is refused.
  @discardableResult
  func receive(
    _ bytes: [UInt8], of replica: UniqueID, on shelf: LogShelf, acrossHoles: Bool = false,
    prefetched: Frame? = nil, branchLimit: UInt64 = .max
  ) throws(JournalError) -> FrameNews {
    guard !store.isPoisoned else { throw .poisoned }
    if staged.endsBefore == nil { staged.endsBefore = index.allEnds }
    let frame: Frame
    do throws(FrameError) {
      frame = try self.frame(bytes, prefetched)
      guard frame.length == bytes.count else { throw .trailing }
      guard frame.replica == ReplicaPrefix(of: replica) else { throw .foreign }
    } catch {
      throw .refused(replica, error)
    }
    var news = FrameNews(isNew: true)
    switch try place(frame, of: replica) {
    case .held: news.isNew = false
    case .follows(let strand):
      let events = frame.firstSequence...frame.lastSequence
      let holes = index.states[strand]?.losses.events ?? []
      // If a hole makes the end unclear, the hole has to be filled first.
      if holes.isEmpty || index.states[strand]?.ending.isSound ?? true {
        try stage(frame, bytes, in: strand, of: replica, on: shelf)
      }
      // If the peer has joined frames, a frame can contain lost events as well as new events.
      if holes.contains(where: { $0.overlaps(events) }) { try fill(strand, with: frame, bytes) }
    case .forks(let trunk, let start):
      news.branchCount = try branch(frame, bytes, off: trunk, from: start, upTo: branchLimit)
    case .fills(let strand): try fill(strand, with: frame, bytes)
    case .gap(let held) where acrossHoles:
      if let strand = placer.strandLacking(frame, of: replica) {
        try fill(strand, with: frame, bytes)
      } else {
        try stageBeyondGap(to: frame, bytes, of: replica, from: held)
      }
    case .gap(let held): throw .gap(replica, held: held, received: frame.firstSequence)
    }
    return news
  }

  /// The number of logs that a new branch adds if it begins after the given event of a strand.
  private func countOfLogs(beginningAfter fork: LogEnd, of trunk: UniqueID) -> UInt64 {
    // Before the first event, there is no log that could be divided.
    guard fork.sequence > 0, let replica = index.states[trunk]?.replica else { return 1 }
    let isForked = index.states.contains { strand, state in
      strand != trunk && state.replica == replica && state.first == fork.sequence + 1
        && state.base == fork.hash
    }
    // The other branch may not be stored yet.
    let isStaged = staged.receptions.contains { strand, reception in
      index.states[strand] == nil && reception.replica == replica
        && reception.start.sequence == fork.sequence && reception.start.hash == fork.hash
    }
    return isForked || isStaged ? 1 : 2
  }

  private func place(_ frame: Frame, of replica: UniqueID) throws(JournalError) -> FramePlacement {
    if let placement = placer.placeAtEnd(frame, of: replica, staged) { return placement }
    // Staged events that a head proves are stored first, so the search includes them.
    for (strand, reception) in staged.receptions.sorted(by: { $0.key < $1.key })
    where reception.replica == replica {
      try writer.storeProved(of: strand, in: &staged.receptions)
    }
    return try placer.place(frame, of: replica)
  }

  /// Decodes a frame that was just received; nil if the bytes are not a frame.
  func received(_ bytes: [UInt8]) -> Frame? { try? frame(bytes, nil) }

  private func frame(
    _ bytes: [UInt8], _ prefetched: Frame?
  ) throws(FrameError) -> Frame {
    var chain = Chain()
    if let known = store.frameCache.frame(in: bytes, at: 0) { return known }
    let frame =
      if let prefetched { prefetched } else { try Frame.decode(bytes.span, at: 0, &chain) }
    store.frameCache.keep(frame, of: bytes)
    return frame
  }

  private func stage(
    _ frame: Frame, _ bytes: [UInt8], in strand: UniqueID, of replica: UniqueID, on shelf: LogShelf
  ) throws(JournalError) {
    var chain = Chain()
    guard index.states[strand]?.ending.isSound ?? true else { throw .damaged(strand) }
    // If the first event of the log is lost, this frame provides the key.
    if frame.firstSequence == 1, index.states[replica] != nil {
      index.states[replica]?.publicKey = try frame.openingKey(of: replica)
    }
    var reception: Reception
    if let known = staged.receptions.removeValue(forKey: strand) {
      reception = known
    } else {
      reception = try begin(strand, of: replica, on: shelf)
    }
    let arrived = try stripper.stripArriving(
      frame, bytes, of: strand, after: reception.end,
      open: reception.drafts.last?.secrets.blocks.last ?? index.states[strand]?.lastBlock)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    staged.receptions[strand] = reception
    if reception.byteCount >= Limit.segmentBytes, reception.isProved {
      try writer.storeProved(of: strand, in: &staged.receptions)
    }
  }

  /// Stages the events of the given frame, starting at the given index, as a new branch.
  ///
  /// - Returns: The number of logs that the branch adds, which is at most `limit`.
  private func branch(
    _ frame: Frame, _ bytes: [UInt8], off trunk: UniqueID, from start: Int, upTo limit: UInt64
  ) throws(JournalError) -> UInt64 {
    var chain = Chain()
    guard let state = index.states[trunk] else { preconditionFailure("the trunk is held") }
    let first = frame.events[start]
    // A fork follows a whole command, so the trunk's event at this sequence also begins a command.
    if let held = try finder.record(of: trunk, at: first.sequence), !held.isCommandStart {
      throw .unjoined(state.replica, sequence: first.sequence)
    }
    let last = frame.events[start + Int(first.more)]
    let strand = UniqueID.branch(firstCommandHash: last.hash)
    // The folder of the branch may contain frames that a misdirected write left there.
    if index.states[strand] != nil {
      guard try branchRepairer.setAsideMisdirected(in: strand) else { throw .damaged(trunk) }
    }
    // A staged branch with that name is not proved; otherwise it would have been stored.
    guard staged.receptions.removeValue(forKey: strand) == nil else {
      throw .unproved(state.replica, sequence: first.sequence)
    }
    guard let before = try finder.end(of: trunk, at: first.sequence - 1) else {
      // Lost events may have added logs to the table. If the frame contains some of the lost events, these are filled
      // first.
      let lacking = try placer.strandToFill(with: frame, upTo: first.sequence - 1, in: trunk)
      guard let lacking else { throw .damaged(trunk) }
      try fill(lacking, with: frame, bytes)
      return 0
    }
    let key = first.sequence == 1 ? nil : try finder.publicKey(of: state.replica)
    // Staged branches are counted as well, because otherwise a peer could stage any number of them.
    let unproved = staged.receptions.filter { $0.value.replica == state.replica }.keys
    guard Set(index.strands(of: state.replica)).union(unproved).count < Limit.strands else {
      throw .tooManyBranches(state.replica)
    }
    let added = countOfLogs(beginningAfter: before, of: trunk)
    guard added <= limit else { throw .overQuota(state.replica) }
    var reception = Reception(of: state.replica, on: state.shelf, after: before, publicKey: key)
    let fork = Fork(trunk: index.log(in: trunk, at: before.sequence), lastShared: before.sequence)
    let block = try finder.frame(of: trunk, at: before.sequence)?.secrets(at: before.sequence)
    let arrived = try stripper.stripArriving(
      frame, bytes, of: strand, leaving: fork, after: before, open: block)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    staged.receptions[strand] = reception
    return added
  }

  private func begin(
    _ strand: UniqueID, of replica: UniqueID, on shelf: LogShelf
  ) throws(JournalError) -> Reception {
    guard let state = index.states[strand] else {
      let others = Set(index.ends(on: .aside).keys).union(
        staged.receptions.values.filter { $0.shelf == .aside }.map(\.replica))
      guard shelf == .logs || others.count < Limit.asideLogs else { throw .asideFull }
      return Reception(of: replica, on: shelf, after: .zero(of: replica), publicKey: nil)
    }
    precondition(!state.isRecalled, "the log was read")
    var reception = Reception(
      of: replica, on: state.shelf, after: state.end, publicKey: try finder.publicKey(of: replica))
    if let tail = state.tail, tail.excess == 0, !tail.hasSkippedBytes {
      reception.tailFirst = tail.first
    }
    return reception
  }

  /// Stages the first frame after events that the peer has also lost.
  ///
  /// The frame must contain the table of logs and end in a head, because nothing else proves which events it follows. A
  /// frame of a forked log is refused, because its branch could not be determined.
  private func stageBeyondGap(
    to frame: Frame, _ bytes: [UInt8], of replica: UniqueID, from held: UInt64
  ) throws(JournalError) {
    var chain = Chain()
    let refusal = JournalError.gap(replica, held: held, received: frame.firstSequence)
    // The staged events before the hole are stored first.
    try writer.storeProved(of: replica, in: &staged.receptions)
    staged.receptions[replica] = nil
    try writer.sealer.seal(replica, keys: nil)
    guard let state = index.states[replica], state.ending.isSound, state.tail == nil,
      index.strands(of: replica) == [replica], frame.firstSequence > state.end.sequence + 1,
      state.losses.events.count < Limit.holes, let start = frame.start, frame.head != nil
    else { throw refusal }
    let key = try finder.publicKey(of: replica)
    let arrived = try stripper.stripArriving(frame, bytes, of: replica, after: start, open: nil)
    var reception = Reception(of: replica, on: state.shelf, after: start, publicKey: key)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    reception.missing = state.end.sequence + 1...frame.firstSequence - 1
    staged.receptions[replica] = reception
  }

  /// Stages a frame that fills a hole.
  private func fill(
    _ strand: UniqueID, with frame: Frame, _ bytes: [UInt8]
  ) throws(JournalError) {
    guard let state = index.states[strand] else { preconditionFailure("the strand is held") }
    let key: PublicKey
    if frame.firstSequence == 1 {
      // The id of the replica proves the key. Later frames need the key before this frame is stored.
      key = try frame.openingKey(of: state.replica)
      index.states[state.replica]?.publicKey = key
    } else {
      key = try finder.publicKey(of: state.replica)
    }
    try frame.checkHead(of: state.replica, by: key)
    let arrived = try stripper.stripArriving(
      frame, bytes, of: strand, after: frame.start ?? state.end, open: nil)
    let filler = stripper.eraser.filler(arrived.frame, arrived.bytes)
    let others = staged.fillers[strand, default: []]
    // If a peer sends the same frame again, the frame takes no additional memory.
    if others.contains(where: { $0.brings(allOf: filler) }) { return }
    let size = others.reduce(frame.content.count) { $0 + $1.frame.content.count }
    guard size <= Limit.fileBytes else { throw .unproved(strand, sequence: frame.firstSequence) }
    staged.fillers[strand, default: []].append(filler)
  }

  /// Whether a staged frame may fill a hole.
  var isHealing: Bool { !staged.fillers.isEmpty }

  /// Decodes a frame before it is received, if the frame cache has space.
  func prefetch(_ bytes: [UInt8]) {
    guard store.frameCache.hasRoom else { return }
    var chain = Chain()
    // If the frame cannot be decoded, the error is reported when the frame is received.
    if let frame = try? Frame.decode(bytes.span, at: 0, &chain) {
      store.frameCache.keep(frame, of: bytes)
    }
  }

  /// Discards everything that is staged, and empties the frame cache.
  func forgetReceived() {
    staged = StagedFrames()
    store.frameCache = FrameCache()
  }

  /// Discards the staged events of the given strand.
  func forget(_ strand: UniqueID) { staged.receptions[strand] = nil }

  /// Stores all staged events.
  ///
  /// The events are durable when the method returns.
  func commit() throws(JournalError) -> [UniqueID] { try committer.commit(&staged) }
}
