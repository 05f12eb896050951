internal import Bytes
package import Crypto

/// The inviter's answer to an invitation through a store: which device it admitted, or why it admits none.
///
/// The answer ends the invitation. It stays in the store for some days, so that the joiner, and anyone who finds the
/// invitation later, can read the reason.
package struct KnockAnswer: Hashable, Sendable {
  /// 0 if a device was admitted, otherwise the number of a refusal as in a session.
  package let outcome: UInt64
  /// The key of the device that was admitted or refused; nil if no device has knocked.
  package let key: PublicKey?
  /// The name under which the device was admitted; empty if none was.
  package let name: String
  private let signature: [UInt8]

  /// The outcome that states that a device was admitted.
  package static let admitted: UInt64 = 0

  /// Makes the answer of an inviter.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - key: The key of the device that is answered; nil if there is none.
  ///   - name: The name under which the device was admitted.
  ///   - secret: The secret of the invitation.
  ///   - signer: The key of the inviter.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package init(
    _ outcome: UInt64, to key: PublicKey?, called name: String = "", with secret: KnockSecret,
    signedBy signer: SigningKey
  ) throws(CryptoError) {
    precondition(name.utf8.count <= Self.nameBytes, "a name is short")
    (self.outcome, self.key, self.name) = (outcome, key, name)
    signature = try signer.sign(Self.message(outcome, key, name, secret))
  }

  /// A name that the inviter gives may have a number after the joiner's own name.
  package static let nameBytes = 128

  /// The object in the store.
  package func sealed(with secret: KnockSecret) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(outcome)
    if let key { writer.byteString(key.bytes) } else { writer.null() }
    writer.text(name)
    writer.byteString(signature)
    return secret.seal(writer.bytes, for: .answer)
  }

  /// Opens an answer and checks that the inviter has signed it.
  ///
  /// - Parameters:
  ///   - object: The object in the store.
  ///   - secret: The secret of the invitation, which names the inviter.
  /// - Throws: The first ``KnockError``, in the order of its cases.
  package init(opening object: [UInt8], with secret: KnockSecret) throws(KnockError) {
    let content = try secret.open(object, for: .answer)
    let fields = try KnockError.decode { () throws(CBORError) in try Fields(content.span) }
    guard fields.name.utf8.count <= Self.nameBytes else { throw .name }
    do throws(CryptoError) {
      key = try fields.key.map { bytes throws(CryptoError) in try PublicKey(bytes) }
    } catch {
      throw .signingKey(error)
    }
    (outcome, name, signature) = (fields.outcome, fields.name, fields.signature)
    guard secret.inviter.verifies(signature, of: Self.message(outcome, key, name, secret)) else {
      throw .signature
    }
  }

  /// The message that the inviter signs.
  private static func message(
    _ outcome: UInt64, _ key: PublicKey?, _ name: String, _ secret: KnockSecret
  ) -> [UInt8] {
    KnockSecret.Purpose.answer.bytes + secret.place + secret.name.bytes + outcome.bigEndianBytes
      + (key?.bytes ?? [UInt8](repeating: 0, count: PublicKey.byteCount)) + Array(name.utf8)
  }

  /// The encoded fields of an answer, whose values have not been checked.
  private struct Fields {
    let outcome: UInt64
    let key: [UInt8]?
    let name: String
    let signature: [UInt8]

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 4)
      outcome = try reader.unsigned()
      if try reader.peek() == .null {
        try reader.null()
        key = nil
      } else {
        key = try reader.byteString(count: PublicKey.byteCount)
      }
      name = try reader.text()
      signature = try reader.byteString(count: PublicKey.signatureByteCount)
      try reader.finish()
    }
  }
}
