internal import Bytes
package import Crypto

/// A statement of who made a store key, and who made a package of this key.
package struct PackageStatement: Hashable, Sendable {
  package let origin: KeyOrigin
  /// The device that encrypted the key.
  package let packager: PublicKey
  package let signature: [UInt8]

  init(origin: KeyOrigin, packager: PublicKey, signature: [UInt8]) {
    (self.origin, self.packager, self.signature) = (origin, packager, signature)
  }

  init(
    origin: KeyOrigin, wraps: [WrappedKey], signedBy signer: SigningKey
  ) throws(CryptoError) {
    let message = Self.message(origin, signer.publicKey, wraps)
    self.init(
      origin: origin, packager: signer.publicKey, signature: try signer.sign(message))
  }

  func isSigned(with wraps: [WrappedKey]) -> Bool {
    packager.verifies(signature, of: Self.message(origin, packager, wraps))
  }

  /// The message that the packager signs.
  private static func message(
    _ origin: KeyOrigin, _ packager: PublicKey, _ wraps: [WrappedKey]
  ) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(3)
    origin.encode(to: &writer)
    writer.byteString(packager.bytes)
    wraps.encode(to: &writer)
    return Array("daybook key package v1".utf8) + writer.bytes
  }

  var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(3)
    origin.encode(to: &writer)
    writer.byteString(packager.bytes)
    writer.byteString(signature)
    return writer.bytes
  }

  /// Decodes a statement without checking its signatures.
  init(decoding bytes: [UInt8]) throws(StoreKeyError) {
    let fields = try StoreKeyError.decode { () throws(CBORError) in try Fields(bytes.span) }
    self.init(
      origin: try KeyOrigin(fields.origin), packager: try PublicKey(stored: fields.packager),
      signature: fields.signature)
  }

  /// The encoded fields of a statement, whose values have not been checked.
  private struct Fields {
    let origin: KeyOrigin.Fields
    let packager: [UInt8]
    let signature: [UInt8]

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 3)
      origin = try KeyOrigin.Fields(&reader)
      packager = try reader.byteString(count: PublicKey.byteCount)
      signature = try reader.byteString(count: PublicKey.signatureByteCount)
      try reader.finish()
    }
  }
}

/// A statement, encrypted with the store key that it describes.
///
/// As for objects, the salt is a code over the content. A commitment is not needed, because the package contains the
/// whole id of the key.
struct SealedStatement: Hashable, Sendable {
  let salt: [UInt8]
  let ciphertext: [UInt8]

  static let saltBytes = 32

  init(salt: [UInt8], ciphertext: [UInt8]) {
    (self.salt, self.ciphertext) = (salt, ciphertext)
  }

  init(_ statement: [UInt8], with key: StoreKey) {
    let salt = HMAC.code(of: statement, with: key.derive(.statementSalt, count: 32)).bytes
    let (secret, nonce) = Self.secrets(of: key, salt: salt)
    self.init(
      salt: salt,
      ciphertext: ChaCha20Poly1305.seal(
        statement, key: secret, nonce: nonce, authenticating: salt))
  }

  func open(with key: StoreKey) -> [UInt8]? {
    let (secret, nonce) = Self.secrets(of: key, salt: salt)
    return ChaCha20Poly1305.open(
      ciphertext[...], key: secret, nonce: nonce, authenticating: salt)
  }

  private static func secrets(
    of key: StoreKey, salt: [UInt8]
  ) -> (secret: [UInt8], nonce: [UInt8]) {
    let secrets = key.derive(.statement, salt: salt, count: 44)
    return (Array(secrets.prefix(32)), Array(secrets.suffix(12)))
  }
}
