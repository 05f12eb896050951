import Bytes
import Crypto
import Sealing
import Testing

/// The vectors of `docs/store-vectors.md` for key packages and key rings.
struct StoreKeyVectorTests {
  @Test func `Key package: each vector is made, decoded and opened`() throws {
    for vector in try TestVector.ofStore("package ") {
      let key = try vector.key()
      let revoked = Set(try vector.parts("revoked").map { try PublicKey($0) })
      let origin = try KeyOrigin(
        of: key, in: vector.id("book"), at: vector.number("time"), revoked: revoked,
        signedBy: SigningKey(seed: vector.bytes("maker seed")))
      let packager = try SigningKey(seed: vector.bytes("packager seed"))
      let agreements = try vector.parts("agreement seeds").map { try AgreementKey(seed: $0) }
      let recipients = try agreements.map { agreement in
        try KeyRecipient(signing: packager.publicKey, agreement: agreement.publicKey)
      }
      let package = try KeyPackage(
        of: key, from: origin, for: recipients, signedBy: packager)
      let bytes = try vector.bytes("package")
      #expect(package.bytes == bytes, "\(vector.name)")
      #expect(ObjectName.package(package.id).text == (try vector.text("name")))
      #expect(try KeyPackage(decoding: bytes, as: package.id) == package)
      let book = try vector.id("book")
      for agreement in agreements {
        #expect(try package.unwrap(with: agreement, in: book) == key)
      }
      let statement = try package.open(with: key)
      #expect(statement.origin == origin)
      #expect(statement.packager == packager.publicKey)
    }
  }

  @Test func `Key package: each bad vector is refused with its error`() throws {
    let vectors = try TestVector.ofStore("bad package: ")
    #expect(vectors.count == 31)
    for vector in vectors {
      let packagers = Set(try vector.parts("packagers").map { try PublicKey($0) })
      let agreement = try AgreementKey(seed: vector.bytes("agreement seed"))
      let (bytes, book) = try (vector.bytes("package"), vector.id("book"))
      guard case .package(let id) = try ObjectName(parsing: vector.text("name")) else {
        Issue.record("\(vector.name) has no name of a package")
        continue
      }
      try vector.expectError {
        var ring = KeyRing(book: book)
        let package = try KeyPackage(decoding: bytes, as: id)
        _ = try ring.take(
          package, with: agreement, knowing: MemberKeys(admitted: packagers, revoked: []))
      }
    }
  }

  @Test func `Key ring: each vector is decoded and encoded`() throws {
    let rings = try TestVector.ofStore("ring ").map { vector in
      let bytes = try vector.bytes("ring")
      let ring = try KeyRing(decoding: bytes)
      #expect(ring.bytes == bytes)
      #expect(ring.book == (try vector.id("book")))
      return ring
    }
    #expect(rings.map(\.keys.count) == [0, 1, 2])
  }

  @Test func `Key ring: each bad vector is refused with its error`() throws {
    let vectors = try TestVector.ofStore("bad ring: ")
    #expect(vectors.count == 8)
    for vector in vectors {
      let bytes = try vector.bytes("ring")
      try vector.expectError { _ = try KeyRing(decoding: bytes) }
    }
  }

  @Test func `Key ring: the key is fit in the vectors that say so`() throws {
    for vector in try TestVector.ofStore("fit ") {
      let ring = try KeyRing(decoding: vector.bytes("ring"))
      let members = MemberKeys(
        admitted: Set(try vector.parts("admitted").map { try PublicKey($0) }),
        revoked: Set(try vector.parts("revoked").map { try PublicKey($0) }))
      let isFit = ring.sealingKey(knowing: members) != nil
      #expect(isFit == (try vector.text("fit") == "yes"), "\(vector.name)")
    }
  }
}
