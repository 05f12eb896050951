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
      let tree = logTree
      for log in tree.ordered(journal.aside.keys) {
        try post(log, in: tree, after: 0, to: &posting) { _ in }
      }
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

  /// Admits devices, each key once, by the way on which they were met.
  ///
  /// With `ifWaiting`, devices that another process has admitted meanwhile are left out. Without it they are admitted
  /// by this device, too.
  func admit(
    _ devices: [Device], by route: AdmissionRoute, ifWaiting: Bool = false
  ) throws(DaybookError) {
    guard !devices.isEmpty else { return }
    try withLock { () throws(DaybookError) in
      var posting = try remembered(by: try view())
      let trust = try trust(by: posting.ledger)
      guard try isTrusted(by: trust) else { throw .notAdmitted }
      var verbs: [TrustVerb] = []
      var keys: Set<PublicKey> = []
      for device in devices where keys.insert(try publicKey(of: device)).inserted {
        let key = try publicKey(of: device)
        guard !trust.revokedKeys.contains(key) else { throw .revokedKey(device.listedName) }
        if ifWaiting, trust.admittedKeys.contains(key) { continue }
        verbs.append(.admit(key, name: device.name, route: route))
      }
      if verbs.isEmpty { return }
      _ = try append([], trusting: verbs, knowing: &posting)
    }
    try settleShelves()
  }

  /// The devices that wait for somebody to admit them.
  func waitingDevices() throws(DaybookError) -> [Device] {
    var waiting: [Device] = []
    for device in try devices() where device.standing == .waiting && !device.isThis {
      // A log that was begun under a new key, and cut short, is nobody's to admit.
      if try keys(of: device.replica) == nil { waiting.append(device) }
    }
    return waiting
  }

  /// Those of the devices that none of the others has revoked.
  ///
  /// When two books become one, who is cut in the one is not admitted to the other.
  func uncut(_ devices: [Device]) throws(DaybookError) -> [Device] {
    guard !devices.isEmpty else { return [] }
    var posting = try foldedSoFar()
    let tree = logTree
    for log in journal.aside.keys.sorted() {
      try post(log, in: tree, after: 0, to: &posting) { _ in }
    }
    let logs = Set(devices.map(\.replica))
    var revoked: Set<[UInt8]> = []
    for event in posting.ledger.trustEvents where logs.contains(event.log) {
      if case .revoke(let key, _) = event.verb { revoked.insert(key.bytes) }
    }
    return devices.filter { !revoked.contains($0.key) }
  }

  /// Whether the book folds what this device writes.
  func isAdmitted() throws(DaybookError) -> Bool {
    try isTrusted(by: try trust(by: try remembered(by: try view()).ledger))
  }

  /// Whether what this device writes next counts.
  func isTrusted(by trust: Trust) throws(DaybookError) -> Bool {
    guard let own = try lastOwnLog else { return false }
    return trust.admitted[own] == .max
  }

  func publicKey(of device: Device) throws(DaybookError) -> PublicKey {
    try wrap({ [layout] in DaybookError.keys(layout.keys, $0) }) { () throws(CryptoError) in
      try PublicKey(device.key)
    }
  }
}
