internal import Bytes
package import Crypto

/// Encrypts a message for the holder of an X25519 key: HPKE (RFC 9180) in its base mode, with
/// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20Poly1305.
///
/// Each encryption context is used for one message. Unlike in the RFC, public keys that are not in canonical form are
/// refused, as they are everywhere in daybook.
package enum HPKE {
  /// The public key of the exchange, and the encrypted message with its tag.
  package struct Sealed: Hashable, Sendable {
    package static let keyBytes = 32
    /// The number of bytes by which the encrypted message is longer than the message.
    package static let tagBytes = ChaCha20Poly1305.tagBytes

    package var encapsulated: [UInt8]
    package var ciphertext: [UInt8]

    package init(encapsulated: [UInt8], ciphertext: [UInt8]) {
      (self.encapsulated, self.ciphertext) = (encapsulated, ciphertext)
    }
  }

  /// Encrypts a message (RFC 9180, section 6.1).
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - recipient: The recipient's public key.
  ///   - ephemeral: The key of the exchange, which must be unpredictable and differ for each message.
  ///   - info: The purpose of the message.
  ///   - data: Data that is authenticated together with the message, but is not part of the result.
  /// - Returns: The encrypted message.
  /// - Throws: ``CryptoError`` if the recipient's key is not valid, or OpenSSL fails.
  package static func seal(
    _ message: [UInt8], to recipient: [UInt8], ephemeral: AgreementKey, info: [UInt8],
    authenticating data: [UInt8]
  ) throws(CryptoError) -> Sealed {
    let exchanged = try ephemeral.sharedSecret(with: recipient)
    let secret = sharedSecret(exchanged, ephemeral.publicKey, recipient)
    let context = Context(secret, info: info)
    let ciphertext = ChaCha20Poly1305.seal(
      message, key: context.key, nonce: context.nonce, authenticating: data)
    return Sealed(encapsulated: ephemeral.publicKey, ciphertext: ciphertext)
  }

  /// Decrypts a message (RFC 9180, section 6.1).
  ///
  /// - Parameters:
  ///   - sealed: The encrypted message.
  ///   - recipient: The recipient's key.
  ///   - info: The purpose of the message.
  ///   - data: The data that was authenticated together with the message.
  /// - Returns: The message, or nil if it was not encrypted for this key, purpose and data.
  /// - Throws: ``CryptoError`` if the key of the exchange is not valid, or OpenSSL fails.
  package static func open(
    _ sealed: Sealed, with recipient: AgreementKey, info: [UInt8], authenticating data: [UInt8]
  ) throws(CryptoError) -> [UInt8]? {
    let exchanged = try recipient.sharedSecret(with: sealed.encapsulated)
    let secret = sharedSecret(exchanged, sealed.encapsulated, recipient.publicKey)
    let context = Context(secret, info: info)
    return ChaCha20Poly1305.open(
      sealed.ciphertext[...], key: context.key, nonce: context.nonce, authenticating: data)
  }

  /// Derives the secret that both sides share (RFC 9180, section 4.1).
  private static func sharedSecret(
    _ exchanged: [UInt8], _ encapsulated: [UInt8], _ recipient: [UInt8]
  ) -> [UInt8] {
    let key = kem.extract("eae_prk", exchanged)
    return kem.expand(key, "shared_secret", encapsulated + recipient, count: 32)
  }

  private static let kem = Suite(Array("KEM".utf8) + [0, 0x20])
  private static let whole = Suite(Array("HPKE".utf8) + [0, 0x20, 0, 1, 0, 3])

  /// The key and the nonce of the first message (RFC 9180, section 5.1).
  private struct Context {
    let key: [UInt8]
    let nonce: [UInt8]

    init(_ shared: [UInt8], info: [UInt8]) {
      // The base mode has no preshared key.
      let baseMode: UInt8 = 0
      let suite = HPKE.whole
      let schedule =
        [baseMode] + suite.extract("psk_id_hash", []).bytes
        + suite.extract("info_hash", info).bytes
      let secret = suite.extract("secret", [], salt: shared)
      key = suite.expand(secret, "key", schedule, count: ChaCha20Poly1305.keyBytes)
      nonce = suite.expand(secret, "base_nonce", schedule, count: ChaCha20Poly1305.nonceBytes)
    }
  }

  /// HKDF with inputs that name the algorithms and the purpose (RFC 9180, section 4).
  private struct Suite {
    private let id: [UInt8]

    init(_ id: [UInt8]) { self.id = id }

    /// `LabeledExtract` from the RFC.
    func extract(_ label: String, _ secret: [UInt8], salt: [UInt8] = []) -> Digest {
      HKDF.extract(Self.version + id + Array(label.utf8) + secret, salt: salt)
    }

    /// `LabeledExpand` from the RFC, for fewer than 256 bytes.
    func expand(_ key: Digest, _ label: String, _ info: [UInt8], count: Int) -> [UInt8] {
      let labeled = Self.version + id + Array(label.utf8) + info
      return HKDF.expand(key, info: [0, UInt8(count)] + labeled, count: count)
    }

    private static let version = Array("HPKE-v1".utf8)
  }
}
