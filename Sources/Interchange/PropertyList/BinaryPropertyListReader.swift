internal import Bytes

/// Reads the binary form: objects, a table with their offsets, and a trailer that describes the table.
///
/// Several references may refer to the same object, so the expanded list can be far larger than its bytes. The budget
/// of the builder limits the expanded size, and the depth limit stops objects that contain themselves.
struct BinaryPropertyListReader {
  /// A container whose parts are being read.
  private struct Level {
    let container: PropertyListBuilder.Container
    /// The offsets at which the references to keys and to values begin.
    let keys: Int
    let values: Int
    let count: Int
    var next = 0
  }

  let bytes: [UInt8]
  private var builder: PropertyListBuilder
  private var levels: [Level] = []
  /// Strings and data already read; all references to the same object share its bytes.
  private var known: [Int: PropertyList] = [:]
  /// The total size of the strings and data read so far, which do not overlap in a valid list.
  private var taken = 0
  private var trailer = Trailer()

  init(_ bytes: [UInt8], _ builder: PropertyListBuilder) {
    (self.bytes, self.builder) = (bytes, builder)
  }

  mutating func read() throws(PropertyListError) -> PropertyList {
    guard bytes.starts(with: "bplist00".utf8) else {
      let version = bytes.dropFirst(6).prefix(2)
      throw PropertyListError(.version(String(decoding: version, as: UTF8.self)), at: 6)
    }
    trailer = try Trailer(of: bytes)
    try visit(trailer.top)
    while let level = levels.last {
      if level.next == level.count {
        levels.removeLast()
        try build(at: level.values) { builder throws(PropertyListFailure) in
          try builder.end(level.container)
        }
      } else {
        levels[levels.count - 1].next += 1
        try visitPart(level.next, of: level)
      }
    }
    guard let root = builder.root else { throw PropertyListError(.unexpectedEnd, at: bytes.count) }
    return root
  }

  private mutating func visitPart(_ part: Int, of level: Level) throws(PropertyListError) {
    if level.container == .dictionary {
      let place = level.keys + part * trailer.referenceBytes
      let object = try offset(of: try reference(at: place))
      guard let key = try text(at: object) else { throw PropertyListError(.unexpected, at: object) }
      try build(at: object) { builder throws(PropertyListFailure) in try builder.key(key) }
    }
    try visit(try reference(at: level.values + part * trailer.referenceBytes))
  }

  /// Reads an object, or begins a container.
  private mutating func visit(_ reference: Int) throws(PropertyListError) {
    let place = try offset(of: reference)
    let marker = bytes[place]
    switch marker >> 4 {
    case 0xa, 0xb, 0xc, 0xd: try begin(at: place)
    default:
      let value = try scalar(at: place)
      try build(at: place) { builder throws(PropertyListFailure) in try builder.add(value) }
    }
  }

  private mutating func begin(at place: Int) throws(PropertyListError) {
    let isDictionary = bytes[place] >> 4 == 0xd
    let (count, start) = try countAndStart(at: place)
    let width = trailer.referenceBytes * (isDictionary ? 2 : 1)
    guard count <= (trailer.table - start) / width else {
      throw PropertyListError(.badReference, at: place)
    }
    let container: PropertyListBuilder.Container = isDictionary ? .dictionary : .array
    try build(at: place) { builder throws(PropertyListFailure) in try builder.begin(container) }
    let values = isDictionary ? start + count * trailer.referenceBytes : start
    levels.append(Level(container: container, keys: start, values: values, count: count))
  }

  private mutating func build(
    at place: Int, _ body: (inout PropertyListBuilder) throws(PropertyListFailure) -> Void
  ) throws(PropertyListError) {
    do throws(PropertyListFailure) {
      try body(&builder)
    } catch {
      throw PropertyListError(error.reason, at: place)
    }
  }
}

extension BinaryPropertyListReader {
  private mutating func scalar(at place: Int) throws(PropertyListError) -> PropertyList {
    let marker = bytes[place]
    switch (marker >> 4, marker & 0x0f) {
    case (0, 0): return .null
    case (0, 8): return .boolean(false)
    case (0, 9): return .boolean(true)
    case (1, 0...4): return .integer(try integer(at: place + 1, width: 1 << Int(marker & 0x0f)))
    case (2, 2): return .real(Double(Float(bitPattern: UInt32(try number(at: place + 1, 4)))))
    case (2, 3): return .real(Double(bitPattern: UInt64(try number(at: place + 1, 8))))
    case (3, 3): return .date(try date(at: place))
    case (4, _): return try data(at: place)
    case (8, let size) where size < 8:
      return .uid(UInt64(try number(at: place + 1, Int(size) + 1)))
    default:
      guard let text = try text(at: place) else { throw PropertyListError(.unexpected, at: place) }
      return .string(text)
    }
  }

  /// Reads a number; numbers of up to four bytes are unsigned.
  private func integer(at place: Int, width: Int) throws(PropertyListError) -> Int128 {
    let number = try number(at: place, width)
    return width == 8
      ? Int128(Int64(truncatingIfNeeded: number)) : Int128(truncatingIfNeeded: number)
  }

  private func date(at place: Int) throws(PropertyListError) -> Int64 {
    let seconds = Double(bitPattern: UInt64(try number(at: place + 1, 8)))
    guard let date = AppleTime.milliseconds(seconds) else {
      throw PropertyListError(.badDate, at: place)
    }
    return date
  }

  private mutating func data(at place: Int) throws(PropertyListError) -> PropertyList {
    if let data = known[place] { return data }
    let (count, start) = try countAndStart(at: place)
    let data = PropertyList.data(Array(try contents(start, count)))
    known[place] = data
    return data
  }

  /// Returns the text at an offset; nil for any other object.
  private mutating func text(at place: Int) throws(PropertyListError) -> String? {
    if let text = known[place]?.string { return text }
    let kind = bytes[place] >> 4
    guard kind >= 5, kind <= 7 else { return nil }
    let (count, start) = try countAndStart(at: place)
    let read: String?
    switch kind {
    case 5:
      let ascii = try contents(start, count)
      read = ascii.allSatisfy { $0 < 0x80 } ? String(validating: ascii, as: UTF8.self) : nil
    case 6:
      guard count <= bytes.count / 2 else { throw PropertyListError(.badReference, at: place) }
      let pairs = try contents(start, count * 2)
      let units = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2).map {
        UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
      }
      read = String(validating: units, as: UTF16.self)
    default: read = String(validating: try contents(start, count), as: UTF8.self)
    }
    guard let text = read else { throw PropertyListError(.badText, at: place) }
    known[place] = .string(text)
    return text
  }

  /// Returns the length of an object and the offset of its content.
  private func countAndStart(at place: Int) throws(PropertyListError) -> (Int, Int) {
    let short = Int(bytes[place] & 0x0f)
    guard short == 0x0f else { return (short, place + 1) }
    guard place + 1 < trailer.table, bytes[place + 1] >> 4 == 1, bytes[place + 1] & 0x0f <= 3 else {
      throw PropertyListError(.badReference, at: place)
    }
    let width = 1 << Int(bytes[place + 1] & 0x0f)
    let count = try number(at: place + 2, width)
    guard count <= UInt128(bytes.count) else { throw PropertyListError(.badReference, at: place) }
    return (Int(count), place + 2 + width)
  }

  /// Returns the bytes of a string or of data.
  private mutating func contents(
    _ start: Int, _ count: Int
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    taken += count
    guard taken <= bytes.count else { throw PropertyListError(.badReference, at: start) }
    return try slice(start, count)
  }

  private func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard start <= trailer.table, count <= trailer.table - start else {
      throw PropertyListError(.unexpectedEnd, at: start)
    }
    return bytes[start..<start + count]
  }

  private func number(at place: Int, _ width: Int) throws(PropertyListError) -> UInt128 {
    try slice(place, width).reduce(0) { $0 << 8 | UInt128($1) }
  }

  private func reference(at place: Int) throws(PropertyListError) -> Int {
    let reference = try number(at: place, trailer.referenceBytes)
    guard reference < UInt128(trailer.objects) else {
      throw PropertyListError(.badReference, at: place)
    }
    return Int(reference)
  }

  /// Returns the offset of an object.
  private func offset(of reference: Int) throws(PropertyListError) -> Int {
    let place = trailer.table + reference * trailer.offsetBytes
    let offset = bytes[place..<place + trailer.offsetBytes].reduce(UInt128(0)) {
      $0 << 8 | UInt128($1)
    }
    guard offset >= 8, offset < UInt128(trailer.table) else {
      throw PropertyListError(.badReference, at: place)
    }
    return Int(offset)
  }
}

/// The trailer: the numbers in the last 32 bytes of the file.
private struct Trailer {
  var offsetBytes = 1
  var referenceBytes = 1
  var objects = 0
  var top = 0
  /// The offset at which the objects end and the table begins.
  var table = 0

  init() {}

  init(of bytes: [UInt8]) throws(PropertyListError) {
    let start = bytes.count - 32
    guard start > 8 else { throw PropertyListError(.unexpectedEnd, at: bytes.count) }
    func word(_ place: Int) -> UInt64 {
      bytes[start + place..<start + place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (offsetBytes, referenceBytes) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
    let (objects, top, table) = (word(8), word(16), word(24))
    guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes), top < objects,
      table > 8, table < UInt64(start), objects <= (UInt64(start) - table) / UInt64(offsetBytes)
    else { throw PropertyListError(.badReference, at: start) }
    self.offsetBytes = offsetBytes
    self.referenceBytes = referenceBytes
    (self.objects, self.top, self.table) = (Int(objects), Int(top), Int(table))
  }
}
