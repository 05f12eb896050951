import Bytes
import Crypto
import Journaling
import Testing

@Suite struct ChainTests {
  @Test(arguments: ["log of desk", "log of phone"])
  func `Chain: salts, digests and hashes match the vectors`(name: String) throws {
    let log = try LogVector(name)
    var chain = Chain()
    var hash = Chain.zero(of: log.id)
    var time: UInt64 = 0
    #expect(hash == log.zero)
    for (index, event) in log.events.enumerated() {
      var reader = CBORReader(event.header.span)
      let header = try Header.decode(&reader)
      try reader.finish()
      #expect(header.encode() == event.header)
      time += header.delta
      #expect(Int64(time) == event.time)
      let salt = chain.salt(seed: log.seed, sequence: UInt64(index + 1))
      #expect(salt == event.salt)
      let salted = chain.salted(event.body.span, salt: salt)
      #expect(salted == event.salted)
      hash = chain.next(after: hash, header: event.header.span, salted: salted)
      #expect(hash == event.hash)
    }
  }

  @Test func `Chain: salts of later blocks match the vectors`() throws {
    let vector = try ProtocolText.vector("salts of later blocks")
    var chain = Chain()
    for number: UInt64 in [64, 65] {
      let salt = chain.salt(seed: try vector.id("seed"), sequence: number)
      #expect(salt == (try vector.id("salt \(number)")))
    }
    #expect(Chain.block(of: 64) == 0)
    #expect(Chain.block(of: 65) == 1)
  }

  @Test func `Chain: a head has the signature of the vector, and an altered head fails`() throws {
    let vector = try ProtocolText.vector("head")
    let keys = try LogVector.deskKeys()
    #expect(keys.signing.seed == (try vector.bytes("signing seed")))
    let replica = try vector.id("replica id")
    let end = LogEnd(
      of: ReplicaPrefix(of: replica), sequence: UInt64(try vector.number("sequence")),
      time: try vector.number("time"), when: 0, hash: try vector.digest("chain hash"), table: [])
    let head = try Head(of: replica, at: end, by: keys.signing)
    let signature = try vector.bytes("signature")
    #expect(head.signature == signature)
    let key = keys.signing.publicKey
    #expect(key.verifies(signature, of: try vector.bytes("message")))
    var altered = signature
    altered[40] ^= 1
    #expect(!key.verifies(altered, of: try vector.bytes("message")))
  }
}
