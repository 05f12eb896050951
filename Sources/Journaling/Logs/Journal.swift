package import Bytes
package import Crypto
package import Platform

/// All logs of a book, as files.
///
/// Whoever appends, seals, receives, admits or recovers holds the book's lock. What these return is
/// durable.
package struct Journal: ~Copyable {
  let parts: JournalParts
  let receiver: Receiver

  /// Opens the journal of the book in a folder, reading only the end of each log, and nothing of one that is recalled.
  ///
  /// Nothing may be written to a log that was recalled, but to the one that is said to be continued.
  package init(
    at folder: Path, on machine: Machine, isPoisoned: Bool = false,
    recalling recollection: Recollection? = nil, knowing known: KnownFrames = KnownFrames(),
    _ tails: KnownTails = KnownTails()
  ) throws(JournalError) {
    let store = SegmentStore(at: folder, on: machine, isPoisoned: isPoisoned, known, tails)
    parts = JournalParts(store)
    receiver = parts.receiver
    for shelf in [LogShelf.aside, .logs] {
      for log in try store.logs(on: shelf) {
        try parts.loader.load(log, from: shelf, recalling: recollection)
      }
    }
    try parts.lossKeeper.loadHoles()
    try parts.surveyor.findBranches()
  }

  /// The entities whose bodies are taken out of what is received.
  package var erasures: Erasures {
    get { parts.eraser.erasures }
    set { parts.eraser.erasures = newValue }
  }

  /// The `erase` events that count: a body that one of them has taken is not lost.
  package var standing: Set<Landmark.Mark> {
    get { parts.eraser.standing }
    set { parts.eraser.standing = newValue }
  }

  /// What came, as it was found when it was checked.
  package var known: KnownFrames { parts.store.knownFrames }

  /// The tails as they were read last.
  package var tails: KnownTails { parts.store.knownTails }

  /// Set when a flush fails: what was flushed then is in doubt, and a second try would lie.
  package var isPoisoned: Bool { parts.store.isPoisoned }

  // MARK: What is held

  /// The ends of the book's logs.
  package var logs: [UniqueID: LogEnd] { parts.index.ends(on: .logs) }

  /// The ends of the logs nobody has admitted.
  package var aside: [UniqueID: LogEnd] { parts.index.ends(on: .aside) }

  /// Where a log on a shelf ends, or nil where the shelf has none of it.
  ///
  /// The same as a look into ``logs`` or ``aside``, which are put together anew for whoever asks for them.
  package func end(of log: UniqueID, on shelf: LogShelf) -> LogEnd? {
    parts.index.end(of: log, on: shelf)
  }

  /// Where a log stands among those of its replica.
  package func lineage(of log: UniqueID) -> Lineage { parts.index.lineage(of: log) }

  /// Where each branch of a forked log begins.
  package var forks: [UniqueID: Fork] { parts.index.forks }

  /// Whether a replica's log forked.
  package func isForked(_ replica: UniqueID) -> Bool { parts.index.isForked(replica) }

  /// Whether events may follow a log's end as it is on the disk.
  package func isSound(_ log: UniqueID) -> Bool { parts.index.isSound(log) }

  /// The events of a log that are lost, below its end.
  package func holes(in log: UniqueID) -> [ClosedRange<UInt64>] { parts.index.holes(in: log) }

  /// The events that are lost of what lies in one folder.
  package func holes(inStrand strand: UniqueID) -> [ClosedRange<UInt64>] {
    parts.index.holes(inStrand: strand)
  }

  /// The events of each strand that are known to have lost their bodies though no `erase` that counts took them.
  package var bodiless: [UniqueID: [ClosedRange<UInt64>]] { parts.index.bodiless }

  /// Whether the end of some log is not read but recalled, so that nothing may be written to it.
  package var isRecalled: Bool { parts.index.isRecalled }

  /// What is known of the logs whose files are as they were read or written here.
  ///
  /// Logs with branches, holes or anything else that takes more to tell are left out.
  package func recollection() -> Recollection { parts.recaller.recollection() }

  // MARK: Reading

  /// Gives the frames of a log that hold events from a sequence on.
  ///
  /// Of a log that forked, the first frame may begin before the log's first event, and the frames go on behind its
  /// last one where another log's events follow in the same folder. Who wants many of them has some read ahead.
  package func reader(
    of log: UniqueID, from sequence: UInt64 = 1, ahead isAhead: Bool = false
  ) throws(JournalError) -> LogReader {
    try parts.finder.reader(of: log, from: sequence, ahead: isAhead)
  }

  /// The chain hash of a log at a sequence, or nil where the event is not held.
  package func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    try parts.finder.hash(of: log, at: sequence)
  }

  /// The key that signs the heads of a replica's log.
  package mutating func publicKey(of replica: UniqueID) throws(JournalError) -> PublicKey {
    try parts.finder.publicKey(of: replica)
  }

  /// Whether the head that a frame ends in is the replica's; nothing is said against one whose key is not known.
  package mutating func acceptsHead(of bytes: [UInt8], of replica: UniqueID) -> Bool {
    parts.finder.acceptsHead(of: bytes, of: replica)
  }

  /// The strand of a replica that a frame's events lie in, as far as they are held.
  package func strand(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> UniqueID {
    try parts.finder.strand(holding: frame, of: replica)
  }

  /// The events of a frame of a forked replica, by the logs that they belong to.
  package func logs(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> [UniqueID: ClosedRange<UInt64>] {
    try parts.finder.logs(holding: frame, of: replica)
  }

  /// What the references in a log lead to, at a frame's start; the fork is that of a strand not stored yet.
  package func scope(
    of frame: borrowing Frame, in log: UniqueID, leaving fork: Fork? = nil, table: [UniqueID]? = nil
  ) -> ReferenceScope {
    parts.index.scope(of: frame, in: log, leaving: fork, table: table)
  }

  /// The key of the device whose log a received frame begins, or nil where it begins none.
  ///
  /// Nothing else of the frame is checked: it only tells where the log is to be put.
  package static func openingKey(in bytes: [UInt8]) -> PublicKey? {
    var chain = Chain()
    do throws(FrameError) {
      return try Frame.decode(bytes.span, at: 0, &chain).opening?.publicKey
    } catch {
      // Whoever receives it says what is wrong with it.
      return nil
    }
  }

  // MARK: What others are told

  /// What the book's logs hold: a place for the end of each strand.
  package func places() throws(JournalError) -> [Place] { try parts.places.places() }

  /// The last event of each strand of a replica, behind what it has lost, too.
  package func ends(of replica: UniqueID) -> [Place] { parts.index.ends(of: replica) }

  /// Events held at the places where another has different ones, and at growing distances before them: so it finds
  /// where the two logs part.
  package func landmarks(for others: [Place]) throws(JournalError) -> [Place] {
    try parts.places.landmarks(for: others)
  }

  /// Gives the frames of a replica's logs that another lacks who holds what the places tell.
  ///
  /// The keys are those of this device for a log it writes itself, else nil; they are asked for where something has to
  /// be signed.
  package func export(
    of replica: UniqueID, lackedBy places: [Place], keys: (any SigningSource)?
  ) throws(JournalError) -> ReplicaExport {
    try parts.places.export(of: replica, lackedBy: places, keys: keys)
  }

  /// Whether the event at a place is held, whatever is lost on the way to it.
  package func holdsEvent(at place: Place) throws(JournalError) -> Bool {
    try parts.places.holdsEvent(at: place)
  }

  // MARK: Writing

  /// Begins a log of the device that holds the keys, and returns its id.
  package mutating func begin(
    _ keys: DeviceKeys, incarnation: UniqueID, name: String, at time: Int64
  ) throws(JournalError) -> UniqueID {
    try parts.appender.begin(keys, incarnation: incarnation, name: name, at: time)
  }

  /// Writes commands at the end of a log; when it returns they are durable.
  ///
  /// When it throws, none is acknowledged, but some of the first may be found later, each whole.
  package mutating func append(
    _ commands: [Command], to log: UniqueID, keys: any SigningSource
  ) throws(JournalError) -> [Appended] {
    try parts.appender.append(commands, to: log, keys: keys)
  }

  /// Packs a log's tail tightly into a sealed file.
  ///
  /// Of another device's log that is only done where a head proves the end; keys are for the logs
  /// of this device alone.
  package mutating func seal(_ log: UniqueID, keys: (any SigningSource)?) throws(JournalError) {
    try parts.sealer.seal(log, keys: keys)
  }

  /// Seals and merges all that can be.
  ///
  /// The keys are those of the logs this device writes.
  package mutating func compact(keys: [UniqueID: DeviceKeys]) throws(JournalError) -> Compaction {
    try parts.merger.compact(keys: keys)
  }

  /// Makes durable what is there, before any of it is sent to others.
  ///
  /// What another process has written may never have been flushed, and a flush that failed may have left it
  /// marked as if it had been.
  package mutating func settle() throws(JournalError) { try parts.flusher.settle() }

  /// Whether all that lies in the logs' folders is known to be durable.
  package var isSettled: Bool { !isPoisoned && parts.index.isSettled }

  /// Hears that all of it is, from whoever wrote it last.
  package mutating func noteSettled() { parts.index.noteSettled() }

  // MARK: Receiving

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
    _ bytes: [UInt8], of replica: UniqueID, on shelf: LogShelf, acrossHoles: Bool = false,
    foreseen: Frame? = nil
  ) throws(JournalError) -> Bool {
    try receiver.receive(
      bytes, of: replica, on: shelf, acrossHoles: acrossHoles, foreseen: foreseen)
  }

  /// What a frame holds that was just received; nil for bytes that are none.
  package mutating func received(_ bytes: [UInt8]) -> Frame? { receiver.received(bytes) }

  /// Stores all that is staged; when it returns, it is durable.
  ///
  /// - Returns: The logs that have grown, in order.
  /// - Throws: ``JournalError/unproved(_:sequence:)`` when some of it did not end in a head: that is
  ///   forgotten, and the rest stored all the same.
  package mutating func commit() throws(JournalError) -> [UniqueID] { try receiver.commit() }

  /// Whether what is staged may put back what is lost.
  package var isHealing: Bool { receiver.isHealing }

  /// Forgets all that is staged.
  package mutating func forgetReceived() { receiver.forgetReceived() }

  /// Moves a log that somebody has admitted to those of the book, and with a branch all that its replica wrote.
  package mutating func admit(_ log: UniqueID) throws(JournalError) {
    receiver.forget(try parts.admitter.admit(log))
  }

  /// Reads a frame that is going to be received, ahead of that, where there is room to keep what it holds.
  ///
  /// While one who sends is busy with the next, so is whoever receives with this one.
  package mutating func foresee(_ bytes: [UInt8]) { receiver.foresee(bytes) }

  /// Forgets what the frames held that have come.
  package mutating func forgetFrames() { parts.store.knownFrames = KnownFrames() }

  // MARK: Erasing and repairing

  /// Takes the bodies of erased entities out of every file, and the seeds of their blocks.
  ///
  /// What arrives later is stripped of the same. Each file is replaced as a whole, so a crash leaves the old
  /// one or the new one, and doing it again completes it. Afterwards ``erasures`` holds what was found to be
  /// owned by erased entities, too.
  ///
  /// - Parameters:
  ///   - erasures: The entities that are erased.
  ///   - logs: The logs to look through, or nil for all; those that have not changed since they were
  ///     stripped of the same need not be. With a log goes all that is held of its replica.
  /// - Returns: What was done.
  /// - Throws: ``JournalError``; what was done until then is done, and a frame that would be larger than frames may be
  ///   keeps no other one waiting.
  package mutating func strip(
    _ erasures: Erasures, in logs: Set<UniqueID>? = nil
  ) throws(JournalError) -> StripReport {
    try parts.eraser.strip(erasures, in: logs)
  }

  /// Tidies up what a crash left.
  ///
  /// Whoever writes a log whose end is not torn but damaged leaves it first: see ``endsInDamage(_:)``. What was lost
  /// there comes back from others as what is new does; the bytes are kept in quarantine.
  /// Strands that nothing parts any more are joined, but not those of the replica given, whose log this device writes.
  package mutating func recover(for own: UniqueID? = nil) throws(JournalError) -> [Repair] {
    try parts.recovery.recover(for: own)
  }

  /// Refuses to write where a newer version has written.
  ///
  /// Its frames would be taken for damage, and lost.
  package func refuseNewer() throws(JournalError) { try parts.index.refuseNewer() }

  /// Whether a log's last file may have held events at its end that were acknowledged, and that others may hold.
  ///
  /// Whoever wrote the log must not write other events in their place.
  package func endsInDamage(_ log: UniqueID) throws(JournalError) -> Bool {
    try parts.recovery.endsInDamage(log)
  }

  /// Remembers, in addition to what is known, events of logs that cannot be read.
  ///
  /// Others are told that they are not held, and fill them.
  package mutating func note(holes found: [UniqueID: [ClosedRange<UInt64>]]) throws(JournalError) {
    try parts.lossKeeper.note(holes: found)
  }

  /// Remembers which events of logs and their strands are missing from the files, in place of what was known.
  ///
  /// - Parameter missing: The events, for each place where logs lie.
  /// - Throws: ``JournalError`` when that cannot be written.
  package mutating func note(
    missing: [LogShelf: [UniqueID: [ClosedRange<UInt64>]]]
  ) throws(JournalError) {
    try parts.lossKeeper.note(missing: missing)
  }

  /// Remembers, until the journal is opened again, which events have lost their bodies in this way.
  package mutating func note(bodiless found: [UniqueID: [ClosedRange<UInt64>]]) {
    parts.index.note(bodiless: found)
  }

  /// Takes down who writes which log where that is known already, so that no first event need be read for it.
  ///
  /// It is what makes a log's id, so that of another log is passed over.
  package mutating func note(openings: some Sequence<Opening>) {
    parts.index.note(openings: openings)
  }
}
