internal import Bytes
internal import Synchronization

/// Signatures that were found to be true, for a program that looks at the same ones over and over, as one does that lives
/// through simulated worlds.
///
/// What is remembered is the digest of key, signature and message, so the answer is the one that was worked out.
package enum KnownSignatures {
  /// Nil where none are remembered, as in every other program.
  private static let known = Mutex<Set<Digest>?>(nil)

  /// Forgets all that were known, and remembers those that are found from now on.
  package static func remember() { known.withLock { $0 = [] } }

  /// Whether a signature is true, as it is known or else worked out.
  static func holds(
    _ signature: [UInt8], by key: [UInt8], of message: [UInt8], orElse isTrue: () -> Bool
  ) -> Bool {
    guard known.withLock({ $0 != nil }) else { return isTrue() }
    // Keys and signatures are each of one length.
    let name = SHA256.digest(of: key + signature + message)
    if known.withLock({ $0?.contains(name) ?? false }) { return true }
    guard isTrue() else { return false }
    known.withLock { _ = $0?.insert(name) }
    return true
  }
}
