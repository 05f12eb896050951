extension CBORReader {
  /// Skips one complete item that consists only of the kinds of items that nearly all events use: integers, text, byte
  /// strings, `false`, `true`, `null`, and arrays of these.
  ///
  /// Every event is checked on reading, and this single pass takes a third of the time of a full check.
  ///
  /// - Returns: false if there is a different kind of item or an error; the offset is then undefined.
  @_lifetime(self: copy self)
  mutating func skipPlain() -> Bool {
    var (left, arrays) = (1, 0)
    while left > 0 {
      guard offset < bytes.count else { return false }
      let initial = bytes[offset]
      offset += 1
      left -= 1
      if initial >= 0xf4, initial <= 0xf6 { continue }
      var argument = Int(initial & 0x1f)
      if argument >= 24 {
        guard let number = plainArgument(argument) else { return false }
        argument = number
      }
      switch initial >> 5 {
      case 0, 1: continue
      case 2:
        guard argument <= bytes.count - offset else { return false }
        offset += argument
      case 3:
        guard argument <= bytes.count - offset, isText(argument) else { return false }
        offset += argument
      case 4:
        arrays += 1
        // This limits the depth of nested arrays too.
        guard arrays <= Self.nestingLimit, argument <= bytes.count - offset else { return false }
        left += argument
      default: return false
      }
    }
    return true
  }

  /// Reads a number with the width that the first byte states; nil if the number is invalid.
  @_lifetime(self: copy self)
  private mutating func plainArgument(_ information: Int) -> Int? {
    guard information < 28 else { return nil }
    let width = 1 << (information - 24)
    guard bytes.count - offset >= width else { return nil }
    var number: UInt64 = 0
    for index in offset..<offset + width { number = number << 8 | UInt64(bytes[index]) }
    let least: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
    guard number >= least else { return nil }
    offset += width
    // A clamped number is still too large for a count, and the value of an integer is not used here.
    return Int(clamping: number)
  }

  /// Returns whether the next bytes are valid UTF-8.
  private func isText(_ count: Int) -> Bool {
    let text = bytes.extracting(offset..<offset + count)
    var (seen, index): (UInt64, Int) = (0, 0)
    while index + 8 <= count {
      seen |= text.bigEndianWord(at: index)
      index += 8
    }
    while index < count {
      seen |= UInt64(text[index])
      index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0 || (try? UTF8Span(validating: text)) != nil
  }
}
