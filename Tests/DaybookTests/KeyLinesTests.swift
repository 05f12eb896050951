import Bytes
import Crypto
import Journaling
import Testing

@testable import Daybook

/// The keys of a device that has replaced its key again and again, as a hostile device can do thousands of times.
struct KeyLinesTests {
  /// A log of each of `count` keys, each of which has replaced the key before it.
  private func chain(_ count: Int) throws -> (trust: Trust, keys: [PublicKey]) {
    let keys = try (0..<count).map { number in
      try PublicKey([UInt8(number & 255), UInt8(number >> 8)] + [UInt8](repeating: 7, count: 30))
    }
    var events: [TrustEvent] = []
    func note(_ log: Int, _ sequence: UInt64, _ verb: TrustVerb) {
      events.append(TrustEvent(at: place(log, sequence), verb: verb))
    }
    for (log, key) in keys.enumerated() {
      let opening = Opening(
        publicKey: key, agreement: [UInt8](repeating: 1, count: 32), incarnation: .none,
        name: "evil")
      note(log, 1, .open(opening))
      if log > 0 { note(log, 2, .retire(place(log - 1, 3))) }
      if log + 1 < count { note(log, 3, .admit(keys[log + 1], name: "evil", route: .newKey)) }
    }
    return (Trust(TrustInput(book: place(0, 1).hash, events: events)), keys)
  }

  private func place(_ log: Int, _ sequence: UInt64) -> Landmark {
    Landmark(
      log: UniqueID(high: 9, low: UInt64(log)), sequence: sequence,
      hash: UniqueID(high: UInt64(log) + 1, low: sequence))
  }

  @Test(.timeLimit(.minutes(1)))
  func `Key lines: thousands of keys of one device are placed at once`() throws {
    let (trust, keys) = try chain(8_000)
    #expect(trust.successors.count == 7_999)
    let lines = KeyLines(trust)
    for (old, key) in zip(keys, keys.dropFirst()) {
      #expect(lines.isKey(old, of: key) && !lines.isKey(key, of: old))
    }
    #expect(lines.isKey(keys[0], of: keys[7_999]))
    #expect(
      RevocationScope.withPredecessors(of: keys[7_999], in: trust).count == 8_000)
  }

  @Test func `Key lines: a key that was never replaced is a key of no other device`() throws {
    let (trust, keys) = try chain(3)
    let lines = KeyLines(trust)
    let other = try PublicKey([UInt8](repeating: 9, count: 32))
    #expect(lines.line(of: other) == nil)
    #expect(lines.isKey(other, of: other) && !lines.isKey(other, of: keys[2]))
    #expect(!lines.isKey(keys[0], of: other))
  }
}
