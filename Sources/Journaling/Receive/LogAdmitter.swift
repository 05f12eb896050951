import Bytes
import Platform

/// Moves admitted logs into the book.
struct LogAdmitter {
  let store: SegmentStore
  let index: LogIndex
  let flusher: Flusher

  /// Moves a log that a member has admitted, and all branches of its replica, into the book.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - moved: Called with each strand after it has been moved; not called if the log was already in the book.
  /// - Throws: ``JournalError`` if the move might not be durable.
  func admit(
    _ log: UniqueID, moved: (UniqueID) -> Void
  ) throws(JournalError) {
    let log = index.lineage(of: log).replica
    guard let state = index.states[log] else { throw .unknownLog(log) }
    guard state.shelf == .aside else { return }
    let logs = store.root / LogShelf.logs.rawValue
    let aside = store.root / LogShelf.aside.rawValue
    try store.writing { () throws(DiskError) in
      try store.disk.makeDirectories(logs)
      // A crash may have left a draft file in the folder, from an attempt to begin the log in the book.
      if try store.disk.status(logs / log.hex) != nil {
        for name in try store.disk.list(logs / log.hex) where name.hasSuffix(".gz.draft") {
          try store.disk.remove(logs / log.hex / name)
        }
      }
      try store.disk.rename(aside / log.hex, to: logs / log.hex)
      try store.disk.flushDirectory(logs)
      try store.disk.flushDirectory(aside)
    }
    for strand in index.strands(of: log) {
      index.states[strand]?.shelf = .logs
      index.states[strand]?.isNamed = false
      try flusher.settleNames(of: [strand])
      moved(strand)
    }
  }
}
