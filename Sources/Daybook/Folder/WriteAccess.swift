import Journaling
import Platform

/// Lets one writer at a time change the book, with all as other processes left it.
struct WriteAccess {
  let store: LogStore
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector

  /// Does something that writes, with the folder's lock held and all as other processes left it.
  ///
  /// Where it writes to the own log only, the ends of others' need not be read, nor of that one more than the last frame.
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
    // What may not be on the disk is to be written once more, and so to be read.
    let logEndCache = isOwnOnly && store.isSettled ? try projector.recollectionForWriting() : nil
    try store.reloadJournal(recalling: logEndCache)
    try store.refuseUnwritableJournal()
    try ownLogKeeper.leaveDamagedLog()
    try ownLogKeeper.leaveRolledBackLog()
    try store.recoverJournal()
    // If the disk cannot read another device's log, this device can still write to its own.
    try? store.settleJournal()
    let value = try body()
    isDone = true
    return value
  }

  /// Takes the lock for what comes, unless it is held for that already, with all as other processes left it.
  func holdSyncLock() throws(JournalError) {
    guard store.syncLock == nil else { return }
    do throws(DaybookError) {
      let lock = try store.folder.takeLock()
      (store.syncLock, store.isSettled) = (lock, BookFolder.wasSettled(lock))
      // Whatever has become of the ends of the logs, it is to be known before anything is put behind them.
      try store.reloadJournal()
      try store.refuseUnwritableJournal()
      try ownLogKeeper.leaveDamagedLogBeforeStoring()
      try store.recoverJournal()
      try wrap(DaybookError.journal) { () throws(JournalError) in try store.settleJournal() }
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .locked(holder: holder)
    } catch {
      // A book.json that cannot be read cannot be written either.
      throw .disk(DiskError(.read, store.layout.bookFile, .invalid))
    }
  }

  /// Makes durable what this process has read, whether it holds the lock or not: nothing goes out that a power cut
  /// could take.
  ///
  /// What others write it can read before they flush it, or after they failed to.
  func settleUnderLock() throws(JournalError) {
    if let state = store.diskState, state == store.settledState { return }
    guard !store.isLocked, store.syncLock == nil else { return try store.settleJournal() }
    // It may be held already where what follows fails.
    defer { store.releaseSyncLock() }
    try holdSyncLock()
  }
}
