import Bytes
import Crypto
import Journaling
import Testing

/// The log of a vector, event by event.
struct LogVector {
  struct Event {
    let header: [UInt8]
    let body: [UInt8]
    let time: Int64
    let salt: UniqueID
    let salted: Digest
    let hash: Digest
  }

  let id: UniqueID
  let seed: UniqueID
  let zero: Digest
  private(set) var events: [Event] = []

  init(_ name: String) throws {
    let vector = try ProtocolText.vector(name)
    id = try vector.id("replica id")
    seed = try vector.id("seed of block 0")
    zero = try vector.digest("hash 0")
    while vector.pairs.contains(where: { $0.key == "header \(events.count + 1)" }) {
      let number = events.count + 1
      events.append(
        Event(
          header: try vector.bytes("header \(number)"), body: try vector.bytes("body \(number)"),
          time: try vector.number("time \(number)"), salt: try vector.id("salt \(number)"),
          salted: try vector.digest("salted \(number)"), hash: try vector.digest("hash \(number)")))
    }
    try #require(events.count * 6 + 3 == vector.pairs.count, "\(name) has gaps")
  }

  /// The key in the log's first event.
  func publicKey() throws -> PublicKey {
    let body = events[0].body
    guard case .open(let opening)? = try TrustVerb.decode(body.span) else {
      throw NoOpening()
    }
    return opening.publicKey
  }

  struct NoOpening: Error {}

  /// The keys of the device that writes the log of desk.
  static func deskKeys() throws -> DeviceKeys {
    let vector = try ProtocolText.vector("replica")
    return try DeviceKeys(
      signingSeed: vector.bytes("signing seed"), agreementSeed: vector.bytes("agreement seed"))
  }
}
