import Bytes
import Platform

/// The files of a book's logs: where they lie, and whether anything may be written to them.
final class SegmentStore {
  /// The folder of the book.
  let root: Path
  let disk: any Disk
  let dice: any Dice
  /// Runs something on another thread, where there is one.
  let beside: Machine.Beside?
  /// What came, as it was found when it was checked.
  var knownFrames: KnownFrames
  /// The tails as they were read last.
  var knownTails: KnownTails
  /// The tail that was written last, where nothing but appending has been done since.
  var openTail: OpenTail?
  /// Set when a flush fails: what was flushed then is in doubt, and a second try would lie.
  private(set) var isPoisoned: Bool
  /// Whether the book's folder says so, too.
  private(set) var isMarked = false
  /// What a file that stripping makes larger is filled up to.
  var rewrittenBytes = Limit.segmentBytes
  /// What a file with events that came back may grow to.
  var mendedBytes = Limit.fileBytes

  init(
    at root: Path, on machine: Machine, isPoisoned: Bool, _ knownFrames: KnownFrames,
    _ knownTails: KnownTails
  ) {
    (self.root, self.isPoisoned) = (root, isPoisoned)
    (disk, dice, beside) = (machine.disk, machine.dice, machine.beside)
    (self.knownFrames, self.knownTails) = (knownFrames, knownTails)
  }

  /// The folder of a strand as it is known.
  func folder(_ strand: UniqueID, _ state: LogState) -> LogFolder {
    folder(strand, of: state.replica, state.shelf)
  }

  func folder(
    _ strand: UniqueID, of replica: UniqueID, _ shelf: LogShelf
  ) -> LogFolder {
    let own = root / shelf.rawValue / replica.hex
    return LogFolder(
      path: strand == replica ? own : own / strand.hex, replica: replica, disk: disk)
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

  /// The replicas whose logs stand on a shelf.
  func logs(on shelf: LogShelf) throws(JournalError) -> [UniqueID] {
    try onDisk { () throws(DiskError) in try ids(in: root / shelf.rawValue) }
  }

  /// Refuses to write when a flush has failed, and remembers when one fails.
  ///
  /// The tail that is held open may be given another name or another file its name, so it is let go of.
  func writing<Value>(
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
  func noted(_ error: DiskError) -> JournalError {
    if error.operation == .flush || error.operation == .flushDirectory { poison() }
    return .disk(error)
  }

  /// The file that says that a flush failed.
  var mark: Path { root / "POISON" }

  /// Writes nothing more, and tells the next process why.
  func poison() {
    guard !isPoisoned else { return }
    isPoisoned = true
    openTail = nil
    // Where even this fails, the next process writes once more what it finds.
    isMarked = (try? disk.replace(mark, with: Array(Self.warning.utf8))) != nil
  }

  private static let warning = """
    The disk failed to keep what was written here. daybook reads it again, past its memory, and mends
    what it can before it writes; then this file goes. Check the disk.

    """

  /// Removes files of a strand for good: a power cut brings none of them back.
  func remove(_ files: [Path], from folder: LogFolder) throws(JournalError) {
    guard !files.isEmpty else { return }
    try writing { () throws(DiskError) in
      for file in files { try disk.remove(file) }
      try disk.flushDirectory(folder.path)
    }
  }
}
