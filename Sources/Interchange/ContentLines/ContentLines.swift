/// The lines of a card or calendar file, one after the other, with their folds undone.
struct ContentLines {
  private let bytes: [UInt8]
  private var place = 0
  private var number = 0
  private let limit: Int

  /// Reads lines of no more bytes than a limit.
  init(_ bytes: [UInt8], limit: Int) {
    self.limit = limit
    if ForeignText.utf16(startOf: bytes) != nil {
      self.bytes = Array(ForeignText.decode(bytes).text.utf8)
    } else {
      self.bytes = bytes
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }
  }

  /// The next line that is not empty, or where there is something else.
  mutating func next() -> (line: ContentLine?, number: Int)? {
    while let first = physicalLine() {
      let start = number
      if first.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      // Beyond the limit only the head is looked at.
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

  /// Whether the head of a line says that its value is quoted-printable, where a line may end within.
  private static func isPrintable(_ line: [UInt8]) -> Bool {
    let head = line.prefix(256).prefix { $0 != UInt8(ascii: ":") }
    return String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
  }
}
