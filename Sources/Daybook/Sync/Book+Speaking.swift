import Bytes
import Crypto
import Journaling
import Platform
package import Syncing

extension Book {
  /// What it says of itself to others, as it was last looked at.
  package var hello: Hello {
    // A device that has written nothing has no log to be known by. Where it cannot be told which log is its own,
    // it is met as such a one: the other side then does not remember it as a peer, and loses nothing by that.
    let speaker = (try? ownSpeaker()) ?? nil
    return Hello(
      book: isJoining || file.book == .none ? nil : file.book, formerBooks: file.formerly,
      replica: speaker?.log ?? .none, frontier: frontier,
      incarnation: speaker?.incarnation ?? .none)
  }

  /// The own log, and what binds it to its key.
  private func ownSpeaker() throws(DaybookError) -> (log: UniqueID, incarnation: UniqueID)? {
    guard let log = try ownLog else { return nil }
    if let knownIncarnation, knownIncarnation.log == log { return knownIncarnation }
    guard case .open(let opening) = try openEvent(of: log) else { return nil }
    knownIncarnation = (log, opening.incarnation)
    return knownIncarnation
  }

  var frontier: Frontier {
    // What cannot be read is not told, and so comes once more.
    Frontier((try? journal.places()) ?? [])
  }

  /// The keys to sign a head with; others' logs end where their own heads are.
  func exportKeys(of log: UniqueID) throws(SyncError) -> DeviceKeys? {
    do throws(DaybookError) {
      return try keys(of: log)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // A key file that cannot be read: what others have signed still goes out.
      return nil
    }
  }
}

extension Book {
  /// Takes the lock for what comes, unless it is held for that already, with all as other processes left it.
  func holdSyncLock() throws(JournalError) {
    guard syncLock == nil else { return }
    do throws(DaybookError) {
      let lock = try takeLock()
      (syncLock, isSettled) = (lock, Self.wasSettled(lock))
      // Whatever has become of the ends of the logs, it is to be known before anything is put behind them.
      try reloadJournal()
      try refuseUnwritableJournal()
      try leaveDamagedLogBeforeStoring()
      try recoverJournal()
      try wrap(DaybookError.journal) { () throws(JournalError) in try settleJournal() }
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .locked(holder: holder)
    } catch {
      // A book.json that cannot be read cannot be written either.
      throw .disk(DiskError(.read, layout.bookFile, .invalid))
    }
  }

  /// Makes durable what this process has read, whether it holds the lock or not: nothing goes out that a power cut
  /// could take.
  ///
  /// What others write it can read before they flush it, or after they failed to.
  func settleUnderLock() throws(JournalError) {
    if let diskState, diskState == settledState { return }
    guard !isLocked, syncLock == nil else { return try settleJournal() }
    // It may be held already where what follows fails.
    defer { releaseSyncLock() }
    try holdSyncLock()
  }

  /// Lets others write again.
  func releaseSyncLock() {
    if let lock = syncLock.take() { release(lock) }
  }
}
