internal import Bytes
package import Crypto

/// The request of a device that wants to join a book through a store: its keys and its name.
///
/// The device signs the request, so nobody else can ask for a key of the book in its name.
package struct Knock: Hashable, Sendable {
  /// The keys of the joining device.
  package let joiner: KeyRecipient
  /// The name that the device uses for itself.
  package let name: String
  private let signature: [UInt8]

  /// The maximum length of a name, in bytes.
  package static let nameBytes = 100

  /// Makes the request of a device.
  ///
  /// - Parameters:
  ///   - keys: The keys of the device.
  ///   - name: The name of the device: 1 to ``nameBytes`` bytes, without control characters.
  ///   - secret: The secret of the invitation.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package init(
    by keys: DeviceKeys, called name: String, with secret: KnockSecret
  ) throws(CryptoError) {
    precondition(Self.isName(name), "a name is short and has no control characters")
    joiner = try KeyRecipient(
      signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
    self.name = name
    signature = try keys.signing.sign(Self.message(joiner, name, secret))
  }

  /// The object in the store.
  package func sealed(with secret: KnockSecret) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    encode(to: &writer)
    writer.byteString(signature)
    return secret.seal(writer.bytes, for: .knock)
  }

  /// Opens a request and checks its signature.
  ///
  /// - Parameters:
  ///   - object: The object in the store.
  ///   - secret: The secret of the invitation.
  /// - Throws: The first ``KnockError``, in the order of its cases.
  package init(opening object: [UInt8], with secret: KnockSecret) throws(KnockError) {
    let content = try secret.open(object, for: .knock)
    let fields = try KnockError.decode { () throws(CBORError) in try Fields(content.span) }
    guard Self.isName(fields.name) else { throw .name }
    let signing: PublicKey
    do throws(CryptoError) { signing = try PublicKey(fields.signing) } catch {
      throw .signingKey(error)
    }
    do throws(CryptoError) {
      joiner = try KeyRecipient(signing: signing, agreement: fields.agreement)
    } catch {
      throw .agreementKey(error)
    }
    (name, signature) = (fields.name, fields.signature)
    guard signing.verifies(signature, of: Self.message(joiner, name, secret)) else {
      throw .signature
    }
  }

  private func encode(to writer: inout CBORWriter) {
    writer.byteString(joiner.signing.bytes)
    writer.byteString(joiner.agreement)
    writer.text(name)
  }

  /// The message that the device signs, which applies to this invitation only.
  private static func message(
    _ joiner: KeyRecipient, _ name: String, _ secret: KnockSecret
  ) -> [UInt8] {
    KnockSecret.Purpose.knock.bytes + secret.place + secret.name.bytes + joiner.signing.bytes
      + joiner.agreement + Array(name.utf8)
  }

  /// Whether a text can be the name of a device in a request.
  package static func isName(_ text: String) -> Bool {
    (1...nameBytes).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }

  /// The encoded fields of a request, whose values have not been checked.
  private struct Fields {
    let signing: [UInt8]
    let agreement: [UInt8]
    let name: String
    let signature: [UInt8]

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 4)
      signing = try reader.byteString(count: PublicKey.byteCount)
      agreement = try reader.byteString(count: HPKE.Sealed.keyBytes)
      name = try reader.text()
      signature = try reader.byteString(count: PublicKey.signatureByteCount)
      try reader.finish()
    }
  }
}
