internal import Bytes
internal import Crypto

/// Encrypts a store key for the recipients of a package.
struct WrapContext {
  private let info: [UInt8]
  private let data: [UInt8]

  init(origin: KeyOrigin, packager: PublicKey) {
    info = Array("daybook key v1".utf8) + origin.book.bytes + origin.key.bytes
    data = packager.bytes + SHA256.digest(of: origin.encoded).bytes
  }

  /// Encrypts the key for a device.
  ///
  /// The key of the exchange is derived from the store key, so a package has the same bytes whenever it is made, and a
  /// copied machine cannot repeat it with another content. Only a holder of the store key could compute it.
  ///
  /// - Parameters:
  ///   - key: The store key.
  ///   - agreement: The agreement key of the device.
  /// - Returns: The encrypted key.
  /// - Throws: ``CryptoError`` if the agreement key is not valid, or OpenSSL fails.
  func wrap(_ key: StoreKey, for agreement: [UInt8]) throws(CryptoError) -> KeyPackage.WrappedKey {
    let seed = key.derive(.wrap, context: data + agreement, count: 32)
    let sealed = try HPKE.seal(
      key.bytes, to: agreement, ephemeral: AgreementKey(seed: seed), info: info,
      authenticating: data)
    return KeyPackage.WrappedKey(recipient: KeyPackage.recipient(agreement), sealed: sealed)
  }

  func unwrap(_ wrap: KeyPackage.WrappedKey, with agreement: AgreementKey) -> [UInt8]? {
    do throws(CryptoError) {
      return try HPKE.open(wrap.sealed, with: agreement, info: info, authenticating: data)
    } catch {
      // An invalid key of the exchange.
      return nil
    }
  }
}
