/// The parts of a file in the Time Zone Information Format (RFC 9636, section 3) that determine the offset from UTC.
struct ZoneFile {
  private(set) var changes: [Int64] = []
  /// The offset before the first change, and after each change.
  private(set) var offsets: [Int] = []
  /// The `TZ` string for times after the last change; nil if the file has version 1.
  private(set) var footer: String?

  private static let headerSize = 44
  private static let magic = Array("TZif".utf8)

  /// Reads a file; nil if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes[...]) else { return nil }
    guard first.version >= 2 else {
      guard read(bytes[...].dropFirst(Self.headerSize), first, timeSize: 4) else { return nil }
      return
    }
    // The first block contains 32-bit times, and the second one 64-bit times.
    let rest = bytes.dropFirst(Self.headerSize + first.size(timeSize: 4))
    guard let second = Header(rest) else { return nil }
    let data = rest.dropFirst(Self.headerSize)
    guard read(data, second, timeSize: 8) else { return nil }
    let end = data.dropFirst(second.size(timeSize: 8))
    guard end.first == 0x0A, let last = end.dropFirst().firstIndex(of: 0x0A) else { return nil }
    footer = String(decoding: end.dropFirst()[..<last], as: UTF8.self)
  }

  private struct Header {
    let version: Int
    private let counts: [Int]

    var times: Int { counts[3] }
    var types: Int { counts[4] }

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= headerSize, bytes.prefix(4).elementsEqual(magic) else { return nil }
      let digit = bytes[bytes.startIndex + 4]
      version = digit == 0 ? 1 : Int(digit) - 0x30
      counts = (0..<6).map { place in
        bytes.dropFirst(20 + 4 * place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
      // Even the largest file in the time zone database has fewer than 300 changes.
      guard version >= 1, counts.allSatisfy({ $0 <= 1 << 16 }), types > 0 else { return nil }
    }

    /// The size of the data after the header.
    func size(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1]
        + counts[0]
    }
  }

  private mutating func read(
    _ data: ArraySlice<UInt8>, _ header: Header, timeSize: Int
  ) -> Bool {
    guard data.count >= header.size(timeSize: timeSize) else { return false }
    changes = (0..<header.times).map { place in
      Self.number(data.dropFirst(place * timeSize).prefix(timeSize))
    }
    let indices = data.dropFirst(header.times * timeSize).prefix(header.times).map(Int.init)
    let types = data.dropFirst(header.times * (timeSize + 1))
    let known = (0..<header.types).map { place in
      Int(Self.number(types.dropFirst(place * 6).prefix(4)))
    }
    guard indices.allSatisfy({ $0 < known.count }),
      known.allSatisfy({ -93_599...93_599 ~= $0 }),
      zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
    else { return false }
    offsets = [known[0]] + indices.map { known[$0] }
    return true
  }

  /// Reads a signed number of four or eight bytes, with the highest byte first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}
