/// Writes rows as SQLite keeps them: the length, what each value is, and the values.
///
/// It is the "record format" of SQLite's description of its files, each record behind the length that stands before it
/// in a cell.
package struct RecordWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  // Of the record at hand, kept for their room.
  private var types: [UInt8] = []
  private var content: [UInt8] = []

  package init() {}

  /// Writes some columns of a row.
  package mutating func append(_ columns: [Int], of row: [SQLiteValue]) {
    types.removeAll(keepingCapacity: true)
    content.removeAll(keepingCapacity: true)
    for column in columns { take(row[column]) }
    // The header counts itself; its length takes one byte unless it is long itself.
    let header = types.count + (types.count + 1 < 0x80 ? 1 : 2)
    bytes.append(varint: header + content.count)
    bytes.append(varint: header)
    bytes += types
    bytes += content
  }

  private mutating func take(_ value: SQLiteValue) {
    switch value {
    case .null: types.append(SerialType.null)
    case .integer(let number): take(number)
    case .real(let number):
      types.append(SerialType.real)
      content.append(number.bitPattern, count: 8)
    case .text(let text):
      let start = content.count
      content.append(contentsOf: text.utf8)
      types.append(varint: SerialType.text + 2 * (content.count - start))
    case .blob(let blob):
      types.append(varint: SerialType.blob + 2 * blob.count)
      content += blob
    }
  }

  private mutating func take(_ number: Int64) {
    if number == 0 || number == 1 { return types.append(SerialType.zero + UInt8(number)) }
    let magnitude = number < 0 ? ~number : number
    // With the sign.
    let (type, count): (UInt8, Int) =
      switch Int64.bitWidth - magnitude.leadingZeroBitCount + 1 {
      case ...8: (1, 1)
      case ...16: (2, 2)
      case ...24: (3, 3)
      case ...32: (4, 4)
      case ...48: (5, 6)
      default: (6, 8)
      }
    types.append(type)
    content.append(UInt64(bitPattern: number), count: count)
  }
}

/// What SQLite says of a value in the header of a record, but for integers that are longer than nothing.
private enum SerialType {
  static let null: UInt8 = 0
  static let real: UInt8 = 7
  /// That of 1 comes next.
  static let zero: UInt8 = 8
  static let blob = 12
  static let text = 13
}

extension [UInt8] {
  /// Appends the last bytes of a number, the weightiest first.
  mutating func append(_ number: UInt64, count: Int) {
    let shifted = count == 0 ? 0 : number << UInt64(8 * (8 - count))
    unsafe Swift.withUnsafeBytes(of: shifted.bigEndian) { bytes in
      unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  /// Appends a number in groups of seven bits, all but the last marked.
  fileprivate mutating func append(varint number: Int) {
    if number < 0x80 { return append(UInt8(number)) }
    let groups = (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
    for place in stride(from: groups - 1, to: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: number >> (7 * place)) | 0x80)
    }
    append(UInt8(truncatingIfNeeded: number) & 0x7F)
  }
}
