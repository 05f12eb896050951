// Values spelled so that the bytes stand in the order in which SQLite has the values.
//
// Nothing comes first, then numbers, texts and blobs, the latter two byte by byte. No spelling is the beginning of
// another one, so several values can stand behind each other.

private enum SortKey {
  static let null: UInt8 = 0x00
  /// Between these stand numbers, by how many bytes they take below and above zero.
  static let zero: UInt8 = 0x10
  static let text: UInt8 = 0x20
  static let blob: UInt8 = 0x21
}

extension ByteRoom {
  mutating func append(sortKey value: borrowing SQLiteValue) {
    switch value {
    case .null: append(SortKey.null)
    case .integer(let number): append(sortKey: number)
    case .text(let text): append(SortKey.text, text.utf8.span)
    case .blob(let blob): append(SortKey.blob, blob.span)
    case .real: preconditionFailure("no index has such numbers")
    }
  }

  private mutating func append(sortKey number: Int64) {
    let magnitude = number < 0 ? UInt64(bitPattern: ~number) : UInt64(number)
    let count = (UInt64.bitWidth - magnitude.leadingZeroBitCount + 7) / 8
    // Of -1 the magnitude is zero, and it still comes before 0.
    append(number < 0 ? SortKey.zero - 1 - UInt8(count) : SortKey.zero + UInt8(count))
    append(UInt64(bitPattern: number), count: count)
  }

  private mutating func append(_ kind: UInt8, _ content: Span<UInt8>) {
    append(kind)
    for place in content.indices {
      let byte = content[place]
      append(byte)
      // What ends comes before what goes on with a zero: behind an end stands no byte as high as this.
      if byte == 0 { append(0xFF) }
    }
    append(0)
  }
}
