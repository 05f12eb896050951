import Bytes
import Testing

struct AppendixATests {
  @Test func `Appendix A: all 81 rows are listed`() {
    #expect(AppendixA.deterministic.count + AppendixA.otherwise.count == 81)
  }

  @Test(arguments: AppendixA.deterministic)
  func `Appendix A: a value encodes to the bytes of its row`(row: Row) {
    #expect(Hex.encode(CBORValue.encode(row.value)) == row.hex)
  }

  @Test(arguments: AppendixA.deterministic)
  func `Appendix A: the bytes of a row decode to its value`(row: Row) throws {
    let bytes = try #require(Hex.decode(row.hex))
    #expect(try CBORValue.decode(bytes.span) == row.value)
  }

  @Test(arguments: AppendixA.deterministic)
  func `Appendix A: skipping consumes exactly the bytes of a row`(row: Row) throws {
    let bytes = try #require(Hex.decode("00" + row.hex + "00"))
    var reader = CBORReader(bytes.span, at: 1)
    let range = try reader.skip()
    #expect(range == 1..<bytes.count - 1)
  }

  @Test(arguments: AppendixA.deterministic)
  func `Appendix A: a truncated row is refused`(row: Row) throws {
    let bytes = try #require(Hex.decode(row.hex))
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(throws: CBORError.self) { try CBORValue.decode(cut.span) }
      #expect(throws: CBORError.self) { try skipAll(cut) }
    }
  }

  @Test(arguments: AppendixA.otherwise)
  func `Appendix A: a row that is not deterministic is refused`(
    hex: String, error: CBORError
  ) throws {
    let bytes = try #require(Hex.decode(hex))
    #expect(throws: error) { try CBORValue.decode(bytes.span) }
    #expect(throws: error) { try skipAll(bytes) }
  }
}

/// Checks that the bytes are exactly one item.
func skipAll(_ bytes: [UInt8]) throws(CBORError) {
  var reader = CBORReader(bytes.span)
  _ = try reader.skip()
  try reader.finish()
}
