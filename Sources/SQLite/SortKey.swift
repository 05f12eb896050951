/// Spells values so that the bytes stand in the order in which SQLite has the values.
///
/// Nothing comes first, then numbers, texts and blobs, the latter two byte by byte. No spelling is the beginning of
/// another one, so several values can stand behind each other.
enum SortKey {
  private static let null: UInt8 = 0x00
  /// Between these stand numbers, by how many bytes they take below and above zero.
  private static let zero: UInt8 = 0x10
  private static let text: UInt8 = 0x20
  private static let blob: UInt8 = 0x21

  static func append(_ value: SQLiteValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(null)
    case .integer(let number): append(number, to: &bytes)
    case .text(let string): append(text, string.utf8, to: &bytes)
    case .blob(let blob): append(Self.blob, blob, to: &bytes)
    case .real: preconditionFailure("no index has such numbers")
    }
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    let magnitude = number < 0 ? UInt64(bitPattern: ~number) : UInt64(number)
    let count = (UInt64.bitWidth - magnitude.leadingZeroBitCount + 7) / 8
    // Of -1 the magnitude is zero, and it still comes before 0.
    bytes.append(number < 0 ? zero - 1 - UInt8(count) : zero + UInt8(count))
    bytes.append(UInt64(bitPattern: number), count: count)
  }

  private static func append(
    _ kind: UInt8, _ content: some Sequence<UInt8>, to bytes: inout [UInt8]
  ) {
    bytes.append(kind)
    for byte in content {
      bytes.append(byte)
      // What ends comes before what goes on with a zero: behind an end stands no byte as high as this.
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(0)
  }
}
