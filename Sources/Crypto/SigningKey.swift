internal import Synchronization

/// The Ed25519 key with which a device signs.
///
/// Creating a key takes about 0.15 ms, as does the first signature. A process therefore creates the key only when it
/// has something to sign.
package final class SigningKey: Sendable {
  /// The private key, which comes from the machine's random source.
  package let seed: [UInt8]
  package let publicKey: PublicKey
  private let handle: Mutex<KeyHandle>

  package init(seed: [UInt8]) throws(CryptoError) {
    let handle = try KeyHandle(.ed25519, seed: seed)
    self.seed = seed
    publicKey = try PublicKey(handle.publicKey())
    self.handle = Mutex(handle)
  }

  /// Returns the 64-byte signature of the given message.
  ///
  /// The same message always has the same signature.
  ///
  /// - Parameter message: The message.
  /// - Returns: The signature.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try handle.withLock { (handle: inout KeyHandle) throws(CryptoError) in
      try handle.sign(message)
    }
  }
}
