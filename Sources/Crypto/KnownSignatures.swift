internal import Bytes
internal import Synchronization

/// A cache of valid signatures, for a program that verifies the same ones many times, such as one that runs simulated
/// worlds.
///
/// The cache stores digests of key, signature and message, so it never changes a result.
package enum KnownSignatures {
  /// nil if nothing is cached, as in every other program.
  private static let known = Mutex<Set<Digest>?>(nil)

  /// Empties the cache, and caches valid signatures from now on.
  package static func remember() { known.withLock { $0 = [] } }

  /// Returns whether a signature is valid, from the cache or by verifying it.
  static func holds(
    _ signature: [UInt8], by key: [UInt8], of message: [UInt8], orElse isTrue: () -> Bool
  ) -> Bool {
    guard known.withLock({ $0 != nil }) else { return isTrue() }
    // The encoding is unambiguous, because all keys and all signatures have one length.
    let name = SHA256.digest(of: key + signature + message)
    if known.withLock({ $0?.contains(name) ?? false }) { return true }
    guard isTrue() else { return false }
    known.withLock { _ = $0?.insert(name) }
    return true
  }
}
