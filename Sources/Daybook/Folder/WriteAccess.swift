import Journaling
import Platform

/// Allows one writer at a time to change the book, once the writer has read the changes of other processes.
struct WriteAccess {
  let store: LogStore
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector

  /// Takes the lock of the folder, reads the changes of other processes, and runs a function that writes.
  ///
  /// If the function writes only to this device's own log, the ends of other logs need not be read, and only the last
  /// frame of this device's own log is needed.
  func withLock<Value>(
    writingOwnLogOnly isOwnOnly: Bool = false, _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    let lock = try store.folder.takeLock()
    var isDone = false
    defer {
      store.isSettled = store.isSettled && isDone
      store.release(lock)
      store.isLocked = false
    }
    (store.isLocked, store.isSettled) = (true, BookFolder.wasSettled(lock))
    try store.folder.reloadFile()
    // Anything that might not be durable must be read, because it has to be written again.
    let logEndCache = isOwnOnly && store.isSettled ? try projector.recollectionForWriting() : nil
    try store.reloadJournal(recalling: logEndCache)
    try store.refuseUnwritableJournal()
    try ownLogKeeper.leaveDamagedLog()
    try ownLogKeeper.leaveRolledBackLog()
    try projector.lossTracker.noteDamagedEnds()
    try store.recoverJournal()
    // If the disk cannot read the log of another device, this device can still write to its own.
    try? store.settleJournal()
    let value = try body()
    isDone = true
    return value
  }

  /// Takes the lock for a sync, unless it is already held, and reads the changes of other processes.
  func holdSyncLock() throws(JournalError) {
    guard store.syncLock == nil else { return }
    do throws(DaybookError) {
      let lock = try store.folder.takeLock()
      (store.syncLock, store.isSettled) = (lock, BookFolder.wasSettled(lock))
      // The ends of the logs must be known before anything is appended.
      try store.reloadJournal()
      try store.refuseUnwritableJournal()
      try ownLogKeeper.leaveDamagedLogBeforeStoring()
      try projector.lossTracker.noteDamagedEnds()
      try store.recoverJournal()
      try wrap(DaybookError.journal) { () throws(JournalError) in try store.settleJournal() }
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .locked(holder: holder)
    } catch {
      // If `book.json` cannot be read, it cannot be written either.
      throw .disk(DiskError(.read, store.layout.bookFile, .invalid))
    }
  }

  /// Makes durable everything that this process has read, whether or not it holds the lock.
  ///
  /// This ensures that everything that is sent survives a power failure.
  ///
  /// A process can read data that another process has written but not yet flushed, or has failed to flush.
  func settleUnderLock() throws(JournalError) {
    if let state = store.diskState, state == store.settledState { return }
    guard !store.isLocked, store.syncLock == nil else { return try store.settleJournal() }
    // The lock may already be held if a later step fails.
    defer { store.releaseSyncLock() }
    try holdSyncLock()
  }
}
