import Bytes
import Crypto
import Testing

struct HMACTests {
  /// From RFC 4231, cases 1, 2, 3 and 6.
  static let vectors: [(key: [UInt8], message: [UInt8], code: String)] = [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ]

  @Test(arguments: Self.vectors)
  func `HMAC: published inputs produce their codes`(key: [UInt8], message: [UInt8], code: String) {
    #expect(HMAC.code(of: message, with: key).hex == code)
  }

  @Test func `HMAC: only the exact code, message and secret match`() {
    let (secret, message) = (Array("secret".utf8), Array("message".utf8))
    let right = HMAC.code(of: message, with: secret)
    #expect(HMAC.isCode(right, of: message, with: secret))
    for place in 0..<32 {
      var wrong = right.bytes
      wrong[place] ^= 1
      #expect(!HMAC.isCode(Digest(wrong), of: message, with: secret))
    }
    #expect(!HMAC.isCode(right, of: message + [0], with: secret))
    #expect(!HMAC.isCode(right, of: message, with: secret + [1]))
  }

  @Test func `HMAC: only the beginning of the exact code matches a truncated one`() {
    let (secret, message) = (Array("secret".utf8), Array("message".utf8))
    let right = HMAC.code(of: message, with: secret).bytes
    for count in 16...32 {
      let shown = Array(right.prefix(count))
      #expect(HMAC.isTruncatedCode(shown, of: message, with: secret))
      #expect(!HMAC.isTruncatedCode(shown, of: message + [0], with: secret))
      #expect(
        !HMAC.isTruncatedCode(Array(right.suffix(count - 1)) + [0], of: message, with: secret))
      for place in shown.indices {
        var wrong = shown
        wrong[place] ^= 0x80
        #expect(!HMAC.isTruncatedCode(wrong, of: message, with: secret))
      }
    }
  }

  @Test func `HMAC: codes that are too short or too long are a fault of the caller`() async {
    await #expect(processExitsWith: .failure) {
      _ = HMAC.isTruncatedCode([UInt8](repeating: 0, count: 15), of: [], with: [])
    }
    await #expect(processExitsWith: .failure) {
      _ = HMAC.isTruncatedCode([UInt8](repeating: 0, count: 33), of: [], with: [])
    }
  }
}
