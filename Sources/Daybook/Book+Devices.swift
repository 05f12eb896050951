import Bytes
import Crypto
import Journaling
import ReadModel

/// What revoking a device came to.
package struct Revocation: Sendable {
  /// The device as it was before.
  package var device: Device
  /// The events of all its logs that stay folded.
  package var kept: UInt64
  /// Whether any device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool
}

extension Book {
  /// All devices that have written to the book or wait to be admitted, by name.
  ///
  /// The branches of a forked log stand beside it.
  package func devices() throws(DaybookError) -> [Device] {
    let ledger = try remembered(by: try view()).ledger
    return try devices(by: try trust(by: ledger))
  }

  func devices(by trust: Trust) throws(DaybookError) -> [Device] {
    let own = try lastOwnLog
    let tree = logTree
    var devices: [Device] = []
    for (log, end) in journal.logs {
      guard let key = trust.keys[log] else { continue }
      var device = device(log, key, end, trust.names[log] ?? log.hex, trust, isThis: log == own)
      device.branch = branch(log, tree)
      devices.append(device)
    }
    for (log, end) in journal.aside where tree.forks[log] == nil {
      guard case .open(let opening) = try openEvent(of: log) else { continue }
      devices.append(
        device(log, opening.publicKey, end, opening.name, trust, isThis: log == own))
    }
    try tellClocks(of: &devices)
    Self.tellNamesakes(of: &devices)
    return devices.sorted {
      ($0.name, $0.branch ?? 0, $0.replica) < ($1.name, $1.branch ?? 0, $1.replica)
    }
  }

  private static func tellNamesakes(of devices: inout [Device]) {
    var keys: [String: Set<[UInt8]>] = [:]
    for device in devices where !device.isFormerKey {
      keys[device.name, default: []].insert(device.key)
    }
    for index in devices.indices where !devices[index].isFormerKey {
      devices[index].hasNamesake = keys[devices[index].name]?.count ?? 0 > 1
    }
  }

  /// Which branch of its replica's log a branch is, in an order that all who hold the same agree on.
  private func branch(_ log: UniqueID, _ tree: LogTree) -> Int? {
    guard tree.forks[log] != nil else { return nil }
    return tree.subtree(of: tree.replica(of: log)).dropFirst().firstIndex(of: log)
  }

  private func device(
    _ log: UniqueID, _ key: PublicKey, _ end: LogEnd, _ name: String, _ trust: Trust, isThis: Bool
  ) -> Device {
    let standing: Device.Standing =
      if trust.revokedKeys.contains(key) {
        .revoked
      } else if trust.founder == log {
        .founder
      } else {
        trust.admitted[log] == nil ? .waiting : .admitted
      }
    let before = journal.lineage(of: log).first - 1
    let last = standing == .revoked ? min(trust.admitted[log] ?? 0, end.sequence) : end.sequence
    return Device(
      replica: log, name: name, fingerprint: key.fingerprint, key: key.bytes,
      events: end.sequence - min(before, end.sequence), cut: end.sequence - max(last, before),
      lastWritten: end.time, standing: standing, isThis: isThis,
      isFormerKey: trust.formerKeys.contains(key))
  }

  /// The device that words name: its name, its id, or the first words of its fingerprint.
  ///
  /// A device may have several logs; it is its key that is one.
  package func device(called words: String) throws(DaybookError) -> Device {
    try Self.device(called: words, among: try devices())
  }

  static func device(
    called words: String, among devices: [Device]
  ) throws(DaybookError) -> Device {
    let found = devices.filter { $0.isCalled(words) }
    guard let device = found.first else { throw .unknownPeer(words) }
    guard Set(found.map(\.key)).count == 1 else {
      throw .severalDevices(words, found.map(\.listedName))
    }
    return device
  }

  /// Lets a waiting device take part.
  package func admit(_ device: Device) throws(DaybookError) {
    try admit([device])
    try settleAfterSync()
  }

  /// Lets a device take part no more; of what it wrote, what is folded here stays.
  package func revoke(_ device: Device) throws(DaybookError) -> Revocation {
    let key = try publicKey(of: device)
    var kept: [Landmark] = []
    try withLock { () throws(DaybookError) in
      var posting = try remembered(by: try view())
      let trust = try trust(by: posting.ledger)
      guard let own = try ownLog, trust.keys[own] != key else { throw .ownKey }
      guard try isTrusted(by: trust) else { throw .notAdmitted }
      guard !trust.revokedKeys.contains(key) else { throw .revokedKey(device.listedName) }
      kept = try landmarks(of: key, trust, posting.ledger)
      _ = try append([], trusting: [.revoke(key, kept: kept)], knowing: &posting)
    }
    let after = try trust(by: try remembered(by: try view()).ledger)
    let events = kept.reduce(0) { sum, landmark in
      sum + landmark.sequence - (journal.lineage(of: landmark.log).first - 1)
    }
    return Revocation(device: device, kept: events, hasTrustedDevice: after.hasTrustedDevice)
  }

  /// Where the folded part of each log and branch of a key ends, with whole commands.
  private func landmarks(
    of key: PublicKey, _ trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> [Landmark] {
    var kept: [Landmark] = []
    for (log, last) in ledger.folded.sorted(by: { $0.key < $1.key }) where trust.keys[log] == key {
      guard let end = journal.logs[log] else { continue }
      let held = min(last, end.sequence)
      let upTo = held == end.sequence ? held : try landmark(of: log, at: held).commandEnd
      guard let hash = try landmark(of: log, at: upTo).hash else { continue }
      kept.append(Landmark(log: log, sequence: upTo, hash: hash))
    }
    return kept
  }
}
