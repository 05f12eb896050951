import Platform
import Syncing

/// What is remembered of the devices that this one has synced with.
final class PeerNotes {
  let store: LogStore
  /// Problems of saving peers that are not reported yet.
  var unnoted: [SyncProblem] = []

  init(in store: LogStore) { self.store = store }

  func peers() throws(DaybookError) -> Peers {
    do throws(DiskError) {
      return Peers(
        parsing: try store.machine.disk.contents(
          of: store.layout.peers, limit: 1 << 22))
    } catch {
      // A file that has grown too large is started again.
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return Peers()
    }
  }

  /// Saves something about a peer; a full disk becomes a problem in the receipt, because the sync itself succeeded.
  func noteWhereRoom(
    in path: Path, _ note: () throws(DaybookError) -> Void
  ) throws(DaybookError) {
    do throws(DaybookError) { try note() } catch {
      guard error.isRefusalOfTheDisk, let fault = error.diskFault else { throw error }
      let problem = SyncProblem.notNoted(path, fault.reason)
      if !unnoted.contains(problem) { unnoted.append(problem) }
    }
  }

  /// Returns the problems of saving peers since the last call.
  func takeUnnoted() -> [SyncProblem] {
    defer { unnoted = [] }
    return unnoted
  }

  /// Changes what is remembered of peers.
  ///
  /// Several are often met at the same time.
  func changePeers(_ change: (inout Peers) -> Void) throws(DaybookError) {
    let lock: HeldLock?
    do throws(DaybookError) {
      lock = store.isLocked || store.syncLock != nil ? nil : try store.folder.takeLock()
    } catch {
      // It only saves work the next time, so a finished sync must not fail because of it.
      guard case .busy = error else { throw error }
      return
    }
    defer { if let lock { store.folder.releaseUnused(lock) } }
    var peers = try peers()
    change(&peers)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try store.machine.disk.replace(store.layout.peers, with: peers.bytes)
    }
  }
}
