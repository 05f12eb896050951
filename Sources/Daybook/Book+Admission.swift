import Bytes
import Crypto
import Domain
import Journaling

extension Book {
  /// Puts logs that somebody has come to trust among those of the book.
  func settleShelves() throws(DaybookError) {
    guard !journal.aside.isEmpty else { return }
    try withLock { () throws(DaybookError) in
      var posting = try foldedSoFar()
      for log in journal.aside.keys.sorted() { try post(log, after: 0, to: &posting) { _ in } }
      let known = try trust(by: posting.ledger).known
      for log in journal.aside.keys.sorted() where known.contains(log) {
        try wrap(DaybookError.journal) { () throws(JournalError) in try journal.admit(log) }
      }
    }
  }

  /// The trust events and pasts of the book's logs, from the read model where that is up to date.
  private func foldedSoFar() throws(DaybookError) -> Posting {
    if journal.logs.isEmpty { return Posting(causality: Causality(), ledger: Ledger()) }
    return try remembered(by: try view())
  }

  /// The devices that wait for somebody to admit them.
  func waitingDevices() throws(DaybookError) -> [Device] {
    try devices().filter { $0.standing == .waiting && !$0.isThis }
  }

  /// Admits devices, each key once.
  func admit(_ devices: [Device]) throws(DaybookError) {
    guard !devices.isEmpty else { return }
    try withLock { () throws(DaybookError) in
      var posting = try remembered(by: try view())
      var verbs: [TrustVerb] = []
      var keys: Set<[UInt8]> = []
      for device in devices where keys.insert(device.key).inserted {
        let key = try wrap({ DaybookError.keys(layout.keys, $0) }) { () throws(CryptoError) in
          try PublicKey(device.key)
        }
        verbs.append(.admit(key, name: device.name))
      }
      _ = try append([], trusting: verbs, knowing: &posting)
    }
    try settleShelves()
  }

  /// Whether the book folds what this device writes.
  func isAdmitted() throws(DaybookError) -> Bool {
    guard let own = try ownLog else { return false }
    return try trust(by: try remembered(by: try view()).ledger).admitted[own] != nil
  }
}
