/// The values of a row, encoded once as records and sort keys for all b-trees that contain some of the values.
///
/// Adjacent values can be copied together.
package struct PackedRow: ~Copyable {
  /// The offsets at which the encodings of one value end and those of the next value begin.
  struct Place {
    var type = 0
    var content = 0
    var key = 0
  }

  /// The serial types of the values, for the header of a record.
  private var types = ByteRoom()
  /// The contents of the values, which follow the header.
  private var contents = ByteRoom()
  /// The sort keys of the values; empty for values by which no b-tree is sorted.
  private var keys = ByteRoom()
  /// The end of each value, preceded by the beginning of the first value.
  private var places = [Place()]

  package init() {}

  /// Removes all values, but keeps the memory.
  package mutating func removeAll() {
    types.removeAll()
    contents.removeAll()
    keys.removeAll()
    places.removeAll(keepingCapacity: true)
    places.append(Place())
  }

  /// Appends a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isSortedBy: Whether a b-tree is sorted by the value.
  package mutating func append(_ value: borrowing SQLiteValue, isSortedBy: Bool) {
    let type = SerialType(of: value)
    types.append(varint: type.code)
    contents.append(value, count: type.count)
    if isSortedBy { SortKey.append(value, to: &keys) }
    places.append(Place(type: types.count, content: contents.count, key: keys.count))
  }

  /// Appends a record of the selected values, preceded by its length, as SQLite stores it in a cell.
  func appendRecord(of columns: Span<Range<Int>>, to records: inout [UInt8]) {
    var (header, content) = (0, 0)
    for index in columns.indices {
      let (start, end) = ends(of: columns[index])
      header += end.type - start.type
      content += end.content - start.content
    }
    // The header contains its own length, which takes one byte unless the header is long.
    header += header + 1 < 0x80 ? 1 : 2
    records.append(addingCapacity: header + content + 9) { output in
      output.append(varint: header + content)
      output.append(varint: header)
      for index in columns.indices {
        let (start, end) = ends(of: columns[index])
        types.copy(start.type..<end.type, to: &output)
      }
      for index in columns.indices {
        let (start, end) = ends(of: columns[index])
        contents.copy(start.content..<end.content, to: &output)
      }
    }
  }

  /// Appends the sort key of the selected values.
  func appendKey(of columns: Span<Range<Int>>, to sortKeys: inout [UInt8]) {
    var length = 0
    for index in columns.indices {
      let (start, end) = ends(of: columns[index])
      length += end.key - start.key
    }
    sortKeys.append(addingCapacity: length) { output in
      for index in columns.indices {
        let (start, end) = ends(of: columns[index])
        keys.copy(start.key..<end.key, to: &output)
      }
    }
  }

  /// Returns the offsets at which the encodings of adjacent values begin and end.
  private func ends(of columns: Range<Int>) -> (start: Place, end: Place) {
    (places[columns.lowerBound], places[columns.upperBound])
  }
}

/// The serial type of a value in the header of a record ("Record Format" in SQLite's file format documentation).
private struct SerialType {
  let code: Int
  /// The length of the value, which follows the header.
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

  /// Integers take as few bytes as possible; 0 and 1 take none.
  init(of number: Int64) {
    if number == 0 || number == 1 {
      (code, count) = (8 + Int(number), 0)
      return
    }
    let magnitude = number < 0 ? ~number : number
    // The width includes the sign.
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

extension ByteRoom {
  fileprivate mutating func append(_ value: borrowing SQLiteValue, count: Int) {
    switch value {
    case .null: break
    case .integer(let number): append(UInt64(bitPattern: number), count: count)
    case .real(let number): append(number.bitPattern, count: count)
    case .text(let text): append(text.utf8.span)
    case .blob(let blob): append(blob.span)
    }
  }

  /// Appends a number in groups of seven bits; all groups except the last are marked.
  fileprivate mutating func append(varint number: Int) {
    forEachGroup(of: number) { append($0) }
  }
}

extension OutputSpan<UInt8> {
  @_lifetime(self: copy self)
  fileprivate mutating func append(varint number: Int) {
    forEachGroup(of: number) { append($0) }
  }
}

/// Encodes a number in groups of seven bits; all groups except the last are marked.
@inline(__always)
private func forEachGroup(of number: Int, _ put: (UInt8) -> Void) {
  if number < 0x80 { return put(UInt8(number)) }
  let groups = (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
  for place in stride(from: groups - 1, to: 0, by: -1) {
    put(UInt8(truncatingIfNeeded: number >> (7 * place)) | 0x80)
  }
  put(UInt8(truncatingIfNeeded: number) & 0x7F)
}
