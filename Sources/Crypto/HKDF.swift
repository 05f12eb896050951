package import Bytes

/// Derives keys from a secret with HKDF-SHA-256 (RFC 5869).
package enum HKDF {
  /// The maximum length of a derived key, in bytes: 255 HMAC codes (RFC 5869, section 2.3).
  package static let countLimit = 255 * 32

  /// Derives `count` bytes by extracting and expanding.
  ///
  /// - Parameters:
  ///   - secret: The secret, of any length.
  ///   - salt: A value that need not be secret. An empty salt has the same effect as 32 zero bytes.
  ///   - info: The purpose of the key. Keys with different purposes are independent of each other.
  ///   - count: The number of bytes, at most ``countLimit``.
  /// - Returns: The derived bytes.
  package static func derive(
    from secret: [UInt8], salt: [UInt8] = [], info: [UInt8], count: Int
  ) -> [UInt8] {
    expand(extract(secret, salt: salt), info: info, count: count)
  }

  /// Concentrates a secret into a pseudorandom key (RFC 5869, section 2.2).
  package static func extract(_ secret: [UInt8], salt: [UInt8] = []) -> Digest {
    // HMAC pads a key with zeros to the length of a block, so this key is equivalent to an empty one.
    HMAC.code(of: secret, with: salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt)
  }

  /// Expands a pseudorandom key to `count` bytes (RFC 5869, section 2.3).
  package static func expand(_ key: Digest, info: [UInt8], count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= countLimit, "HKDF gives at most 255 codes")
    let secret = key.bytes
    var bytes: [UInt8] = []
    var code: [UInt8] = []
    var number: UInt8 = 0
    while bytes.count < count {
      number += 1
      code = HMAC.code(of: code + info + [number], with: secret).bytes
      bytes += code
    }
    return Array(bytes.prefix(count))
  }
}
