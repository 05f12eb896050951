import Bytes
import Crypto
import Platform
import S3
import Sealing
import Syncing
import Testing

/// The vectors of `docs/store-vectors.md` for joining through a store.
struct KnockVectorTests {
  @Test func `Store invitation: each vector is written and parsed`() throws {
    for vector in try TestVector.ofStore("store invitation ") {
      let invitation = try StoreInvitation(parsing: vector.text("invitation"))
      #expect(invitation.key == (try PublicKey(vector.bytes("key"))))
      #expect(invitation.secret == (try vector.bytes("secret")))
      #expect(invitation.address.book == (try vector.id("book")))
      #expect(invitation.address.store == (try vector.id("store")))
      #expect(invitation.text.lowercased() == (try vector.text("invitation")))
      let place = vector.pairs.first { $0.key == "place" }?.value ?? ""
      switch invitation.address.place {
      case .folder(let folder): #expect(folder == Path(place))
      case .bucket(let bucket):
        #expect(bucket.text == place)
        #expect(bucket.service.url == (try vector.text("endpoint")))
        #expect(bucket.service.region == (try vector.text("region")))
        #expect(bucket.service.usesPath)
      }
    }
  }

  @Test func `Knock: the secrets and the names are those of the vector`() throws {
    let vector = try #require(try TestVector.ofStore("knock secrets").first)
    let secret = try vector.knockSecret()
    #expect(secret.name == (try vector.id("secret name")))
    #expect(ObjectName.knock(secret.id(of: .knock)).text == (try vector.text("knock")))
    #expect(ObjectName.knock(secret.id(of: .answer)).text == (try vector.text("answer")))
  }

  @Test func `Knock: each vector is sealed and opened`() throws {
    for vector in try TestVector.ofStore("knock ") where vector.name != "knock secrets" {
      let secret = try vector.knockSecret()
      let keys = try DeviceKeys(
        signingSeed: vector.bytes("signing seed"), agreementSeed: vector.bytes("agreement seed"))
      let knock = try Knock(by: keys, called: vector.text("name"), with: secret)
      #expect(knock.sealed(with: secret) == (try vector.bytes("knock")), "\(vector.name)")
      #expect(try Knock(opening: vector.bytes("knock"), with: secret) == knock)
    }
  }

  @Test func `Answer: each vector is sealed and opened`() throws {
    for vector in try TestVector.ofStore("answer ") {
      let secret = try vector.knockSecret()
      let isAddressed = vector.pairs.contains { $0.key == "key" }
      let answer = try KnockAnswer(
        UInt64(vector.number("outcome")),
        to: isAddressed ? PublicKey(vector.bytes("key")) : nil,
        called: vector.pairs.first { $0.key == "name" }?.value ?? "", with: secret,
        signedBy: SigningKey(seed: vector.bytes("inviter seed")))
      #expect(answer.sealed(with: secret) == (try vector.bytes("answer")), "\(vector.name)")
      #expect(try KnockAnswer(opening: vector.bytes("answer"), with: secret) == answer)
    }
  }

  @Test func `Knock and answer: each bad vector is refused with its error`() throws {
    let knocks = try TestVector.ofStore("bad knock: ")
    #expect(knocks.count == 20)
    for vector in knocks {
      let (object, secret) = try (vector.bytes("knock"), vector.knockSecret())
      try vector.expectError { _ = try Knock(opening: object, with: secret) }
    }
    let answers = try TestVector.ofStore("bad answer: ")
    #expect(answers.count == 5)
    for vector in answers {
      let (object, secret) = try (vector.bytes("answer"), vector.knockSecret())
      try vector.expectError { _ = try KnockAnswer(opening: object, with: secret) }
    }
  }
}

extension TestVector {
  fileprivate func knockSecret() throws -> KnockSecret {
    KnockSecret(try bytes("secret"), in: try store(), by: try PublicKey(bytes("inviter")))
  }
}
