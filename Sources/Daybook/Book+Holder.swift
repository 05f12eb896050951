package import Bytes
import Crypto
package import Journaling
import Platform
package import Syncing

/// A book takes part in a sync as itself. The folder's lock is held from the first frame that is taken in to
/// the commit, and not while others are waited for: so two books that sync with each other never wait in a ring.
extension Book: Holder {
  package var hello: Hello {
    let frontier = Frontier(
      journal.logs.map { log, end in Place(log: log, sequence: end.sequence, hash: end.hash) })
    // A device that has written nothing yet has no log to be known by.
    let replica = (try? ownLog) ?? nil
    return Hello(
      book: isJoining || file.book == .none ? nil : file.book, formerBooks: file.formerly,
      replica: replica ?? .none, frontier: frontier)
  }

  package func forEachFrame(
    of log: UniqueID, after sequence: UInt64, _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError) {
    let keys = try exportKeys(of: log)
    var export = try wrap(SyncError.journal) { () throws(JournalError) in
      let hash = sequence == 0 ? nil : try journal.hash(of: log, at: sequence)
      let held = hash.map { [Place(log: log, sequence: sequence, hash: $0)] } ?? []
      return try journal.export(of: log, lackedBy: held, keys: keys)
    }
    while let frame = try nextFrame(&export) { try visit(frame) }
  }

  private func nextFrame(_ export: inout ReplicaExport) throws(SyncError) -> [UInt8]? {
    do throws(JournalError) { return try export.next() } catch { throw .journal(error) }
  }

  /// The keys to sign a head with; others' logs end where their own heads are.
  private func exportKeys(of log: UniqueID) throws(SyncError) -> DeviceKeys? {
    do throws(DaybookError) {
      return try keys(of: log)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // A key file that cannot be read: what others have signed still goes out.
      return nil
    }
  }

  package func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    try journal.hash(of: log, at: sequence)
  }

  package func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    try holdLock()
    let shelf: Journal.Shelf
    do throws(DaybookError) {
      shelf = try self.shelf(for: log, firstFrame: frame)
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // Who is trusted cannot be told now, so nobody new is.
      shelf = .aside
    }
    try journal.receive(frame, of: log, on: shelf)
  }

  package func commit() throws(JournalError) -> Frontier {
    if syncLock != nil { _ = try journal.commit() }
    // After a failure the lock stays: another call goes on with the other logs, and a sync that ends releases it.
    releaseLock()
    return hello.frontier
  }

  /// Takes the lock for what comes, unless this sync has it already.
  private func holdLock() throws(JournalError) {
    guard syncLock == nil else { return }
    do throws(DaybookError) {
      syncLock = try takeLock()
      try reloadJournal()
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .locked(holder: holder)
    } catch {
      preconditionFailure("taking the lock throws nothing else: \(error)")
    }
  }

  func releaseLock() {
    guard let token = syncLock.take() else { return }
    // The lock ends with the token, whatever the disk says to closing it.
    try? machine.disk.close(token)
  }
}

extension UniqueID {
  /// Stands where there is no id yet.
  static let none = UniqueID(high: 0, low: 0)
}
