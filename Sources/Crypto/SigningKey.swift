internal import Synchronization

/// The Ed25519 key with which a device signs.
///
/// Making one costs about 0.15 ms and the first signature as much again, so a process makes it when
/// it has something to sign.
package final class SigningKey: Sendable {
  /// The private key itself, drawn from the machine's dice.
  package let seed: [UInt8]
  package let publicKey: PublicKey
  private let handle: Mutex<KeyHandle>

  package init(seed: [UInt8]) throws(CryptoError) {
    let handle = try KeyHandle(.ed25519, seed: seed)
    self.seed = seed
    publicKey = try PublicKey(handle.publicKey())
    self.handle = Mutex(handle)
  }

  /// Signs the message; the same message always has the same signature, of 64 bytes.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try handle.withLock { (handle: inout KeyHandle) throws(CryptoError) in
      try handle.sign(message)
    }
  }
}
