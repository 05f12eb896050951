import Bytes
import Crypto
import Sealing
import Testing

/// The request of a device that wants to join through a store, and the inviter's answer.
struct KnockTests {
  private let joiner: DeviceKeys
  private let inviter: DeviceKeys
  private let secret: KnockSecret

  init() throws {
    joiner = try Self.keys(1)
    inviter = try Self.keys(3)
    secret = Self.secret(of: inviter)
  }

  private static func keys(_ seed: UInt8) throws -> DeviceKeys {
    try DeviceKeys(
      signingSeed: [UInt8](repeating: seed, count: 32),
      agreementSeed: [UInt8](repeating: seed + 1, count: 32))
  }

  private static func secret(of inviter: DeviceKeys, byte: UInt8 = 9) -> KnockSecret {
    KnockSecret(
      [UInt8](repeating: byte, count: KnockSecret.byteCount),
      in: StoreIdentity(book: UniqueID(high: 1, low: 2), store: UniqueID(high: 3, low: 4)),
      by: inviter.signing.publicKey)
  }

  @Test func `Knock: every changed bit is refused`() throws {
    let object = try Knock(by: joiner, called: "phone", with: secret).sealed(with: secret)
    #expect(object.count == KnockSecret.objectBytes)
    for bit in 0..<object.count * 8 {
      var changed = object
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let error = #expect(throws: KnockError.self) {
        _ = try Knock(opening: changed, with: secret)
      }
      #expect(error == (bit < 64 ? .magic : .tag))
    }
  }

  @Test func `Answer: every changed bit is refused, as is an answer of another device`() throws {
    let answer = try KnockAnswer(
      KnockAnswer.admitted, to: joiner.signing.publicKey, called: "phone", with: secret,
      signedBy: inviter.signing)
    let object = answer.sealed(with: secret)
    #expect(try KnockAnswer(opening: object, with: secret) == answer)
    for bit in 0..<object.count * 8 {
      var changed = object
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: KnockError.self) { _ = try KnockAnswer(opening: changed, with: secret) }
    }
    let forged = try KnockAnswer(
      KnockAnswer.admitted, to: joiner.signing.publicKey, called: "phone", with: secret,
      signedBy: joiner.signing)
    #expect(throws: KnockError.signature) {
      _ = try KnockAnswer(opening: forged.sealed(with: secret), with: secret)
    }
  }

  @Test func `Knock: it opens only with the secret, book, store and inviter of its invitation`()
    throws
  {
    let object = try Knock(by: joiner, called: "phone", with: secret).sealed(with: secret)
    let identity = secret.store
    for other in [
      Self.secret(of: inviter, byte: 8), Self.secret(of: joiner),
      KnockSecret(
        secret.bytes, in: StoreIdentity(book: identity.store, store: identity.store),
        by: secret.inviter),
      KnockSecret(
        secret.bytes, in: StoreIdentity(book: identity.book, store: identity.book),
        by: secret.inviter),
    ] {
      #expect(throws: KnockError.tag) { _ = try Knock(opening: object, with: other) }
      #expect(other.id(of: .knock) != secret.id(of: .knock))
    }
    #expect(secret.id(of: .knock) != secret.id(of: .answer))
    #expect(throws: KnockError.tag) { _ = try KnockAnswer(opening: object, with: secret) }
  }

  @Test func `Knock: equal requests are equal bytes, and no printed secret shows its bytes`() throws
  {
    let objects = try (0..<2).map { _ in
      try Knock(by: joiner, called: "phone", with: secret).sealed(with: secret)
    }
    #expect(objects[0] == objects[1])
    #expect(!"\(secret)".contains(Hex.encode(secret.bytes)))
  }
}
