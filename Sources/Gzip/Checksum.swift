internal import CZlib

/// Returns the CRC-32 of bytes, as defined for gzip.
func checksum(_ bytes: Span<UInt8>) -> UInt32 {
  unsafe bytes.withUnsafeBufferPointer { buffer in
    // If the address is null, zlib returns its initial value, which is the checksum of no bytes.
    UInt32(truncatingIfNeeded: unsafe crc32_z(0, buffer.baseAddress, buffer.count))
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  mutating func append(littleEndian number: UInt32, bytesWide width: Int) {
    for index in 0..<width {
      append(UInt8(truncatingIfNeeded: number >> UInt32(index * 8)))
    }
  }
}

extension Span<UInt8> {
  /// Returns the bytes from `offset` on as a little-endian number.
  func littleEndian(at offset: Int, bytesWide width: Int) -> UInt32 {
    var number: UInt32 = 0
    for index in (0..<width).reversed() { number = number << 8 | UInt32(self[offset + index]) }
    return number
  }
}
