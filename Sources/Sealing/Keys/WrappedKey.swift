package import Bytes
internal import Crypto

/// A store key, encrypted for one device.
package struct WrappedKey: Hashable, Sendable {
  /// The name of the device for this store key, which only those who know its agreement key can compute.
  ///
  /// Each store key gives the device another name, so wrapped keys of one device cannot be linked.
  package let recipient: UniqueID
  package let sealed: HPKE.Sealed

  static let byteCount = StoreKey.byteCount + HPKE.Sealed.tagBytes

  init(recipient: UniqueID, sealed: HPKE.Sealed) {
    (self.recipient, self.sealed) = (recipient, sealed)
  }

  /// Encrypts a key for a device.
  ///
  /// The key of the exchange is derived from the store key. The encrypted key for a device therefore consists of the
  /// same bytes in all packages, and a copied machine cannot encrypt two different messages with one key of the
  /// exchange. Only a holder of the store key can derive the key of the exchange, which protects only the store key.
  init(
    _ key: StoreKey, in book: UniqueID, for agreement: [UInt8]
  ) throws(CryptoError) {
    let info = Self.info(key.id, book)
    let seed = key.derive(.wrap, context: book.bytes + agreement, count: 32)
    recipient = Self.recipient(agreement, of: key.id)
    sealed = try HPKE.seal(
      key.bytes, to: agreement, ephemeral: AgreementKey(seed: seed), info: info,
      authenticating: [])
  }

  /// The id by which a key's packages name a recipient.
  ///
  /// The agreement key cannot be computed from the id, but anyone who knows the agreement key can recognize the device.
  static func recipient(_ agreement: [UInt8], of key: UniqueID) -> UniqueID {
    SHA256.digest(of: Array("daybook recipient v1".utf8) + key.bytes + agreement).prefix16
  }

  func open(with agreement: AgreementKey, key: UniqueID, in book: UniqueID) -> [UInt8]? {
    do throws(CryptoError) {
      return try HPKE.open(
        sealed, with: agreement, info: Self.info(key, book), authenticating: [])
    } catch {
      // The key of the exchange is not valid.
      return nil
    }
  }

  private static func info(_ key: UniqueID, _ book: UniqueID) -> [UInt8] {
    Array("daybook key v1".utf8) + book.bytes + key.bytes
  }
}

extension [WrappedKey] {
  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(count)
    for wrap in self {
      writer.arrayHeader(3)
      writer.uniqueID(wrap.recipient)
      writer.byteString(wrap.sealed.encapsulated)
      writer.byteString(wrap.sealed.ciphertext)
    }
  }
}
