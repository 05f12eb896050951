package import Bytes
package import Crypto
package import Platform

/// The logs of a book, stored as segment files.
///
/// The caller holds the book's lock while it appends, seals, receives, admits or recovers. When one of these operations
/// returns, its result is durable.
package struct Journal: ~Copyable {
  let parts: JournalParts
  let receiver: Receiver

  /// Opens the journal of the book in a folder.
  ///
  /// Only the end of each log is read, and only if the cache does not contain it. A log from the cache must not be
  /// written to, except the log for which ``LogEndCache/continuing(_:)`` prepared the cache.
  package init(
    at folder: Path, on machine: Machine, isPoisoned: Bool = false,
    recalling logEndCache: LogEndCache? = nil, knowing known: FrameCache = FrameCache(),
    _ tails: TailCache = TailCache()
  ) throws(JournalError) {
    let store = SegmentStore(at: folder, on: machine, isPoisoned: isPoisoned, known, tails)
    parts = JournalParts(store)
    receiver = parts.receiver
    try parts.load(recalling: logEndCache)
  }

  /// The erased entities.
  ///
  /// The bodies of these entities are removed from every frame that arrives.
  package var erasures: Erasures {
    get { parts.eraser.erasures }
    set { parts.eraser.erasures = newValue }
  }

  /// The `erase` events that are in effect.
  ///
  /// A body that one of these events removed is not a loss.
  package var standing: Set<Landmark.Mark> {
    get { parts.eraser.standing }
    set { parts.eraser.standing = newValue }
  }

  /// The decoded forms of recently received frames.
  package var known: FrameCache { parts.store.frameCache }

  /// The results of the latest read of each tail.
  package var tails: TailCache { parts.store.tailCache }

  /// Whether a flush has failed; if so, nothing more is written.
  package var isPoisoned: Bool { parts.store.isPoisoned }

  /// The ends of the book's logs.
  package var logs: [UniqueID: LogEnd] { parts.index.ends(on: .logs) }

  /// The ends of the logs that no member has admitted.
  package var aside: [UniqueID: LogEnd] { parts.index.ends(on: .aside) }

  /// The end of a log, or nil if the log is not on the shelf.
  ///
  /// This is faster than a lookup in ``logs`` or ``aside``, which are computed on each access.
  package func end(of log: UniqueID, on shelf: LogShelf) -> LogEnd? {
    parts.index.end(of: log, on: shelf)
  }

  /// The replica that wrote a log, and the fork that the log begins at.
  package func lineage(of log: UniqueID) -> Lineage { parts.index.lineage(of: log) }

  /// The fork at which each branch begins.
  package var forks: [UniqueID: Fork] { parts.index.forks }

  /// Whether the log of the given replica has forked.
  package func isForked(_ replica: UniqueID) -> Bool { parts.index.isForked(replica) }

  /// Whether the given log's last event can be read and its table is known, so events can be appended.
  package func isSound(_ log: UniqueID) -> Bool { parts.index.isSound(log) }

  /// The unreadable events before the end of the given log.
  package func holes(in log: UniqueID) -> [ClosedRange<UInt64>] { parts.index.holes(in: log) }

  /// The unreadable events before the end of the given strand.
  package func holes(inStrand strand: UniqueID) -> [ClosedRange<UInt64>] {
    parts.index.holes(inStrand: strand)
  }

  /// The events of each strand that have lost their bodies, although no `erase` in effect removed them.
  package var bodiless: [UniqueID: [ClosedRange<UInt64>]] { parts.index.bodiless }

  /// Whether the end of any log was taken from a cache; if so, that log must not be written to.
  package var isRecalled: Bool { parts.index.isRecalled }

  /// A cache of the ends of all logs whose files have not changed since they were read or written here.
  ///
  /// Logs with branches, holes or damage are left out.
  package func logEndCache() -> LogEndCache { parts.recaller.logEndCache() }

  /// Reads the frames of the given log, starting with the frame that contains the given event.
  ///
  /// The first frame of a branch can begin before the branch does. The frames continue past the end of the log where
  /// the events of another log follow in the same folder. `ahead` decodes later frames on another thread.
  package func reader(
    of log: UniqueID, from sequence: UInt64 = 1, ahead isAhead: Bool = false
  ) throws(JournalError) -> LogReader {
    try parts.finder.reader(of: log, from: sequence, ahead: isAhead)
  }

  /// The key that signs the heads of the given replica's log.
  package mutating func publicKey(of replica: UniqueID) throws(JournalError) -> PublicKey {
    try parts.finder.publicKey(of: replica)
  }

  /// Whether a frame ends in a head that the replica signed; if the replica's key is not known, any head is accepted.
  package mutating func acceptsHead(of bytes: [UInt8], of replica: UniqueID) -> Bool {
    parts.finder.acceptsHead(of: bytes, of: replica)
  }

  /// The strand that holds the last stored event of a frame, or the first strand of the replica if no event of the
  /// frame is stored.
  package func strand(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> UniqueID {
    try parts.finder.strand(holding: frame, of: replica)
  }

  /// The events of the given frame of a forked replica, grouped by log.
  package func logs(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> [UniqueID: ClosedRange<UInt64>] {
    try parts.finder.logs(holding: frame, of: replica)
  }

  /// Returns the scope that resolves the references in the given frame of the given log.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - log: The log that the frame belongs to.
  ///   - fork: The fork that the log begins at, for a branch that is not stored yet.
  ///   - table: The log's table, if it extends beyond the stored table.
  /// - Returns: The scope.
  package func scope(
    of frame: borrowing Frame, in log: UniqueID, leaving fork: Fork? = nil, table: [UniqueID]? = nil
  ) -> ReferenceScope {
    parts.index.scope(of: frame, in: log, leaving: fork, table: table)
  }

  /// The events of each strand that the book has.
  package func places() throws(JournalError) -> [Place] { try parts.places.places() }

  /// The last event of each strand of the given replica, even if events before it are lost.
  package func ends(of replica: UniqueID) -> [Place] { parts.index.ends(of: replica) }

  /// Events by which a peer can find where its logs diverge from those of this device.
  ///
  /// For each place of the peer that this device does not have, these are this device's events at the place's sequence
  /// and at doubling distances before that sequence.
  package func landmarks(for others: [Place]) throws(JournalError) -> [Place] {
    try parts.places.landmarks(for: others)
  }

  /// The frames of a replica that a peer lacks.
  ///
  /// - Parameters:
  ///   - replica: The replica.
  ///   - places: The events of each strand that the peer has.
  ///   - keys: The keys of this device if it writes the log, otherwise nil. A frame that does not end in a head is
  ///     signed with them.
  /// - Returns: The frames in order.
  /// - Throws: ``JournalError`` if the events that the peer has cannot be determined.
  package func export(
    of replica: UniqueID, lackedBy places: [Place], keys: (any SigningSource)?
  ) throws(JournalError) -> ReplicaExport {
    try parts.places.export(of: replica, lackedBy: places, keys: keys)
  }

  /// Whether this device has the event at the given place, even if events before it are lost.
  package func holdsEvent(at place: Place) throws(JournalError) -> Bool {
    try parts.places.holdsEvent(at: place)
  }

  /// Begins a log that is signed with the keys, and returns its id.
  package mutating func begin(
    _ keys: DeviceKeys, incarnation: UniqueID, name: String, at time: Int64
  ) throws(JournalError) -> UniqueID {
    try parts.appender.begin(keys, incarnation: incarnation, name: name, at: time)
  }

  /// Appends commands to a log.
  ///
  /// The commands are durable when the method returns.
  ///
  /// If the method throws, none of the commands is considered written. However, the first commands may later be found
  /// in the log, each of them complete.
  package mutating func append(
    _ commands: [Command], to log: UniqueID, keys: any SigningSource
  ) throws(JournalError) -> [Appended] {
    try parts.appender.append(commands, to: log, keys: keys)
  }

  /// Packs the tail of the given log into a sealed file.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - keys: The keys of this device if it writes the log, otherwise nil. Without keys, a tail that does not end in a
  ///     head is not changed.
  /// - Throws: ``JournalError``; the tail is then unchanged.
  package mutating func seal(_ log: UniqueID, keys: (any SigningSource)?) throws(JournalError) {
    try parts.sealer.seal(log, keys: keys)
  }

  /// Seals every tail that can be sealed, and merges adjacent sealed files.
  ///
  /// - Parameter keys: The keys of the logs that this device writes.
  /// - Returns: The number and size of the files before and after.
  /// - Throws: ``JournalError``. Work that was done before the error is kept.
  package mutating func compact(keys: [UniqueID: DeviceKeys]) throws(JournalError) -> Compaction {
    try parts.merger.compact(keys: keys)
  }

  /// Makes all logs durable, before any of them is sent to a peer.
  ///
  /// Another process may have left data unflushed, or its flush may have failed and left pages marked as clean.
  package mutating func settle() throws(JournalError) { try parts.flusher.settle() }

  /// Whether all files of the logs are known to be durable.
  package var isSettled: Bool { !isPoisoned && parts.index.isSettled }

  /// Records that all files are durable, as stated by the last process that wrote to them.
  package mutating func noteSettled() { parts.index.noteSettled() }

  // MARK: Receiving

  /// Checks a frame that a peer sent, and stages its new events.
  ///
  /// The frame can continue the log, fill a hole in it, or begin or continue a branch. ``commit()`` stores its events.
  /// If a head proves them, they are stored earlier if they take too much memory or the next frame does not join them.
  ///
  /// - Parameters:
  ///   - bytes: The frame.
  ///   - replica: The replica that wrote it.
  ///   - shelf: The shelf for the log if this device does not have it yet. An existing log stays on its shelf.
  ///   - acrossHoles: Whether the peer states that it has lost the events before the frame, so a gap is allowed.
  ///   - prefetched: The decoded frame, if it was decoded in advance.
  ///   - branchLimit: The number of logs that a frame may add by beginning a branch.
  /// - Returns: What the frame adds.
  /// - Throws: ``JournalError``. The staged events of the strand may then be discarded.
  @discardableResult
  package mutating func receive(
    _ bytes: [UInt8], of replica: UniqueID, on shelf: LogShelf, acrossHoles: Bool = false,
    prefetched: Frame? = nil, branchLimit: UInt64 = .max
  ) throws(JournalError) -> FrameNews {
    try receiver.receive(
      bytes, of: replica, on: shelf, acrossHoles: acrossHoles, prefetched: prefetched,
      branchLimit: branchLimit)
  }

  /// Decodes a frame that was just received; nil if the bytes are not a frame.
  package mutating func received(_ bytes: [UInt8]) -> Frame? { receiver.received(bytes) }

  /// Stores all staged events.
  ///
  /// The events are durable when the method returns.
  ///
  /// - Returns: The logs that have grown, ordered by id.
  /// - Throws: ``JournalError/unproved(_:sequence:)`` if some events did not end in a head. These events are discarded;
  ///   the others are stored.
  package mutating func commit() throws(JournalError) -> [UniqueID] { try receiver.commit() }

  /// Whether a staged frame may fill a hole.
  package var isHealing: Bool { receiver.isHealing }

  /// Discards everything that is staged, and empties the frame cache.
  package mutating func forgetReceived() { receiver.forgetReceived() }

  /// Moves a log that a member has admitted, and all branches of its replica, into the book.
  package mutating func admit(_ log: UniqueID) throws(JournalError) {
    try parts.admitter.admit(log, moved: receiver.forget)
  }

  /// Decodes a frame before it is received, while the peer prepares the next frame.
  ///
  /// The call has no effect once the frame cache is full.
  package mutating func prefetch(_ bytes: [UInt8]) { receiver.prefetch(bytes) }

  /// Empties the frame cache.
  package mutating func forgetFrames() { parts.store.frameCache = FrameCache() }

  // MARK: Erasing and repairing

  /// Removes the bodies of erased entities from all files, and the seeds of the blocks that contain them.
  ///
  /// The same bodies are removed from every frame that arrives later. Each file is replaced as a whole, so after a
  /// crash, another call completes the work. Afterwards, ``erasures`` includes the entities that erased entities own.
  ///
  /// - Parameters:
  ///   - erasures: The erased entities.
  ///   - logs: The logs to search, or nil for all. A log that has not changed since the same entities were removed from
  ///     it can be left out. If one branch of a replica is given, all branches of the replica are searched.
  /// - Returns: The files that were rewritten and removed.
  /// - Throws: ``JournalError``. Work that was done before the error is kept. A frame that would exceed the size limit
  ///   is not changed, and the others are still rewritten.
  package mutating func strip(
    _ erasures: Erasures, in logs: Set<UniqueID>? = nil
  ) throws(JournalError) -> StripReport {
    var report = StripReport()
    try strip(erasures, in: logs, into: &report)
    return report
  }

  /// Repairs the files after a crash.
  ///
  /// Bytes after the last frame of a tail are copied into quarantine and cut off; peers send lost events again. If the
  /// end of a log is damaged, not just torn, the device that writes the log must first abandon it: see
  /// ``endsInDamage(_:)``. Strands that are no longer separated by a fork are joined, except those of `own`, this
  /// device's own replica.
  package mutating func recover(for own: UniqueID? = nil) throws(JournalError) -> [Repair] {
    try parts.recovery.recover(for: own)
  }

  /// Throws if a newer version of the program has written to a log.
  ///
  /// Otherwise the frames of that version would be treated as damage and lost.
  package func refuseNewer() throws(JournalError) { try parts.index.refuseNewer() }

  /// Whether acknowledged events, which peers may hold, can be missing at the end of the given log.
  ///
  /// The device that writes the log must not write different events in their place.
  package func endsInDamage(_ log: UniqueID) throws(JournalError) -> Bool {
    try parts.recovery.endsInDamage(log)
  }

  /// Adds holes to the known holes.
  ///
  /// Peers then learn that this device lacks these events, and send them.
  package mutating func note(holes found: [UniqueID: [ClosedRange<UInt64>]]) throws(JournalError) {
    try parts.lossKeeper.note(holes: found)
  }

  /// Replaces the known holes of the given strands, except those that still cannot be read.
  ///
  /// - Parameter missing: The missing events of each strand, by shelf.
  /// - Throws: ``JournalError`` if the list cannot be written.
  package mutating func note(
    missing: [LogShelf: [UniqueID: [ClosedRange<UInt64>]]]
  ) throws(JournalError) {
    try parts.lossKeeper.note(missing: missing)
  }

  /// Sets ``bodiless`` until the journal is opened again.
  package mutating func note(bodiless found: [UniqueID: [ClosedRange<UInt64>]]) {
    parts.index.note(bodiless: found)
  }

  /// Adds the keys of logs, so their first events need not be read.
  ///
  /// The id of a log is derived from its opening. An opening that matches no log is ignored.
  package mutating func note(openings: some Sequence<Opening>) {
    parts.index.note(openings: openings)
  }
}
