import Bytes
import Crypto
import Sealing
import Testing

/// The vectors of `docs/store-vectors.md`.
struct StoreVectorTests {
  @Test func `Store key: each vector has its id`() throws {
    for vector in try TestVector.ofStore("store key") {
      #expect(try vector.key().id == vector.id("key id"))
    }
  }

  @Test func `Object name: each vector is sealed and opened`() throws {
    for vector in try TestVector.ofStore("name ") where !vector.name.contains("loss") {
      let object = NamedObject(range: try vector.range(), digest: try vector.id("digest"))
      let name = SealedName(sealing: object, with: try vector.key())
      let text = try vector.text("name")
      #expect(ObjectName.events(name).text == text)
      #expect(try ObjectName(parsing: text) == .events(name))
      #expect(try name.open(with: vector.key()) == object)
    }
    for vector in try TestVector.ofStore("name of a loss ") {
      let loss = NamedLoss(
        replica: try vector.id("replica"),
        events: UInt64(try vector.number("first"))...UInt64(try vector.number("last")),
        end: Digest(try vector.bytes("hash")))
      let name = SealedName(sealing: loss, with: try vector.key())
      #expect(ObjectName.loss(name).text == (try vector.text("name")))
      #expect(try name.openLoss(with: vector.key()) == loss)
    }
    for vector in try TestVector.ofStore("plain names") {
      for (_, text) in vector.pairs { #expect(try ObjectName(parsing: text).text == text) }
    }
  }

  @Test func `Object name: each bad vector is refused with its error`() throws {
    let vectors = try TestVector.ofStore("bad name: ")
    #expect(vectors.count == 19)
    for vector in vectors {
      try vector.expectError {
        switch try ObjectName(parsing: vector.text("name")) {
        case .events(let sealed): _ = try sealed.open(with: vector.key())
        case .loss(let sealed): _ = try sealed.openLoss(with: vector.key())
        default: break
        }
      }
    }
  }

  @Test func `Sealed object: each vector is sealed and opened`() throws {
    for vector in try TestVector.ofStore("object ") {
      let (key, store, frames) = try (vector.key(), vector.store(), vector.bytes("frames"))
      let object = SealedObject(sealing: frames, of: try vector.range(), in: store, with: key)
      #expect(object.bytes == (try vector.bytes("object")), "\(vector.name)")
      #expect(ObjectName.events(object.name).text == (try vector.text("name")))
      let named = try object.name.open(with: key)
      #expect(try SealedObject.open(object.bytes, as: named, in: store, with: key) == frames)
    }
  }

  @Test func `Sealed object: each bad vector is refused with its error`() throws {
    let vectors = try TestVector.ofStore("bad object: ")
    #expect(vectors.count == 16)
    for vector in vectors {
      let key = try vector.key()
      guard case .events(let name) = try ObjectName(parsing: vector.text("name")) else {
        Issue.record("\(vector.name) has no sealed name")
        continue
      }
      let named = try name.open(with: key)
      let (bytes, store) = try (vector.bytes("object"), vector.store())
      try vector.expectError {
        _ = try SealedObject.open(bytes, as: named, in: store, with: key)
      }
    }
  }

  @Test func `Sealed object: content is padded to the sizes of the vector`() throws {
    let vector = try #require(try TestVector.ofStore("padded sizes").first)
    let sample = try #require(try TestVector.ofStore("object ").first)
    let (key, store, range) = try (sample.key(), sample.store(), sample.range())
    for (count, padded) in vector.pairs {
      let (count, padded) = (try #require(Int(count)), try #require(Int(padded)))
      guard count >= 4, count < 1 << 20 else { continue }
      let object = SealedObject(
        sealing: [UInt8](repeating: 0, count: count - 4), of: range, in: store, with: key)
      #expect(object.bytes.count == 88 + padded, "\(count)")
    }
    #expect(vector.pairs.count == 12)
  }

  @Test func `HPKE: the vector is encrypted and decrypted`() throws {
    let vector = try #require(try TestVector.ofStore("HPKE").first)
    let recipient = try AgreementKey(seed: vector.bytes("recipient seed"))
    let (info, data) = try (vector.bytes("info"), vector.bytes("data"))
    let sealed = try HPKE.seal(
      vector.bytes("message"), to: recipient.publicKey,
      ephemeral: AgreementKey(seed: vector.bytes("ephemeral seed")), info: info,
      authenticating: data)
    let expected = HPKE.Sealed(
      encapsulated: try vector.bytes("encapsulated"), ciphertext: try vector.bytes("ciphertext"))
    #expect(sealed == expected)
    let opened = try HPKE.open(sealed, with: recipient, info: info, authenticating: data)
    #expect(opened == (try vector.bytes("message")))
  }
}
