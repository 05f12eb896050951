package import Bytes
internal import Crypto

/// A key of a sealed store.
///
/// A device with the key can read every object that is sealed with it.
package struct StoreKey: Hashable, Sendable {
  package static let byteCount = 32

  /// The key itself, which comes from the machine's random source.
  package let bytes: [UInt8]
  /// The key's name, from which the key cannot be computed.
  package let id: UniqueID

  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "a store key has 32 bytes")
    self.bytes = bytes
    id = SHA256.digest(of: Array("daybook key id v1".utf8) + bytes).prefix16
  }

  /// The purposes of keys that are derived from a store key.
  enum Purpose: String {
    case name = "daybook name v1"
    case salt = "daybook object salt v1"
    case object = "daybook object v1"
    case wrap = "daybook key wrap v1"
    case statementSalt = "daybook statement salt v1"
    case statement = "daybook statement v1"
  }

  /// Derives bytes for one purpose with HKDF-SHA-256 (RFC 5869).
  ///
  /// - Parameters:
  ///   - purpose: The purpose, which is the beginning of HKDF's info.
  ///   - salt: The salt for HKDF.
  ///   - context: The rest of the info.
  ///   - count: The number of bytes.
  /// - Returns: The bytes.
  func derive(
    _ purpose: Purpose, salt: [UInt8] = [], context: [UInt8] = [], count: Int
  ) -> [UInt8] {
    HKDF.derive(
      from: bytes, salt: salt, info: Array(purpose.rawValue.utf8) + context, count: count)
  }
}

extension StoreKey: CustomStringConvertible {
  // Without this property, a message that contains the key would reveal it.
  package var description: String { "StoreKey(\(id.hex))" }
}
