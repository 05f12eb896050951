import Bytes
import Gzip
import Testing

struct GzipDamageTests {
  static let whole = member(prose)

  @Test(arguments: 0..<GzipDamageTests.whole.count)
  func `Gzip damage: a flipped bit is detected or leaves the content unchanged`(place: Int) {
    for bit in 0..<8 {
      var bytes = Self.whole
      bytes[place] ^= 1 << UInt8(bit)
      let damaged = bytes
      let result = Result { () throws(GzipError) in try decompress(damaged) }
      if case .success(let found) = result {
        #expect(found.content == prose)
        #expect(found.extra == [1, 2, 3])
        #expect(place >= 17, "the header has no bit that does not matter")
        #expect(place < damaged.count - 8, "the trailer has no bit that does not matter")
      }
    }
  }

  @Test func `Gzip damage: each part of a member has its own error`() {
    let end = Self.whole.count
    let errors: [(place: Int, error: GzipError)] = [
      (0, .notAMember(at: 0)), (1, .notAMember(at: 0)), (2, .notAMember(at: 0)),
      (3, .notAMember(at: 0)), (4, .notAMember(at: 0)), (8, .notAMember(at: 0)),
      (9, .notAMember(at: 0)), (12, .headerChecksum(at: 0)), (14, .headerChecksum(at: 0)),
      (15, .headerChecksum(at: 0)), (16, .headerChecksum(at: 0)),
      (end - 8, .contentChecksum(at: 0)), (end - 4, .contentLength(at: 0)),
    ]
    for (place, error) in errors {
      var bytes = Self.whole
      bytes[place] ^= 1
      let damaged = bytes
      #expect(throws: error) { try decompress(damaged) }
    }
    var bytes = Self.whole
    bytes[11] = 0xff
    let long = bytes
    #expect(throws: GzipError.truncated(at: 0)) { try decompress(long) }
    bytes = Self.whole
    bytes[17] |= 0b110
    let reserved = bytes
    #expect(throws: GzipError.deflate(code: -3, at: 0)) { try decompress(reserved) }
  }

  @Test func `Gzip damage: a truncated member is reported at its offset`() {
    for count in 0..<Self.whole.count {
      let cut = [0] + Array(Self.whole.prefix(count))
      #expect(throws: GzipError.truncated(at: 1)) { try decompress(cut, at: 1) }
    }
  }

  @Test func `Gzip damage: a truncated stored member is reported`() {
    let whole = member([1, 2, 3], level: 0)
    for count in 0..<whole.count {
      let cut = Array(whole.prefix(count))
      #expect(throws: GzipError.truncated(at: 0)) { try decompress(cut) }
    }
  }

  @Test func `Gzip damage: zeros are refused`() {
    let zeros = [UInt8](repeating: 0, count: 5)
    #expect(throws: GzipError.notAMember(at: 0)) { try decompress(zeros) }
    #expect(throws: GzipError.truncated(at: 5)) { try decompress(zeros, at: 5) }
  }
}
