internal import Bytes
internal import Synchronization

/// A cache of valid signatures for programs that verify the same signatures many times, such as a simulation of many
/// worlds.
///
/// The cache stores digests over the key, signature and message, so it never changes a result.
package enum KnownSignatures {
  /// The cache; nil if it is disabled, as in most programs.
  private static let known = Mutex<Set<Digest>?>(nil)

  /// Enables the cache, which is empty at first.
  package static func remember() { known.withLock { $0 = [] } }

  /// Returns whether a signature is valid.
  ///
  /// If a signature is not in the cache, it is verified.
  static func holds(
    _ signature: [UInt8], by key: [UInt8], of message: [UInt8], orElse isTrue: () -> Bool
  ) -> Bool {
    guard known.withLock({ $0 != nil }) else { return isTrue() }
    // The concatenation is unambiguous, because all keys have the same length and all signatures have the same length.
    let name = SHA256.digest(of: key + signature + message)
    if known.withLock({ $0?.contains(name) ?? false }) { return true }
    guard isTrue() else { return false }
    known.withLock { _ = $0?.insert(name) }
    return true
  }
}
