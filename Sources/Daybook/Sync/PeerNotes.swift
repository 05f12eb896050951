import Platform
import Syncing

/// Reads and changes the file `peers`, which stores the state of the devices with which this device has synced.
final class PeerNotes {
  let store: LogStore
  /// Problems with saving peers that have not been reported yet.
  var unnoted: [SyncProblem] = []

  init(in store: LogStore) { self.store = store }

  func peers() throws(DaybookError) -> Peers {
    do throws(DiskError) {
      return Peers(
        parsing: try store.machine.disk.contents(
          of: store.layout.peers, limit: 1 << 22))
    } catch {
      // If the file is missing or has grown too large, start with an empty file.
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return Peers()
    }
  }

  /// Saves data about a peer.
  ///
  /// A full disk only becomes a problem in the receipt, because the sync itself succeeded.
  func noteWhereRoom(
    in path: Path, _ note: () throws(DaybookError) -> Void
  ) throws(DaybookError) {
    do throws(DaybookError) { try note() } catch {
      guard error.isRefusalOfTheDisk, let fault = error.diskFault else { throw error }
      let problem = SyncProblem.notNoted(path, fault.reason)
      if !unnoted.contains(problem) { unnoted.append(problem) }
    }
  }

  /// Returns the problems with saving peers since the last call.
  func takeUnnoted() -> [SyncProblem] {
    defer { unnoted = [] }
    return unnoted
  }

  /// Changes the stored state of peers.
  ///
  /// The file is locked during the change, because this device often syncs with several peers at the same time.
  func changePeers(_ change: (inout Peers) -> Void) throws(DaybookError) {
    do throws(DaybookError) {
      try store.withFolderLock { _ throws(DaybookError) in
        var peers = try peers()
        change(&peers)
        try wrap(DaybookError.disk) { () throws(DiskError) in
          try store.machine.disk.replace(store.layout.peers, with: peers.bytes)
        }
      }
    } catch {
      // The file only saves work at the next sync, so this sync must not fail because of it.
      guard case .busy = error else { throw error }
    }
  }
}
