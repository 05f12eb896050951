package import Bytes
import Crypto
import Domain
package import Journaling

/// Moves logs into the book once their devices are trusted.
///
/// Until then, the logs are set aside.
package struct ShelfKeeper {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess

  /// Moves logs that have become trusted into the book.
  func settleShelves() throws(DaybookError) {
    guard !store.journal.aside.isEmpty else { return }
    try access.withLock { () throws(DaybookError) in
      let known = try trustReader.trust(by: try ledgerOfAllLogs()).known
      for log in store.journal.aside.keys.sorted() where known.contains(log) {
        try wrap(DaybookError.journal) { () throws(JournalError) in try store.journal.admit(log) }
      }
    }
  }

  /// The trust events of all logs, including those that are set aside.
  func ledgerOfAllLogs() throws(DaybookError) -> Ledger { try postingOfAllLogs().ledger }

  /// The trust events and causality of all logs, including those that are set aside.
  func postingOfAllLogs() throws(DaybookError) -> Posting {
    var posting = try foldedSoFar()
    let tree = store.logTree
    for log in tree.ordered(store.journal.aside.keys) {
      try projector.replayer.post(log, in: tree, after: 0, to: &posting) { _ in }
    }
    return posting
  }

  /// The trust events and causality of the logs, from the read model if that is up to date.
  private func foldedSoFar() throws(DaybookError) -> Posting {
    if store.journal.logs.isEmpty { return Posting(causality: Causality(), ledger: Ledger()) }
    return try projector.posting()
  }

  /// The given devices, except those that another of them has revoked.
  ///
  /// When two books are joined, a device that was revoked in one is not admitted to the other.
  func uncut(_ devices: [Device]) throws(DaybookError) -> [Device] {
    guard !devices.isEmpty else { return [] }
    let logs = Set(devices.map(\.replica))
    var revoked: Set<[UInt8]> = []
    for event in try ledgerOfAllLogs().trustEvents where logs.contains(event.log) {
      if case .revoke(let key, _) = event.verb { revoked.insert(key.bytes) }
    }
    return devices.filter { !revoked.contains($0.key) }
  }

  /// The shelf for a log whose first frame arrives: the book if a known device has admitted its key, otherwise `aside`.
  ///
  /// Space for logs that are set aside is limited, so only logs of unknown devices are set aside.
  package func shelf(
    for replica: UniqueID, firstFrame: [UInt8]
  ) throws(DaybookError) -> LogShelf {
    // A device that joins accepts the book as the peer has it.
    if store.folder.isJoining || store.journal.end(of: replica, on: .logs) != nil { return .logs }
    guard store.journal.end(of: replica, on: .aside) == nil,
      let key = Frame.openingKey(in: firstFrame)
    else {
      return .aside
    }
    let trust = try projector.trust()
    return trust.knownKeys.contains(key) ? .logs : .aside
  }
}
