import Bytes
import Crypto
import Journaling
import Testing
import Verifying

/// Small encoded values that lack an item.
@Suite struct RefusedBodyTests {
  private static func error<Value>(_ read: () throws(CBORError) -> Value) -> CBORError? {
    do throws(CBORError) { _ = try read() } catch { return error }
    return nil
  }

  @Test func `Body decoding: a run marker or trust verb without all items is truncated`() {
    let marker: [UInt8] = [0x82, 16, 0]
    #expect(
      Self.error { () throws(CBORError) in try RunMarker.decode(marker.span) }
        == .truncated(at: 2))
    let erase: [UInt8] = [0x81, 12]
    #expect(
      Self.error { () throws(CBORError) in try TrustVerb.decode(erase.span) } == .truncated(at: 2))
  }

  @Test func `Body decoding: a kept event in a revocation needs three items`() {
    let key = [UInt8](repeating: 0xaa, count: 32)
    let revoke: [UInt8] = [0x83, 10, 0x58, 32] + key + [0x81, 0x82, 1, 2]
    #expect(
      Self.error { () throws(CBORError) in try TrustVerb.decode(revoke.span) }
        == .wrongLength(expected: 3, at: 37))
  }

  @Test func `Body decoding: the erase in a stripped body needs three items`() {
    let digest = SHA256.digest(of: [1])
    let name = Landmark(
      log: UniqueID(high: 1, low: 1), sequence: 4, hash: UniqueID(high: 1, low: 2))
    var bytes = StrippedBody(digest: digest, erase: name).encode()
    #expect(bytes[36...37] == [1, 0x83])
    bytes[37] = 0x82
    let refusal = Self.error { () throws(CBORError) in
      var reader = CBORReader(bytes.span)
      return try StrippedBody.decode(&reader)
    }
    #expect(refusal == .wrongLength(expected: 3, at: 0))
  }

  @Test func `Log end cache: an entry with fewer than ten items is refused`() {
    let bytes: [UInt8] =
      [0x82, 0x50] + UniqueID(high: 1, low: 2).bytes + [0x89] + [UInt8](repeating: 0, count: 9)
    #expect(
      Self.error { () throws(CBORError) in try LogEndCache(decoding: bytes) }
        == .wrongLength(expected: 10, at: 18))
  }

  @Test func `Verification: a stripped body whose erase lacks an item is a fault`() throws {
    var log = try HandWrittenLog()
    var event = HandWrittenLog.stripped()
    // The hash is missing.
    event.body.removeLast(17)
    event.body[37] = 0x82
    let frame = try log.frame([log.opening, event])
    let replica = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, frame)])
    let found = try replica.verify().faults
    #expect(
      found == [replica.fault(ReplicaFiles.tail, .encoding(.wrongLength(expected: 3, at: 193)))])
  }
}
