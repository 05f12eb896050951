package import Bytes
package import Crypto

/// A signature that proves a log up to an event.
package struct Head: Hashable, Sendable {
  package let signature: [UInt8]
  /// The encoded map, including any keys that a newer version added.
  package let encoded: [UInt8]

  package init(signature: [UInt8]) {
    precondition(signature.count == PublicKey.signatureByteCount, "an Ed25519 signature")
    self.signature = signature
    var writer = CBORWriter()
    writer.mapHeader(1)
    writer.unsigned(0)
    writer.byteString(signature)
    encoded = writer.bytes
  }

  /// Reads a head; unknown keys of a newer version are kept in ``encoded``.
  init(_ reader: inout CBORReader, in content: Span<UInt8>) throws(CBORError) {
    let map = reader.offset
    var ahead = reader
    let range = try ahead.skip()
    guard range.count <= Limit.headBytes else { throw .tooMany(at: map) }
    guard try reader.mapHeader() > 0 else { throw .wrongLength(expected: 1, at: map) }
    let key = reader.offset
    guard try reader.unsigned() == 0 else { throw .outOfRange(at: key) }
    signature = try reader.byteString(count: PublicKey.signatureByteCount)
    encoded = content.copy(range)
    reader = ahead
  }

  /// Signs a log up to its end.
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
