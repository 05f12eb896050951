import Bytes
import Crypto
import Platform
import ReadModel

extension EventWriter {
  /// What the read model remembers of the keys that were found to be a log's own.
  private static let provenKeys = "key"

  /// The keys of the log this device writes, found to be its own: what other keys sign no device ever takes.
  func provenKeys(of log: UniqueID) throws(DaybookError) -> KeptKeys {
    guard let kept = try store.folder.keptKeys(of: log) else {
      throw .noKey(store.layout.key(of: log))
    }
    // To make keys takes as long as half of a command, so what was found once is remembered.
    let proof = log.bytes + kept.digest.bytes
    // A read model that cannot be read remembers nothing.
    if let known = try? projector.model?.settings.value(Self.provenKeys), known == proof {
      return kept
    }
    _ = try localDevice.keys(of: log)
    // Where that cannot be remembered, it is found once more.
    try? projector.model?.settings.keep(Self.provenKeys, proof)
    return kept
  }

  /// Writes down what the logs say of who may write, and what they once said, if it is not written down so.
  ///
  /// It is a second copy: where it cannot be written now, it is at the next opportunity.
  func rememberTrust() {
    do throws(DaybookError) {
      guard try !isTrustRemembered() else { return }
      if store.isLocked { return try saveTrust() }
      try access.withLock { () throws(DaybookError) in try saveTrust() }
    } catch {
      // The events themselves are in their logs.
    }
  }

  private func isTrustRemembered() throws(DaybookError) -> Bool {
    let ledger = try projector.posting().ledger
    return try trustReader.storedTrust() == trustReader.trustRecord(by: ledger)
  }

  private func saveTrust() throws(DaybookError) {
    let record = try trustReader.trustRecord(
      by: try projector.posting().ledger)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try store.machine.disk.replace(store.layout.trust, with: record.bytes)
    }
  }

  /// The key of the log this machine writes.
  func ownKey() throws(DaybookError) -> PublicKey {
    let own = try ownLogKeeper.ownLogForWriting()
    guard let keys = try localDevice.keys(of: own) else {
      throw .noKey(store.layout.key(of: own))
    }
    return keys.signing.publicKey
  }
}
