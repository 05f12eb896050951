package import Bytes

/// A source that provides the signing key, and may create it only on demand.
package protocol SigningSource: Sendable {
  func signingKey() throws(CryptoError) -> SigningKey
}

extension DeviceKeys: SigningSource {
  package func signingKey() -> SigningKey { signing }
}

/// A device's keys as stored in its file.
///
/// The OpenSSL keys are created only on demand, because creating one makes OpenSSL look up its algorithms, which takes
/// half the time of a command that signs nothing.
package struct KeptKeys: SigningSource {
  private let signingSeed: [UInt8]
  private let agreementSeed: [UInt8]

  /// Parses the two `PRIVATE KEY` blocks of a file.
  ///
  /// Blank lines and all kinds of line breaks are accepted, but nothing else may differ.
  ///
  /// - Parameter pem: The text of the file.
  /// - Throws: ``CryptoError/unreadablePEM`` if the text is anything but the two blocks.
  package init(pem: String) throws(CryptoError) {
    // The two blocks take 238 bytes, so a much longer text is not parsed.
    guard pem.utf8.count <= 1_024 else { throw .unreadablePEM }
    let lines = pem.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.count == 2 * PrivateKeyBlock.lineCount else { throw .unreadablePEM }
    let count = PrivateKeyBlock.lineCount
    signingSeed = try PrivateKeyBlock(.ed25519, lines: lines.prefix(count)).seed
    agreementSeed = try PrivateKeyBlock(.x25519, lines: lines.suffix(count)).seed
  }

  /// A digest that identifies the keys without revealing anything about them.
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
  // Without this property, a message that contains the keys would reveal their seeds.
  package var description: String { "KeptKeys" }
}
