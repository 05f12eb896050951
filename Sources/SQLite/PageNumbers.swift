// Page numbers in a database file, in big-endian order.

extension [UInt8] {
  func pageNumber(at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(self[place + $1]) }
  }

  mutating func setPageNumber(_ number: UInt32, at place: Int) {
    for byte in 0..<4 { self[place + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
  }
}
