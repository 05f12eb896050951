extension Span<UInt8> {
  /// A copy of the bytes in `range`.
  package func copy(_ range: Range<Int>) -> [UInt8] {
    [UInt8](capacity: range.count) { output in
      for index in range { output.append(self[index]) }
    }
  }
}
