package import Bytes

/// What the key comes from that signs, where there is something to sign.
package protocol SigningSource: Sendable {
  func signingKey() throws(CryptoError) -> SigningKey
}

extension DeviceKeys: SigningSource {
  package func signingKey() -> SigningKey { signing }
}

/// The keys of a device as they lie in its file.
///
/// To make them has OpenSSL look for its algorithms, which takes as long as half of a command that signs nothing.
package struct KeptKeys: SigningSource {
  private let signingSeed: [UInt8]
  private let agreementSeed: [UInt8]

  /// Reads the two `PRIVATE KEY` blocks of a file.
  ///
  /// Blank lines and the line ends of other systems are forgiven; nothing else is.
  ///
  /// - Throws: ``CryptoError/unreadablePEM`` when anything but the two blocks is there.
  package init(pem: String) throws(CryptoError) {
    // Two blocks take 240 bytes. A longer text is not looked at.
    guard pem.utf8.count <= 1_024 else { throw .unreadablePEM }
    let lines = pem.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.count == 2 * PrivateKeyBlock.lineCount else { throw .unreadablePEM }
    let count = PrivateKeyBlock.lineCount
    signingSeed = try PrivateKeyBlock(.ed25519, lines: lines.prefix(count)).seed
    agreementSeed = try PrivateKeyBlock(.x25519, lines: lines.suffix(count)).seed
  }

  /// Tells these keys from all others, and nothing of them.
  package var digest: Digest {
    SHA256.digest(of: Array("daybook kept keys v1".utf8) + signingSeed + agreementSeed)
  }

  package func made() throws(CryptoError) -> DeviceKeys {
    try DeviceKeys(signingSeed: signingSeed, agreementSeed: agreementSeed)
  }

  package func signingKey() throws(CryptoError) -> SigningKey {
    try SigningKey(seed: signingSeed)
  }
}

extension KeptKeys: CustomStringConvertible {
  // Without this, a message that mentions the keys would spell out their seeds.
  package var description: String { "KeptKeys" }
}
