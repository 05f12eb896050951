extension Span<UInt8> {
  /// A copy of the bytes in `range`.
  package func copy(_ range: Range<Int>) -> [UInt8] {
    unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
  }
}
