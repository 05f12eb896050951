import Bytes
import Crypto
import Journaling

extension DeviceList {
  /// The standing of this device in the book.
  ///
  /// If the device was revoked, the result includes the device that revoked it.
  package func standing() throws(DaybookError) -> Standing {
    let ledger = try projector.posting().ledger
    return try standing(by: try trustReader.trust(by: ledger), ledger)
  }

  func standing(by trust: Trust, _ ledger: Ledger) throws(DaybookError) -> Standing {
    if trustReader.lacksBeginning(trust) { return .beginningMissing }
    guard let own = try localDevice.lastOwnLog else {
      return try standingWithoutLog(by: trust, ledger)
    }
    guard let key = try key(ofOwn: own, by: trust) else { return .unknown }
    guard trust.revokedKeys.contains(key) else {
      return trust.countsNext(after: own, of: key) ? .admitted : .waiting
    }
    return .revoked(try removal(of: key, by: trust, ledger))
  }

  /// The standing of this device if none of its logs is here, because it has written nothing or its log is lost.
  ///
  /// After a loss, the device begins another log with the same key or, if the key is also lost, with a new key, which
  /// is not admitted.
  private func standingWithoutLog(
    by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> Standing {
    guard let lost = try store.folder.lastWrittenLog() else { return .unknown }
    // Another check reports a key that cannot be read.
    guard let keys = (try? localDevice.keys(of: lost)) ?? nil else { return .waiting }
    let key = keys.signing.publicKey
    if trust.revokedKeys.contains(key) {
      return .revoked(try removal(of: key, by: trust, ledger))
    }
    return trust.admittedKeys.contains(key) ? .admitted : .waiting
  }

  /// The first known revocation of a key; the key must be revoked.
  func removal(
    of key: PublicKey, by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> Standing.Removal {
    let roster = Roster(trust, by: ledger)
    let cut = try devicesWithoutClocks(by: roster).filter { $0.key == key.bytes }.reduce(0) {
      $0 + $1.cut
    }
    guard let first = roster.removal(of: key) else {
      preconditionFailure("a key is revoked without a known revocation")
    }
    return Standing.Removal(author: first.author, time: first.time, cut: cut)
  }

  /// The devices waiting to be admitted.
  func waitingDevices() throws(DaybookError) -> [Device] {
    var waiting: [Device] = []
    for device in try devices() where device.standing == .waiting && !device.isThis {
      // A log that this device began with a new key before an interruption belongs to this device, so it is not listed.
      if try localDevice.keys(of: device.replica) == nil { waiting.append(device) }
    }
    return waiting
  }

  /// Whether the events of this device count.
  func isAdmitted() throws(DaybookError) -> Bool {
    try isTrusted(by: try projector.trust())
  }

  /// Whether the next event of this device will take effect.
  func isTrusted(by trust: Trust) throws(DaybookError) -> Bool {
    guard let own = try localDevice.lastOwnLog, let key = try key(ofOwn: own, by: trust) else {
      return false
    }
    return trust.countsNext(after: own, of: key)
  }

  /// The key of a log of this device; nil if neither the book nor the device contains the key.
  ///
  /// If the first event of the log is lost, only the device itself has the key.
  private func key(ofOwn log: UniqueID, by trust: Trust) throws(DaybookError) -> PublicKey? {
    if let key = trust.keys[log] { return key }
    return try localDevice.keys(of: log)?.signing.publicKey
  }

  /// Whether any remaining device can admit others.
  package func hasTrustedDevice() throws(DaybookError) -> Bool {
    try projector.trust().hasTrustedDevice
  }

  func publicKey(of device: Device) throws(DaybookError) -> PublicKey {
    try wrap({ [layout = store.layout] in DaybookError.keys(layout.keys, $0) }) {
      () throws(CryptoError) in
      try PublicKey(device.key)
    }
  }
}

extension Trust {
  /// Whether the next event that a device writes will take effect.
  ///
  /// If the first event of its log is lost, the device begins another log with the same key.
  fileprivate func countsNext(after own: UniqueID, of key: PublicKey) -> Bool {
    keys[own] == nil
      ? admittedKeys.contains(key) && !revokedKeys.contains(key) : admitted[own] == .max
  }
}
