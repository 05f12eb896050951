package import Bytes
import Crypto
import Journaling

/// Admits devices, and changes their names, keys and quotas.
package struct DeviceAdmin {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let ownLogKeeper: OwnLogKeeper
  let deviceList: DeviceList
  let shelves: ShelfKeeper
  let settler: SyncSettler
  let quotas: QuotaKeeper

  /// Admits devices, each key once, and records the route by which they were met.
  ///
  /// With `ifWaiting`, devices that another process has admitted in the meantime are skipped. Otherwise, this device
  /// admits them as well.
  func admit(
    _ devices: [Device], by route: AdmissionRoute, ifWaiting: Bool = false
  ) throws(DaybookError) {
    guard !devices.isEmpty else { return }
    try access.withLock { () throws(DaybookError) in
      var posting = try projector.posting()
      let trust = try trustReader.trust(by: posting.ledger)
      guard try deviceList.isTrusted(by: trust) else { throw .notAdmitted }
      var verbs: [TrustVerb] = []
      var keys: Set<PublicKey> = []
      for device in devices where keys.insert(try deviceList.publicKey(of: device)).inserted {
        let key = try deviceList.publicKey(of: device)
        guard !trust.revokedKeys.contains(key) else { throw .revokedKey(device.listedName) }
        if ifWaiting, trust.admittedKeys.contains(key) { continue }
        verbs.append(.admit(key, name: device.name, route: route))
      }
      if verbs.isEmpty { return }
      _ = try writer.append([], trusting: verbs, knowing: &posting)
    }
    try shelves.settleShelves()
  }

  /// Admits a waiting device.
  ///
  /// The admission also removes the bodies that the device has erased.
  package func admit(_ device: Device) throws(DaybookError) {
    try admit([device], by: .command)
    try settler.settleAfterSync()
  }

  /// Whether a string can be a device name: a single line that is not blank and does not end like an event in a
  /// command, as in `phone:3`.
  private static func canBeDeviceName(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard name.utf8.count <= Device.nameBytes, scalars.contains(where: { !$0.isBlank }),
      !scalars.contains(where: { $0.value < 0x20 })
    else { return false }
    let number = name.reversed().prefix { ("0"..."9").contains($0) }
    return number.isEmpty || name.dropLast(number.count).last != ":"
  }

  /// Renames a device; the new name takes effect on each machine once that machine has received the event.
  ///
  /// A new name replaces every name that its author had seen. If names were given concurrently, all machines show the
  /// same name.
  package func rename(_ device: Device, to name: String) throws(DaybookError) {
    guard Self.canBeDeviceName(name) else { throw .badDeviceName(name) }
    let key = try deviceList.publicKey(of: device)
    try access.withLock { () throws(DaybookError) in
      var posting = try projector.posting()
      let roster = Roster(try trustReader.trust(by: posting.ledger), by: posting.ledger)
      let trust = roster.trust
      guard try deviceList.isTrusted(by: trust) else { throw .notAdmitted }
      // Names are part of admissions. A revoked device can also be renamed, so that another device can have its name;
      // no admission makes the revoked key count again.
      guard trust.admittedKeys.contains(key) else {
        if trust.revokedKeys.contains(key) { throw .revokedKey(device.listedName) }
        throw .namedBeforeAdmission(
          device.listedName, key: device.fingerprint.prefix(2).joined(separator: "-"))
      }
      // A revoked device that cannot be renamed does not block its name.
      let named = Set(trust.admittedKeys.map(\.bytes))
      let namesakes = try deviceList.devicesWithoutClocks(by: roster).filter { other in
        other.key != device.key && other.isCalled(name)
          && (other.standing != .revoked || named.contains(other.key))
      }
      if let revoked = namesakes.first, namesakes.allSatisfy({ $0.standing == .revoked }) {
        throw .nameOfRevokedDevice(name, key: revoked.fingerprint.prefix(2).joined(separator: "-"))
      }
      guard namesakes.isEmpty else { throw .deviceNameTaken(name) }
      let last = posting.ledger.trustEvents.compactMap { event -> UInt64? in
        if case .admit(key, _, let naming, _) = event.verb { naming } else { nil }
      }.max()
      let naming = min(last ?? 0, .max - 1) + 1
      _ = try writer.append(
        [], trusting: [.admit(key, name: name, naming: naming)], knowing: &posting)
      if device.isThis {
        // The name is used for logs that begin from now on.
        store.folder.file.device = name
        try store.folder.saveFile()
      }
    }
    try settler.settleAfterSync()
  }

  /// Gives this device a new key, which the old key admits.
  ///
  /// An interrupted change can be repeated, and then uses the key that was already admitted.
  package func rekey() throws(DaybookError) -> Rekeying {
    let done = try access.withLock { () throws(DaybookError) in
      let old = try ownLogKeeper.ownLogForWriting()
      var posting = try projector.posting()
      let trust = try trustReader.trust(by: posting.ledger)
      guard let oldKey = trust.keys[old] else { throw .journal(.damaged(old)) }
      let isTrusted = trust.admitted[old] == .max
      let begun = isTrusted ? try begunKeys(after: oldKey, posting.ledger, trust) : nil
      let keys: DeviceKeys
      if let begun { keys = begun } else { keys = try store.folder.newKeys() }
      let key = keys.signing.publicKey
      if isTrusted, begun == nil {
        // The key is stored first, under the name of a log with incarnation zero, so that no admitted key is lost.
        try store.folder.keep(keys, of: .replica(publicKey: key, incarnation: .none))
        _ = try writer.append(
          [],
          trusting: [
            .admit(key, name: trust.names[old] ?? store.file.device, route: .newKey)
          ],
          knowing: &posting)
      }
      let replica = try ownLogKeeper.beginLog(of: keys, leaving: old)
      try localDevice.noteLeftLog()
      store.folder.file.writers[try store.folder.mark()] = replica
      try store.folder.saveFile()
      writer.rememberTrust()
      return Rekeying(
        replica: replica, fingerprint: key.fingerprint, formerFingerprint: oldKey.fingerprint,
        isAdmitted: isTrusted)
    }
    _ = try projector.view()
    return done
  }

  /// The keys that were admitted for this device and never used, because the change was interrupted.
  private func begunKeys(
    after oldKey: PublicKey, _ ledger: Ledger, _ trust: Trust
  ) throws(DaybookError) -> DeviceKeys? {
    var taken: Set<PublicKey> = []
    for replica in store.file.writers.values {
      if let key = trust.keys[replica] { taken.insert(key) }
    }
    for event in ledger.trustEvents.reversed() where trust.keys[event.log] == oldKey {
      guard case .admit(let key, _, _, _) = event.verb, !taken.contains(key),
        !trust.revokedKeys.contains(key), trust.successors[key] == nil
      else { continue }
      let kept = try localDevice.keys(of: .replica(publicKey: key, incarnation: .none))
      if let kept { return kept }
    }
    return nil
  }

  /// Sets the quota of a device.
  ///
  /// If the quota is raised, events that the old quota held back are received at the next sync.
  package func setQuota(_ quota: Quota, of device: Device) throws(DaybookError) {
    let key = try deviceList.publicKey(of: device)
    try access.withLock { () throws(DaybookError) in
      store.folder.file.quotas[key] = quota == .standard ? nil : quota
      try store.folder.saveFile()
    }
  }

  /// Raises the quotas of devices whose logs came with a joined book to twice what they have written.
  ///
  /// The raised quotas allow an existing book to be joined without setting quotas by hand.
  func allowWhatWasJoined() throws(DaybookError) {
    let accounts = try quotas.currentAccounts()
    let large = accounts.usage.filter { key, used in
      !(used + used).fits(accounts.quota(of: key))
    }
    guard !large.isEmpty else { return }
    try access.withLock { () throws(DaybookError) in
      for (key, used) in large {
        let (quota, twice) = (accounts.quota(of: key), used + used)
        store.folder.file.quotas[key] = Quota(
          logs: max(quota.logs, twice.logs), events: max(quota.events, twice.events),
          bytes: max(quota.bytes, twice.bytes))
      }
      try store.folder.saveFile()
    }
  }
}

/// The result of changing the key of this device.
package struct Rekeying: Sendable {
  /// The log that the device writes from now on.
  package var replica: UniqueID
  /// The words of the new key.
  package var fingerprint: [String]
  /// The words of the old key.
  package var formerFingerprint: [String]
  /// Whether the old key has admitted the new key.
  ///
  /// Otherwise, another device must admit the new key.
  package var isAdmitted: Bool
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool {
    properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
