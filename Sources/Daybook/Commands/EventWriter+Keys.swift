import Bytes
import Crypto
import Platform
import ReadModel

extension EventWriter {
  /// The setting in the read model for keys that were found to match a log.
  private static let provenKeys = "key"

  /// Returns the keys of this device's own log after checking that they match the log.
  ///
  /// Devices reject events that any other key has signed.
  func provenKeys(of log: UniqueID) throws(DaybookError) -> KeptKeys {
    guard let kept = try store.folder.keptKeys(of: log) else {
      throw .noKey(store.layout.key(of: log))
    }
    // Creating key objects takes half the time of a command, so the result of the check is kept.
    let proof = log.bytes + kept.digest.bytes
    // A read model that cannot be read has no settings.
    if let known = try? projector.model?.settings.value(Self.provenKeys), known == proof {
      return kept
    }
    _ = try localDevice.keys(of: log)
    // If the result cannot be stored, the keys are checked again the next time.
    try? projector.model?.settings.keep(Self.provenKeys, proof)
    return kept
  }

  /// Copies the trust events of the logs to a separate file, unless that copy is up to date.
  ///
  /// If the copy cannot be written now, it is written later.
  func rememberTrust() {
    do throws(DaybookError) {
      guard try newTrust() != nil else { return }
      if store.isLocked { return try saveTrust() }
      try access.withLock { () throws(DaybookError) in try saveTrust() }
    } catch {
      // Nothing is lost, because the logs contain the events.
    }
  }

  private func newTrust() throws(DaybookError) -> TrustRecord? {
    try trustReader.newTrust(by: try projector.posting().ledger)
  }

  private func saveTrust() throws(DaybookError) {
    // Another process may have stored the copy before the book was locked.
    guard let record = try newTrust() else { return }
    let bytes = record.bytes
    // A copy that is too large could not be read back. The stored copy may contain events that the logs have lost.
    guard bytes.count <= TrustReader.trustLimit else { return }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try store.machine.disk.replace(store.layout.trust, with: bytes)
    }
  }

  /// The public key of this device's own log.
  func ownKey() throws(DaybookError) -> PublicKey {
    let own = try ownLogKeeper.ownLogForWriting()
    guard let keys = try localDevice.keys(of: own) else {
      throw .noKey(store.layout.key(of: own))
    }
    return keys.signing.publicKey
  }
}
