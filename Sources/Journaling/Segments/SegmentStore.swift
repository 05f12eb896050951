import Bytes
import Platform

/// The files of a book's logs.
///
/// Writes go through ``writing(_:)``, which refuses them after a flush has failed. The only exception is
/// ``TailWriter``, which keeps a file open and may replace a tail once after a failed flush.
final class SegmentStore {
  /// The folder of the book.
  let root: Path
  let disk: any Disk
  let dice: any Dice
  /// Runs a closure on another thread; nil on a machine without threads.
  let beside: Machine.Beside?
  /// The decoded forms of recently received frames.
  var frameCache: FrameCache
  /// The results of the latest read of each tail.
  var tailCache: TailCache
  /// The tail of the latest append, if nothing else has been written since then.
  var openTail: OpenTail?
  /// Whether a flush has failed.
  private(set) var isPoisoned: Bool
  /// Whether the file ``mark`` was written after the failed flush.
  private(set) var isMarked = false
  /// The target size, in bytes, for files that become larger when bodies are removed from them.
  var rewrittenBytes = Limit.segmentBytes
  /// The largest file that a repair may write, in bytes.
  var mendedBytes = Limit.fileBytes

  init(
    at root: Path, on machine: Machine, isPoisoned: Bool, _ frameCache: FrameCache,
    _ tailCache: TailCache
  ) {
    (self.root, self.isPoisoned) = (root, isPoisoned)
    (disk, dice, beside) = (machine.disk, machine.dice, machine.beside)
    (self.frameCache, self.tailCache) = (frameCache, tailCache)
  }

  /// The folder of the given strand.
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

  /// The ids among the names of the given folder's entries; empty if the folder does not exist.
  func ids(in folder: Path) throws(DiskError) -> [UniqueID] {
    do throws(DiskError) {
      return try disk.list(folder).compactMap { UniqueID(hex: $0) }
    } catch {
      if error.reason == .notFound { return [] }
      throw error
    }
  }

  /// The replicas whose logs are on a shelf.
  func logs(on shelf: LogShelf) throws(JournalError) -> [UniqueID] {
    try onDisk { () throws(DiskError) in try ids(in: root / shelf.rawValue) }
  }

  /// Runs a write, unless a flush has already failed, and records a failed flush.
  ///
  /// Closes the open tail first, because the write may rename or replace its file.
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

  /// Converts a disk error to a journal error, and records a failed flush.
  func noted(_ error: DiskError) -> JournalError {
    if error.operation == .flush || error.operation == .flushDirectory { poison() }
    return .disk(error)
  }

  /// The file that informs the next process that a flush has failed.
  var mark: Path { root / "POISON" }

  /// Stops all writes and leaves the file ``mark`` for the next process.
  func poison() {
    guard !isPoisoned else { return }
    isPoisoned = true
    openTail = nil
    // If this also fails, the next process still rewrites the tails that it finds.
    isMarked = (try? disk.replace(mark, with: Array(Self.warning.utf8))) != nil
  }

  private static let warning = """
    The disk failed to store data that daybook wrote here. Before it writes again, daybook reads the files
    from the disk, not from memory, and repairs what it can; then it removes this file. Check the disk.

    """

  /// Removes the given files of a strand and flushes their folder.
  func remove(_ files: [Path], from folder: LogFolder) throws(JournalError) {
    guard !files.isEmpty else { return }
    try writing { () throws(DiskError) in
      for file in files { try disk.remove(file) }
      try disk.flushDirectory(folder.path)
    }
  }
}
