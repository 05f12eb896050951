package import Bytes
package import Crypto

/// A signature that proves a log up to an event.
package struct Head: Hashable, Sendable {
  package var signature: [UInt8]

  package init(signature: [UInt8]) {
    precondition(signature.count == PublicKey.signatureByteCount, "an Ed25519 signature")
    self.signature = signature
  }

  /// Signs the log as it ends.
  package init(of log: UniqueID, at end: LogEnd, by key: SigningKey) throws(CryptoError) {
    self.init(signature: try key.sign(Self.message(log, end.sequence, end.time, end.hash)))
  }

  package func proves(
    _ log: UniqueID, upTo event: EventRecord, by key: PublicKey
  ) -> Bool {
    key.verifies(
      signature, of: Self.message(log, event.sequence, event.time, event.hash))
  }

  private static func message(
    _ log: UniqueID, _ sequence: UInt64, _ time: Int64, _ hash: Digest
  ) -> [UInt8] {
    let place = UniqueID(high: sequence, low: UInt64(bitPattern: time))
    let bytes = Array("daybook head v1".utf8) + log.bytes + place.bytes + hash.bytes
    return SHA256.digest(of: bytes).bytes
  }
}
