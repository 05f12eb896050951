import Bytes
import Testing

@testable import Crypto

/// Public keys that verify any message, and second encodings of keys.
struct KeyFormTests {
  private static let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
  /// p, with the lowest byte first.
  private static let prime: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  private static func signed(_ number: [UInt8]) -> [UInt8] {
    var bytes = number
    bytes[31] |= 0x80
    return bytes
  }

  private static func beyond(_ distance: UInt8) -> [UInt8] {
    var bytes = prime
    bytes[0] += distance
    return bytes
  }

  /// The y coordinates of the points of order 1, 2, 4 and 8, in hexadecimal.
  static let smallSigning = [
    Hex.encode(one), "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  ]

  static let smallAgreement: [String] =
    Array(smallSigning.prefix(3)) + [
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ]

  @Test func `OpenSSL: a neutral key verifies R = 1 and S = 0 for any message`()
    throws
  {
    let signature = Self.one + [UInt8](repeating: 0, count: 32)
    for key in [Self.one, Self.signed(Self.one), Self.beyond(1)] {
      let handle = try KeyHandle(.ed25519, publicKey: key)
      #expect(try handle.verifies(signature, of: Array("whatever".utf8)))
    }
  }

  @Test(arguments: smallSigning)
  func `Signing key: a key of small order is refused with either sign`(number: String) throws {
    let bytes = try #require(Hex.decode(number))
    for key in [bytes, Self.signed(bytes)] {
      #expect(throws: CryptoError.keyOfSmallOrder) { try PublicKey(key) }
    }
  }

  @Test(arguments: 0..<UInt8(19))
  func `Key: a number of p or above is refused as a second encoding`(distance: UInt8) {
    let bytes = Self.beyond(distance)
    for key in [bytes, Self.signed(bytes)] {
      #expect(throws: CryptoError.keyEncoding) { try PublicKey(key) }
      #expect(throws: CryptoError.keyEncoding) { try AgreementKey.check(key) }
    }
  }

  @Test(arguments: smallAgreement)
  func `Agreement key: a key of small order or with the highest bit set is refused`(
    number: String
  ) throws {
    let bytes = try #require(Hex.decode(number))
    #expect(throws: CryptoError.keyOfSmallOrder) { try AgreementKey.check(bytes) }
    #expect(throws: CryptoError.keyEncoding) { try AgreementKey.check(Self.signed(bytes)) }
  }

  @Test func `Key: the numbers next to refused ones are accepted`() throws {
    let two: [UInt8] = [2] + [UInt8](repeating: 0, count: 31)
    var below = Self.prime
    below[0] -= 2
    for key in [two, Self.signed(two), below, Self.signed(below)] {
      #expect(try PublicKey(key).bytes == key)
    }
    #expect(throws: Never.self) { try AgreementKey.check(two) }
    #expect(throws: Never.self) { try AgreementKey.check(below) }
    #expect(throws: CryptoError.keyLength(31)) { try AgreementKey.check(Array(two.dropLast())) }
  }

  @Test func `Key: keys made from seeds are accepted`() throws {
    for seed in UInt8.min...UInt8.max {
      let bytes = [UInt8](repeating: seed, count: 32)
      #expect(throws: Never.self) {
        _ = try SigningKey(seed: bytes)
        try AgreementKey.check(AgreementKey(seed: bytes).publicKey)
      }
    }
  }
}
