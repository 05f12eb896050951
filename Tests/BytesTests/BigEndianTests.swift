import Bytes
import Testing

/// Numbers as bytes in big-endian order.
struct BigEndianTests {
  @Test func `Big-endian bytes: each width gives all its bytes, the highest first`() {
    #expect(UInt8(0x12).bigEndianBytes == [0x12])
    #expect(UInt16(0x1234).bigEndianBytes == [0x12, 0x34])
    #expect(UInt32(0x89ab_cdef).bigEndianBytes == [0x89, 0xab, 0xcd, 0xef])
    #expect(UInt64(0x0102_0304).bigEndianBytes == [0, 0, 0, 0, 1, 2, 3, 4])
    #expect(UInt64.max.bigEndianBytes == [UInt8](repeating: 0xff, count: 8))
    #expect(Int32(-2).bigEndianBytes == [0xff, 0xff, 0xff, 0xfe])
  }
}
