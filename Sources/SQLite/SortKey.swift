// Encodes values so that their bytes have the order of the values in SQLite.
//
// NULL comes first, then numbers, text and blobs; text and blobs are compared byte by byte. No encoding is a prefix
// of another, so several values can be concatenated.

private enum SortKey {
  static let null: UInt8 = 0x00
  /// The kind of a number is above or below this value, depending on its sign, by the number of its bytes.
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
    // The magnitude of -1 is zero, but -1 comes before 0.
    append(number < 0 ? SortKey.zero - 1 - UInt8(count) : SortKey.zero + UInt8(count))
    append(UInt64(bitPattern: number), count: count)
  }

  private mutating func append(_ kind: UInt8, _ content: Span<UInt8>) {
    append(kind)
    for place in content.indices {
      let byte = content[place]
      append(byte)
      // A zero byte in the content is followed by 0xFF. It sorts after the zero that ends the content, because no
      // encoding begins with such a high byte.
      if byte == 0 { append(0xFF) }
    }
    append(0)
  }
}
