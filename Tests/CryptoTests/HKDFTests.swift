import Bytes
import Crypto
import Testing

struct HKDFTests {
  /// From RFC 5869, appendix A.1 to A.3.
  static let vectors: [(secret: String, salt: String, info: String, key: String)] = [
    (
      String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    ),
    (
      Self.counting(0..<0x50), Self.counting(0x60..<0xb0), Self.counting(0xb0..<0x100),
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e59"
        + "0e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
    ),
    (
      String(repeating: "0b", count: 22), "", "",
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    ),
  ]

  private static func counting(_ range: Range<Int>) -> String {
    Hex.encode(range.map { UInt8($0) })
  }

  @Test(arguments: Self.vectors)
  func `HKDF: published inputs produce their keys`(
    secret: String, salt: String, info: String, key: String
  ) throws {
    let derived = HKDF.derive(
      from: try #require(Hex.decode(secret)), salt: try #require(Hex.decode(salt)),
      info: try #require(Hex.decode(info)), count: key.utf8.count / 2)
    #expect(Hex.encode(derived) == key)
  }

  @Test func `HKDF: a shorter key is the beginning of a longer one`() {
    let secret = Array("secret".utf8)
    let longest = HKDF.derive(from: secret, info: [1], count: HKDF.countLimit)
    for count in [0, 1, 31, 32, 33, 64, 1_000] {
      let derived = HKDF.derive(from: secret, info: [1], count: count)
      #expect(derived == Array(longest.prefix(count)))
    }
    #expect(longest.count == 8_160)
  }
}
