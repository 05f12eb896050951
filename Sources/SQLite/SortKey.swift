/// Encodes values so that the order of their bytes is the order of the values in SQLite.
///
/// NULL comes first, followed by numbers, text and blobs. Text and blobs are compared byte by byte. No encoding is a
/// prefix of another, so several encodings can be concatenated.
enum SortKey {
  private static let null: UInt8 = 0x00
  /// The first byte of the number zero.
  ///
  /// For other numbers, this byte is higher or lower, depending on the sign and on the number of bytes.
  private static let zero: UInt8 = 0x10
  private static let text: UInt8 = 0x20
  private static let blob: UInt8 = 0x21

  static func append(_ value: borrowing SQLiteValue, to room: inout ByteRoom) {
    switch value {
    case .null: room.append(null)
    case .integer(let number): append(number, to: &room)
    case .text(let content): append(text, content.utf8.span, to: &room)
    case .blob(let content): append(blob, content.span, to: &room)
    case .real: preconditionFailure("no index has such numbers")
    }
  }

  private static func append(_ number: Int64, to room: inout ByteRoom) {
    let magnitude = number < 0 ? UInt64(bitPattern: ~number) : UInt64(number)
    let count = (UInt64.bitWidth - magnitude.leadingZeroBitCount + 7) / 8
    // The magnitude of -1 is zero, but -1 comes before 0.
    room.append(number < 0 ? zero - 1 - UInt8(count) : zero + UInt8(count))
    room.append(UInt64(bitPattern: number), count: count)
  }

  private static func append(_ kind: UInt8, _ content: Span<UInt8>, to room: inout ByteRoom) {
    room.append(kind)
    for place in content.indices {
      let byte = content[place]
      room.append(byte)
      // A zero byte in the content is followed by 0xFF, so that it sorts after the zero byte that ends the content. No
      // encoding begins with such a high byte.
      if byte == 0 { room.append(0xFF) }
    }
    room.append(0)
  }
}
