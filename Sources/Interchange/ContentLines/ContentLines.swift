/// Reads the unfolded lines of a card or calendar file, one after another.
struct ContentLines {
  private let bytes: [UInt8]
  private var place = 0
  private var number = 0
  private let limit: Int

  /// Begins to read a file.
  ///
  /// - Parameters:
  ///   - bytes: The file; UTF-16 is converted to UTF-8.
  ///   - limit: The maximum number of bytes in a line; the value of a longer line is dropped.
  init(_ bytes: [UInt8], limit: Int) {
    self.limit = limit
    if ForeignText.utf16(startOf: bytes) != nil {
      self.bytes = Array(ForeignText.decode(bytes).text.utf8)
    } else {
      self.bytes = bytes
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }
  }

  /// Returns the next line that is not blank; `line` is nil if it is not a property.
  mutating func next() -> (line: ContentLine?, number: Int)? {
    while let first = physicalLine() {
      let start = number
      if first.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      // Of an overlong line, only the bytes up to the limit are parsed.
      var line = Array(first.prefix(limit))
      var length = first.count
      while isContinued(line) {
        guard let rest = physicalLine() else { break }
        let isFolded = rest.first == 0x20 || rest.first == 0x09
        if line.last == UInt8(ascii: "="), Self.isPrintable(line) { line.removeLast() }
        length += rest.count
        if length <= limit { line += isFolded ? rest.dropFirst() : rest }
      }
      guard var read = ContentLine(bytes: line, number: start) else { return (nil, start) }
      if length > limit { (read.value, read.excessBytes) = ("", length) }
      return (read, start)
    }
    return nil
  }

  private mutating func physicalLine() -> ArraySlice<UInt8>? {
    guard place < bytes.count else { return nil }
    number += 1
    let rest = bytes[place...]
    let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    defer {
      place = end + 1
      if end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { place += 1 }
    }
    return rest[..<end]
  }

  private func isContinued(_ line: [UInt8]) -> Bool {
    guard place < bytes.count else { return false }
    if bytes[place] == 0x20 || bytes[place] == 0x09 { return true }
    return line.last == UInt8(ascii: "=") && Self.isPrintable(line)
  }

  /// Returns whether a line declares its value quoted-printable; such a value may contain line breaks.
  private static func isPrintable(_ line: [UInt8]) -> Bool {
    let head = line.prefix(256).prefix { $0 != UInt8(ascii: ":") }
    return String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
  }
}
