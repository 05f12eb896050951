/// Writes rows as SQLite keeps them: the length, what each value is, and the values.
///
/// It is the "record format" of SQLite's description of its files, each record behind the length that stands before it
/// in a cell.
package struct RecordWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes some columns of a row.
  package mutating func append(_ columns: [Int], of row: [SQLiteValue]) {
    let values = row.span
    var (header, content) = (0, 0)
    for column in columns {
      let type = SerialType(of: values[column])
      header += [UInt8].varintCount(type.code)
      content += type.count
    }
    // The header counts itself; its length takes one byte unless it is long itself.
    header += header + 1 < 0x80 ? 1 : 2
    bytes.append(varint: header + content)
    bytes.append(varint: header)
    for column in columns { bytes.append(varint: SerialType(of: values[column]).code) }
    for column in columns { append(values[column]) }
  }

  private mutating func append(_ value: SQLiteValue) {
    switch value {
    case .null: break
    case .integer(let number):
      bytes.append(UInt64(bitPattern: number), count: SerialType(of: number).count)
    case .real(let number): bytes.append(number.bitPattern, count: 8)
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .blob(let blob): bytes += blob
    }
  }
}

/// What SQLite says of a value in the header of a record ("Record Format" in the description of its file).
private struct SerialType {
  let code: Int
  /// How many bytes the value takes behind the header.
  let count: Int

  init(of value: borrowing SQLiteValue) {
    switch value {
    case .null: (code, count) = (0, 0)
    case .integer(let number): self = SerialType(of: number)
    case .real: (code, count) = (7, 8)
    case .text(let text): (code, count) = (13 + 2 * text.utf8.count, text.utf8.count)
    case .blob(let blob): (code, count) = (12 + 2 * blob.count, blob.count)
    }
  }

  /// Integers take as few bytes as they can, and 0 and 1 none.
  init(of number: Int64) {
    if number == 0 || number == 1 {
      (code, count) = (8 + Int(number), 0)
      return
    }
    let magnitude = number < 0 ? ~number : number
    // With the sign.
    (code, count) =
      switch Int64.bitWidth - magnitude.leadingZeroBitCount + 1 {
      case ...8: (1, 1)
      case ...16: (2, 2)
      case ...24: (3, 3)
      case ...32: (4, 4)
      case ...48: (5, 6)
      default: (6, 8)
      }
  }
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
    for place in stride(from: Self.varintCount(number) - 1, to: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: number >> (7 * place)) | 0x80)
    }
    append(UInt8(truncatingIfNeeded: number) & 0x7F)
  }

  /// How many bytes a number takes in groups of seven bits.
  fileprivate static func varintCount(_ number: Int) -> Int {
    number < 0x80 ? 1 : (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
  }
}
