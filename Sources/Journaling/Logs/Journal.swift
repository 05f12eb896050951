package import Bytes
import Crypto
package import Platform

/// All logs of a book, as files.
///
/// Whoever appends, seals, receives, admits or recovers holds the book's lock. What these return is
/// durable.
package struct Journal: ~Copyable {
  /// Where logs stand.
  package enum Shelf: String, Hashable, Sendable {
    /// Those of the book.
    case logs
    /// Those of devices nobody has admitted.
    case aside
  }

  let folder: Path
  let disk: any Disk
  let dice: any Dice
  /// Runs something on another thread, where there is one.
  let beside: Machine.Beside?
  /// The strands, each under the id of its folder.
  var states: [UniqueID: LogState] = [:]
  /// The logs of the replicas that forked; any other replica's log is its one strand.
  var branches: [UniqueID: Branch] = [:]
  var receptions: [UniqueID: Reception] = [:]
  /// Frames that belong into holes, by their strands.
  var fillers: [UniqueID: [Filler]] = [:]
  /// Where the logs ended before anything was received.
  var endsBefore: [UniqueID: LogEnd]?
  var chain = Chain()
  /// The entities whose bodies are taken out of what is received.
  package var erasures = Erasures()
  /// The `erase` events that count: a body that one of them has taken is not lost.
  package var standing: Set<Landmark.Mark> = []
  /// What is taken for the ends of logs while these are loaded, where their files are as they were.
  var recalling: Recollection?
  /// What has been read of the files of a replica that is being loaded.
  var reading: SegmentCache?
  /// What came, as it was found when it was checked.
  package internal(set) var known = KnownFrames()
  /// The tails as they were read last.
  package internal(set) var tails = KnownTails()
  /// What a file that stripping makes larger is filled up to.
  var rewrittenBytes = Limit.segmentBytes
  /// What a file with events that came back may grow to.
  var mendedBytes = Limit.fileBytes
  /// The tail that was written last, where nothing but appending has been done since.
  var openTail: OpenTail?
  /// Set when a flush fails: what was flushed then is in doubt, and a second try would lie.
  package internal(set) var isPoisoned = false
  /// Whether the book's folder says so, too.
  var isMarked = false

  /// Opens the journal of the book in a folder, reading only the end of each log, and nothing of one that is recalled.
  ///
  /// Nothing may be written to a log that was recalled, but to the one that is said to be continued.
  package init(
    at folder: Path, on machine: Machine, isPoisoned: Bool = false,
    recalling recollection: Recollection? = nil, knowing known: KnownFrames = KnownFrames(),
    _ tails: KnownTails = KnownTails()
  ) throws(JournalError) {
    self.folder = folder
    (self.known, self.tails) = (known, tails)
    self.recalling = recollection
    self.isPoisoned = isPoisoned
    disk = machine.disk
    (dice, beside) = (machine.dice, machine.beside)
    for shelf in [Shelf.aside, .logs] {
      for log in try list(shelf) { try load(log, from: shelf) }
    }
    recalling = nil
    try loadHoles()
    try findBranches()
  }

  /// The ends of the book's logs.
  package var logs: [UniqueID: LogEnd] { ends(on: .logs) }

  /// The ends of the logs nobody has admitted.
  package var aside: [UniqueID: LogEnd] { ends(on: .aside) }

  /// Whether events may follow a log's end as it is on the disk.
  package func isSound(_ log: UniqueID) -> Bool {
    states[strand(of: log)]?.ending.isSound ?? true
  }

  /// Gives the frames of a log that hold events from a sequence on.
  ///
  /// Of a log that forked, the first frame may begin before the log's first event, and the frames go on behind its
  /// last one where another log's events follow in the same folder. Who wants many of them has some read ahead.
  package func reader(
    of log: UniqueID, from sequence: UInt64 = 1, ahead isAhead: Bool = false
  ) throws(JournalError) -> LogReader {
    try strandReader(
      of: strand(of: log), from: max(sequence, lineage(of: log).first),
      beside: isAhead ? beside : nil)
  }

  func strandReader(
    of strand: UniqueID, from sequence: UInt64, beside: Machine.Beside? = nil
  ) throws(JournalError) -> LogReader {
    guard let state = states[strand] else { throw .unknownLog(strand) }
    return LogReader(
      strandFolder(strand, state), from: max(sequence, state.first), knowing: known,
      beside: beside)
  }

  /// The chain hash of a log at a sequence, or nil where the event is not held.
  package func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let end = end(of: log), sequence <= end.sequence else { return nil }
    if sequence == end.sequence { return end.hash }
    let lineage = lineage(of: log)
    if sequence == 0 { return lineage.fork == nil ? Chain.zero(of: log) : nil }
    guard sequence >= lineage.first else { return nil }
    return try record(of: strand(of: log), at: sequence)?.hash
  }

  func record(
    of strand: UniqueID, at sequence: UInt64
  ) throws(JournalError) -> EventRecord? {
    try frame(of: strand, at: sequence).map { $0.events[Int(sequence - $0.firstSequence)] }
  }

  /// The frame of a strand that holds an event.
  func frame(of strand: UniqueID, at sequence: UInt64) throws(JournalError) -> Frame? {
    guard sequence > 0 else { return nil }
    var reader = try strandReader(of: strand, from: sequence)
    do throws(DiskError) {
      guard let frame = try reader.read()?.frame, frame.firstSequence <= sequence else {
        return nil
      }
      return frame
    } catch {
      throw .disk(error)
    }
  }

  func strandFolder(_ strand: UniqueID, _ state: LogState) -> LogFolder {
    strandFolder(strand, of: state.replica, state.shelf)
  }

  func strandFolder(
    _ strand: UniqueID, of replica: UniqueID, _ shelf: Shelf
  ) -> LogFolder {
    let root = folder / shelf.rawValue / replica.hex
    return LogFolder(
      path: strand == replica ? root : root / strand.hex, replica: replica, disk: disk)
  }

  private func list(_ shelf: Shelf) throws(JournalError) -> [UniqueID] {
    try onDisk { () throws(DiskError) in try ids(in: folder / shelf.rawValue) }
  }

  /// The ids that entries of a folder are named after; none where there is no folder.
  func ids(in folder: Path) throws(DiskError) -> [UniqueID] {
    do throws(DiskError) {
      return try disk.list(folder).compactMap { UniqueID(hex: $0) }
    } catch {
      if error.reason == .notFound { return [] }
      throw error
    }
  }

  /// Refuses to write when a flush has failed, and remembers when one fails.
  ///
  /// The tail that is held open may be given another name or another file its name, so it is let go of.
  mutating func writing<Value>(
    _ body: () throws(DiskError) -> Value
  ) throws(JournalError) -> Value {
    openTail = nil
    guard !isPoisoned else { throw .poisoned }
    do throws(DiskError) {
      return try body()
    } catch {
      throw noted(error)
    }
  }

  /// The error as the journal tells it; a failed flush is remembered.
  mutating func noted(_ error: DiskError) -> JournalError {
    if error.operation == .flush || error.operation == .flushDirectory { poison() }
    return .disk(error)
  }
}
