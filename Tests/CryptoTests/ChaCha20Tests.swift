import Bytes
import Crypto
import Testing

struct ChaCha20Tests {
  private static let text = Array(
    ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
      + "sunscreen would be it.").utf8)
  private static let key = (0x80..<0xa0).map { UInt8($0) }
  private static let nonce: [UInt8] = [7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47]
  private static let data: [UInt8] = [
    0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
  ]

  private static func seal(_ message: [UInt8]) -> [UInt8] {
    ChaCha20Poly1305.seal(message, key: key, nonce: nonce, authenticating: data)
  }

  private static func open(_ sealed: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
    ChaCha20Poly1305.open(sealed[...], key: key, nonce: nonce, authenticating: data)
  }

  /// From RFC 8439, section 2.8.2.
  @Test func `ChaCha20-Poly1305: the published message has its ciphertext and tag`() {
    let sealed = Self.seal(Self.text)
    let expected =
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
      + "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
      + "3ff4def08e4b7a9de576d26586cec64b6116" + "1ae10b594f09e26a7e902ecbd0600691"
    #expect(Hex.encode(sealed) == expected)
    #expect(Self.open(sealed, authenticating: Self.data) == Self.text)
  }

  @Test func `ChaCha20-Poly1305: a message with a flipped bit or other data is not opened`() {
    let sealed = Self.seal(Self.text)
    for bit in 0..<sealed.count * 8 {
      var other = sealed
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.open(other, authenticating: Self.data) == nil, "bit \(bit)")
    }
    #expect(Self.open(sealed, authenticating: Self.data + [0]) == nil)
    #expect(Self.open(Array(sealed.dropLast()), authenticating: Self.data) == nil)
  }

  @Test func `ChaCha20-Poly1305: empty messages and data have a tag`() {
    let sealed = ChaCha20Poly1305.seal([], key: Self.key, nonce: Self.nonce, authenticating: [])
    #expect(sealed.count == ChaCha20Poly1305.tagBytes)
    #expect(Self.open(sealed, authenticating: []) == [])
    #expect(Self.open(sealed, authenticating: [0]) == nil)
    for count in 0..<16 {
      #expect(Self.open(Array(sealed.prefix(count)), authenticating: []) == nil)
    }
  }

  /// From RFC 8439, section 2.4.2.
  @Test func `ChaCha20: the published message has its ciphertext`() {
    let key = (0..<32).map { UInt8($0) }
    let vector: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x4a, 0, 0, 0, 0]
    let hidden = ChaCha20.process(Self.text, key: key, vector: vector)
    let start = "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
    #expect(Hex.encode(Array(hidden.prefix(32))) == start)
    #expect(hidden.count == Self.text.count)
    #expect(ChaCha20.process(hidden, key: key, vector: vector) == Self.text)
  }
}
