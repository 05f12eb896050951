/// The values of a row as records and sort keys have them, spelled but once for all b-trees that take some in.
///
/// Values that stand beside each other here can be taken together.
package struct PackedRow: ~Copyable {
  /// Where the spellings of some values begin or end.
  struct Place {
    var type = 0
    var content = 0
    var key = 0
  }

  /// What stands of the values in the header of a record.
  private var types = ByteRoom()
  /// What stands of them behind the header.
  private var contents = ByteRoom()
  /// What they are sorted by; nothing for those that no b-tree is sorted by.
  private var keys = ByteRoom()
  /// The ends of all values, behind the beginning.
  private var places = [Place()]

  package init() {}

  /// Forgets all values, to take in others without asking for memory again.
  package mutating func removeAll() {
    types.removeAll()
    contents.removeAll()
    keys.removeAll()
    places.removeAll(keepingCapacity: true)
    places.append(Place())
  }

  /// Puts a value behind the others.
  package mutating func append(_ value: borrowing SQLiteValue, isSortedBy: Bool) {
    let type = SerialType(of: value)
    types.append(varint: type.code)
    contents.append(value, count: type.count)
    if isSortedBy { keys.append(sortKey: value) }
    places.append(Place(type: types.count, content: contents.count, key: keys.count))
  }

  /// Appends a record of some of the values as SQLite has it in a cell, behind its length.
  func appendRecord(of columns: Span<Range<Int>>, to records: inout [UInt8]) {
    var (header, content) = (0, 0)
    for index in columns.indices {
      let (start, end) = ends(of: columns[index])
      header += end.type - start.type
      content += end.content - start.content
    }
    // The header counts itself; its length takes one byte unless it is long itself.
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

  /// Appends what some of the values are sorted by.
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

  /// Where the spellings of values that stand beside each other begin and end.
  private func ends(of columns: Range<Int>) -> (start: Place, end: Place) {
    (places[columns.lowerBound], places[columns.upperBound])
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

  /// Appends a number in groups of seven bits, all but the last marked.
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

/// Spells a number in groups of seven bits, all but the last marked.
@inline(__always)
private func forEachGroup(of number: Int, _ put: (UInt8) -> Void) {
  if number < 0x80 { return put(UInt8(number)) }
  let groups = (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
  for place in stride(from: groups - 1, to: 0, by: -1) {
    put(UInt8(truncatingIfNeeded: number >> (7 * place)) | 0x80)
  }
  put(UInt8(truncatingIfNeeded: number) & 0x7F)
}
