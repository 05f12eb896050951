import Bytes
import Crypto
import Testing

struct SigningTests {
  struct Vector: Sendable {
    let seed: String
    let publicKey: String
    let message: String
    let signature: String
  }

  /// Tests 1 to 3 of RFC 8032, section 7.1.
  static let vectors: [Vector] = [
    Vector(
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Vector(
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    Vector(
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
  ]

  @Test(arguments: Self.vectors)
  func `Signature: published seeds produce their keys and signatures`(vector: Vector) throws {
    let key = try SigningKey(seed: #require(Hex.decode(vector.seed)))
    let message = try #require(Hex.decode(vector.message))
    let signature = try key.sign(message)
    #expect(Hex.encode(key.publicKey.bytes) == vector.publicKey)
    #expect(Hex.encode(signature) == vector.signature)
    #expect(key.publicKey.verifies(signature, of: message))
  }

  @Test func `Signature: a signature with any byte changed is refused`() throws {
    let key = try SigningKey(seed: Array(1...32))
    let message = Array("closed the book".utf8)
    let signature = try key.sign(message)
    for position in signature.indices {
      var changed = signature
      changed[position] ^= 1
      #expect(!key.publicKey.verifies(changed, of: message))
    }
    #expect(key.publicKey.verifies(signature, of: message))
  }

  @Test func `Signature: it is valid only for its message and its key`() throws {
    let key = try SigningKey(seed: Array(1...32))
    let stranger = try SigningKey(seed: Array(2...33))
    let message = Array("closed the book".utf8)
    let signature = try key.sign(message)
    #expect(!key.publicKey.verifies(signature, of: message + [0]))
    #expect(!key.publicKey.verifies(signature, of: []))
    #expect(!stranger.publicKey.verifies(signature, of: message))
  }

  @Test(arguments: [0, 1, 63, 65, 128])
  func `Signature: a signature with the wrong length is refused`(count: Int) throws {
    let key = try SigningKey(seed: Array(1...32))
    #expect(!key.publicKey.verifies([UInt8](repeating: 0, count: count), of: []))
  }

  @Test func `Signature: a key that is not on the curve verifies nothing`() throws {
    // There is no x coordinate for this y coordinate.
    let key = try PublicKey([2] + [UInt8](repeating: 0, count: 31))
    #expect(!key.verifies([UInt8](repeating: 0, count: 64), of: []))
  }

  @Test(arguments: [0, 31, 33, 64])
  func `Key: a key with the wrong length is refused`(count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(throws: CryptoError.keyLength(count)) { try PublicKey(bytes) }
    #expect(throws: CryptoError.keyLength(count)) { _ = try SigningKey(seed: bytes) }
    #expect(throws: CryptoError.keyLength(count)) { _ = try AgreementKey(seed: bytes) }
  }

  @Test func `Public key: keys are ordered by their bytes`() throws {
    let low = try PublicKey([UInt8](repeating: 1, count: 32))
    let high = try PublicKey([1, 2] + [UInt8](repeating: 0, count: 30))
    #expect([high, low].sorted() == [low, high])
  }

  @Test func `Signature: one key signs for many tasks at the same time`() async throws {
    let key = try SigningKey(seed: Array(1...32))
    let expected = try key.sign([1, 2, 3])
    await withTaskGroup(of: [UInt8]?.self) { group in
      // A failure appears as a missing signature.
      for _ in 0..<32 { group.addTask { try? key.sign([1, 2, 3]) } }
      for await signature in group { #expect(signature == expected) }
    }
  }
}
