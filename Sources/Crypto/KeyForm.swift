/// Checks that 32 bytes are a public key that is safe to use.
///
/// A key of small order is worthless: R = 1, S = 0 "signs" any message under the neutral point, and an X25519 exchange
/// with such a key results in a secret that everyone knows. A number n of at least p = 2^255 - 19 encodes the same key
/// as n - p. Each key must have only one encoding, because keys are compared by their bytes. OpenSSL accepts keys of
/// both kinds.
enum KeyForm {
  /// Checks an Ed25519 key, whose highest bit is the sign of x.
  static func check(signing bytes: [UInt8]) throws(CryptoError) {
    var number = bytes
    number[31] &= 0x7f
    guard !isBeyondPrime(number) else { throw .keyEncoding }
    guard !smallOrderOfBoth.contains(number), !smallOrderOfEd25519.contains(number) else {
      throw .keyOfSmallOrder
    }
  }

  /// Checks an X25519 key.
  static func check(agreement bytes: [UInt8]) throws(CryptoError) {
    guard bytes[31] < 0x80, !isBeyondPrime(bytes) else { throw .keyEncoding }
    guard !smallOrderOfBoth.contains(bytes), !smallOrderOfX25519.contains(bytes) else {
      throw .keyOfSmallOrder
    }
  }

  /// Returns whether a little-endian number of 255 bits is p or greater.
  private static func isBeyondPrime(_ number: [UInt8]) -> Bool {
    number[31] == 0x7f && number[0] >= 0xed && number[1..<31].allSatisfy { $0 == 0xff }
  }

  /// The numbers 0, 1 and p - 1: the y coordinates of the points of order 4, 1 and 2, and the u coordinates of the
  /// points of order 2 and 4.
  private static let smallOrderOfBoth: Set<[UInt8]> = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ]

  /// The y coordinates of the points of order 8.
  private static let smallOrderOfEd25519: Set<[UInt8]> = [
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
      0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc,
      0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
      0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03,
      0x7a,
    ],
  ]

  /// The u coordinates of the points of order 8.
  private static let smallOrderOfX25519: Set<[UInt8]> = [
    [
      0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
      0x6a,
      0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8,
      0x00,
    ],
    [
      0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
      0x5b,
      0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11,
      0x57,
    ],
  ]
}
