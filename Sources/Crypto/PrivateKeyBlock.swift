internal import COpenSSL

/// One private key as a PEM block with PKCS#8 (RFC 8410).
///
/// Except for the seed at its end, the DER encoding is the same for every key, so it is compared rather than parsed.
/// This avoids OpenSSL's reader, which may ask for a passphrase on the terminal.
struct PrivateKeyBlock {
  static let lineCount = 3

  let kind: KeyKind
  let seed: [UInt8]

  init(_ kind: KeyKind, seed: [UInt8]) {
    precondition(seed.count == KeyKind.byteCount, "a seed has 32 bytes")
    self.kind = kind
    self.seed = seed
  }

  init(_ kind: KeyKind, lines: ArraySlice<String>) throws(CryptoError) {
    let lines = Array(lines)
    guard lines.count == Self.lineCount, let der = Self.decode(lines[1]) else {
      throw .unreadablePEM
    }
    guard der.count == Self.byteCount, der.starts(with: kind.prefix) else { throw .unreadablePEM }
    self.init(kind, seed: Array(der.suffix(KeyKind.byteCount)))
    // The decoder is tolerant. Encoding the block again and comparing the lines detects any deviation.
    guard self.lines == lines else { throw .unreadablePEM }
  }

  var text: String { lines.map { $0 + "\n" }.joined() }

  private var lines: [String] {
    ["-----BEGIN PRIVATE KEY-----", Self.encode(kind.prefix + seed), "-----END PRIVATE KEY-----"]
  }

  /// The size of a prefix of 16 bytes and a seed of 32 bytes, which fill exactly one line of 64 characters.
  private static let byteCount = 48
  private static let characterCount = 64

  private static func encode(_ der: [UInt8]) -> String {
    // The extra byte is for the NUL that the C function appends.
    var characters = [UInt8](repeating: 0, count: characterCount + 1)
    let count = unsafe EVP_EncodeBlock(&characters, der, Int32(der.count))
    return String(decoding: characters.prefix(Int(count)), as: UTF8.self)
  }

  private static func decode(_ line: String) -> [UInt8]? {
    let characters = Array(line.utf8)
    guard characters.count == characterCount else { return nil }
    var der = [UInt8](repeating: 0, count: byteCount)
    let count = unsafe EVP_DecodeBlock(&der, characters, Int32(characters.count))
    guard count == byteCount else { return nil }
    return der
  }
}

extension KeyKind {
  /// The DER before the seed: a sequence of version 0, the algorithm, and two octet strings.
  fileprivate var prefix: [UInt8] {
    let identifier: UInt8 =
      switch self {
      case .ed25519: 0x70
      case .x25519: 0x6e
      }
    return [
      0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, identifier,
      0x04, 0x22, 0x04, 0x20,
    ]
  }
}
