package import Bytes
package import Crypto
import Platform

extension Journal {
  /// Checks a frame of a replica's log that somebody sent, and stages what is new in it.
  ///
  /// It may go on where the log ends, fill a hole in it, or be of another branch than those held. Nothing is kept
  /// for good before ``commit()``, unless more is staged than should be held in memory: then what heads prove is
  /// stored at once. A log that is held stays on its shelf. When it throws, what was staged of the log is
  /// forgotten, save before a gap. What lies behind a gap is taken only from who says that the events in it are
  /// lost: else they are still to come. What the frame holds may have been read already.
  ///
  /// - Returns: Whether it holds anything that is not held already.
  @discardableResult
  package mutating func receive(
    _ bytes: [UInt8], of replica: UniqueID, on shelf: Shelf, acrossHoles: Bool = false,
    foreseen: Frame? = nil
  ) throws(JournalError) -> Bool {
    guard !isPoisoned else { throw .poisoned }
    if endsBefore == nil { endsBefore = allEnds }
    let frame: Frame
    do throws(FrameError) {
      frame = try self.frame(bytes, foreseen)
      guard frame.length == bytes.count else { throw .trailing }
      guard frame.replica == ReplicaPrefix(of: replica) else { throw .foreign }
    } catch {
      throw .refused(replica, error)
    }
    switch try place(frame, of: replica) {
    case .held: return false
    case .follows(let strand):
      let events = frame.firstSequence...frame.lastSequence
      let holes = states[strand]?.losses.events ?? []
      // Where not all is known of the end, because something is lost before it, that has to come back first.
      if holes.isEmpty || states[strand]?.ending.isSound ?? true {
        try stage(frame, bytes, in: strand, of: replica, on: shelf)
      }
      // A frame that was joined elsewhere can hold what is lost and what is new.
      if holes.contains(where: { $0.overlaps(events) }) { try fill(strand, with: frame, bytes) }
    case .leaves(let trunk, let index): try branch(frame, bytes, off: trunk, from: index)
    case .fills(let strand): try fill(strand, with: frame, bytes)
    case .beyond(let held) where acrossHoles:
      try leap(to: frame, bytes, of: replica, from: held)
    case .beyond(let held): throw .gap(replica, held: held, received: frame.firstSequence)
    }
    return true
  }

  /// What a frame holds that was just received; nil for bytes that are none.
  package mutating func received(_ bytes: [UInt8]) -> Frame? { try? frame(bytes, nil) }

  private mutating func frame(
    _ bytes: [UInt8], _ foreseen: Frame?
  ) throws(FrameError) -> Frame {
    if let known = known.frame(in: bytes, at: 0) { return known }
    let frame = if let foreseen { foreseen } else { try Frame.decode(bytes.span, at: 0, &chain) }
    known.keep(frame, of: bytes)
    return frame
  }

  private mutating func stage(
    _ frame: Frame, _ bytes: [UInt8], in strand: UniqueID, of replica: UniqueID, on shelf: Shelf
  ) throws(JournalError) {
    guard states[strand]?.ending.isSound ?? true else { throw .damaged(strand) }
    // Where the log's own first event is lost, this one vouches for the key all the same.
    if frame.firstSequence == 1, states[replica] != nil {
      states[replica]?.publicKey = try frame.openingKey(of: replica)
    }
    var reception: Reception
    if let staged = receptions.removeValue(forKey: strand) {
      reception = staged
    } else {
      reception = try begin(strand, of: replica, on: shelf)
    }
    let arrived = try stripArriving(
      frame, bytes, of: strand, after: reception.end,
      open: reception.drafts.last?.secrets.blocks.last ?? states[strand]?.lastBlock)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    receptions[strand] = reception
    if reception.byteCount >= Limit.segmentBytes, reception.isProved { try store(strand) }
  }

  /// Begins a strand with what a frame holds from a place on.
  private mutating func branch(
    _ frame: Frame, _ bytes: [UInt8], off trunk: UniqueID, from index: Int
  ) throws(JournalError) {
    guard let state = states[trunk] else { preconditionFailure("a log is left that is held") }
    let first = frame.events[index]
    let last = frame.events[index + Int(first.more)]
    let strand = UniqueID.branch(firstCommandHash: last.hash)
    // The fork may lie before the trunk's own first event, in what the trunk itself follows.
    if states[strand] != nil {
      guard try setAsideStrangers(in: strand) else { throw .damaged(trunk) }
    }
    // What is proved would be stored.
    guard receptions.removeValue(forKey: strand) == nil else {
      throw .unproved(state.replica, sequence: first.sequence)
    }
    guard let start = try end(of: trunk, at: first.sequence - 1) else {
      // What is lost there may have added to the table. Where the frame brings some of it, that comes first.
      let lacking = try strandToFill(with: frame, upTo: first.sequence - 1, in: trunk)
      guard let lacking else { throw .damaged(trunk) }
      return try fill(lacking, with: frame, bytes)
    }
    let key = first.sequence == 1 ? nil : try publicKey(of: state.replica)
    // Those that nothing proves yet count as well, or there could be any number of them.
    let staged = receptions.filter { $0.value.replica == state.replica }.keys
    guard Set(strands(of: state.replica)).union(staged).count < Limit.strands else {
      throw .tooManyBranches(state.replica)
    }
    var reception = Reception(of: state.replica, on: state.shelf, after: start, publicKey: key)
    let fork = Fork(trunk: log(in: trunk, at: start.sequence), lastShared: start.sequence)
    let block = try self.frame(of: trunk, at: start.sequence)?.secrets(at: start.sequence)
    let arrived = try stripArriving(
      frame, bytes, of: strand, leaving: fork, after: start, open: block)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    receptions[strand] = reception
  }

  /// Stores all that is staged; when it returns, it is durable.
  ///
  /// - Returns: The logs that have grown, in order.
  /// - Throws: ``JournalError/unproved(_:sequence:)`` when some of it did not end in a head: that is
  ///   forgotten, and the rest stored all the same.
  package mutating func commit() throws(JournalError) -> [UniqueID] {
    let before = endsBefore ?? [:]
    let hasCome = !receptions.isEmpty || !fillers.isEmpty
    defer { (fillers, endsBefore) = ([:], nil) }
    var failure: JournalError?
    for strand in receptions.keys.sorted() {
      try store(strand)
      if let reception = receptions.removeValue(forKey: strand), !reception.drafts.isEmpty {
        failure = .unproved(reception.replica, sequence: reception.drafts[0].start.sequence)
      }
    }
    var healed = false
    for (strand, staged) in fillers.sorted(by: { $0.key < $1.key }) {
      if try heal(strand, with: staged) { healed = true }
    }
    if healed { try saveHoles() }
    try forgetRemains()
    if hasCome { try rootBranches() }
    try findBranches()
    if hasCome, try tellTables() { try findBranches() }
    // What filled a hole may touch a block that something was erased from.
    if healed, !erasures.isEmpty { _ = try strip(erasures, in: Set(fillers.keys)) }
    if let failure { throw failure }
    return allEnds.filter { $0.value.sequence > before[$0.key]?.sequence ?? 0 }.keys.sorted()
  }

  private var allEnds: [UniqueID: LogEnd] {
    ends(on: .logs).merging(ends(on: .aside)) { first, _ in first }
  }

  /// Whether what is staged may put back what is lost.
  package var isHealing: Bool { !fillers.isEmpty }

  /// Forgets all that is staged.
  package mutating func forgetReceived() {
    (receptions, fillers, endsBefore) = ([:], [:], nil)
    forgetFrames()
  }

  /// Moves a log that somebody has admitted to those of the book, and with a branch all that its replica wrote.
  package mutating func admit(_ log: UniqueID) throws(JournalError) {
    let log = lineage(of: log).replica
    guard let state = states[log] else { throw .unknownLog(log) }
    guard state.shelf == .aside else { return }
    let (disk, logs, aside) = (
      disk, folder / Shelf.logs.rawValue, folder / Shelf.aside.rawValue
    )
    try writing { () throws(DiskError) in
      try disk.makeDirectories(logs)
      // A crash may have left a draft there, of when the log was to be one of the book's from the beginning.
      if try disk.status(logs / log.hex) != nil {
        for name in try disk.list(logs / log.hex) where name.hasSuffix(".gz.draft") {
          try disk.remove(logs / log.hex / name)
        }
      }
      try disk.rename(aside / log.hex, to: logs / log.hex)
      try disk.flushDirectory(logs)
      try disk.flushDirectory(aside)
    }
    for strand in strands(of: log) {
      states[strand]?.shelf = .logs
      states[strand]?.isNamed = false
      try settleNames(of: [strand])
      receptions[strand] = nil
    }
  }

  /// The key that signs the heads of a replica's log.
  package mutating func publicKey(of replica: UniqueID) throws(JournalError) -> PublicKey {
    if let key = states[replica]?.publicKey { return key }
    let key = try frame(of: replica, at: 1)?.openingKey(of: replica)
    guard let key else { throw .wrongOpening(replica) }
    states[replica]?.publicKey = key
    return key
  }

  /// Whether the head that a frame ends in is the replica's; nothing is said against one whose key is not known.
  package mutating func acceptsHead(of bytes: [UInt8], of replica: UniqueID) -> Bool {
    // What cannot be read, and a log that is not held, say nothing of the key.
    guard let key = try? publicKey(of: replica),
      let frame = try? Frame.decode(bytes.span, at: 0, &chain),
      let head = frame.head, let last = frame.events.last
    else { return true }
    return head.proves(replica, upTo: last, by: key)
  }

  private mutating func begin(
    _ strand: UniqueID, of replica: UniqueID, on shelf: Shelf
  ) throws(JournalError) -> Reception {
    guard let state = states[strand] else {
      let others = Set(aside.keys).union(
        receptions.values.filter { $0.shelf == .aside }.map(\.replica))
      guard shelf == .logs || others.count < Limit.asideLogs else { throw .asideFull }
      return Reception(of: replica, on: shelf, after: .zero(of: replica), publicKey: nil)
    }
    precondition(!state.isRecalled, "who writes has read the log")
    var reception = Reception(
      of: replica, on: state.shelf, after: state.end, publicKey: try publicKey(of: replica))
    if let tail = state.tail, tail.excess == 0, !tail.hasSkippedBytes {
      reception.tailFirst = tail.first
    }
    return reception
  }

  /// Stores what heads prove of what is staged of a strand.
  mutating func store(_ strand: UniqueID) throws(JournalError) {
    guard let drafts = receptions[strand]?.takeProved(), let last = drafts.last,
      let reception = receptions[strand]
    else { return }
    let byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    let isNew = states[strand] == nil
    if isNew { states[strand] = newState(for: reception) }
    do throws(JournalError) {
      if reception.shelf == .aside { try checkRoom(for: drafts, of: strand) }
      try write(drafts, byteCount: byteCount, of: strand, behindHole: reception.missing != nil)
    } catch {
      if isNew, states[strand]?.end.sequence == reception.start.sequence { states[strand] = nil }
      receptions[strand] = nil
      throw error
    }
    states[strand]?.end = last.end
    states[strand]?.lastBlock = last.secrets.blocks.last
    if let missing = reception.missing {
      receptions[strand]?.missing = nil
      states[strand]?.losses.add(events: [missing])
      try saveHoles()
    }
    tidy(strand, keys: nil, hasSealed: byteCount >= Limit.tailBytes)
  }

  private func newState(for reception: Reception) -> LogState {
    var state = LogState(
      shelf: reception.shelf, replica: reception.replica, end: reception.start,
      publicKey: reception.publicKey)
    state.first = reception.start.sequence + 1
    if states[reception.replica] != nil { state.before = reception.start.hash }
    return state
  }

  private mutating func write(
    _ drafts: [FrameDraft], byteCount: Int, of strand: UniqueID, behindHole: Bool
  ) throws(JournalError) {
    // Behind a hole each file tells the table by itself.
    guard byteCount >= Limit.tailBytes || behindHole else {
      return try writeToTail(drafts, of: strand)
    }
    guard drafts[0].firstStored == states[strand]?.tail?.first else {
      try seal(strand, keys: nil)
      try writeSealed(drafts, of: strand)
      states[strand]?.tail = nil
      return
    }
    // What the tail holds came once more, with more behind it.
    try writeSealed(drafts, of: strand)
    removeTail(of: strand)
  }

  /// Sees that what comes, as it is packed, fits beside what is held of a replica.
  private mutating func checkRoom(
    for drafts: [FrameDraft], of strand: UniqueID
  ) throws(JournalError) {
    guard let state = states[strand] else { return }
    var news = 0
    for (index, draft) in drafts.enumerated() {
      let isFirst = index == 0 && state.tail == nil
      news += try encode(draft, of: strand, level: Self.quickLevel, withTable: isFirst).count
    }
    let replica = state.replica
    let folders = strands(of: replica).map { strandFolder($0, of: replica, .aside) }
    let disk = disk
    let used = try onDisk { () throws(DiskError) in
      var used = news
      for folder in folders where try disk.status(folder.path) != nil {
        for segment in try folder.segments() {
          used += try disk.status(folder.path(of: segment))?.size ?? 0
        }
      }
      return used
    }
    guard used <= Limit.asideLogBytes else { throw .asideFull }
  }
}
