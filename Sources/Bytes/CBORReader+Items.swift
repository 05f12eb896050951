extension CBORReader {
  /// Checks one complete item of any kind, and returns its range.
  @_lifetime(self: copy self)
  package mutating func skip() throws(CBORError) -> Range<Int> {
    let start = offset
    if !skipPlain() {
      offset = start
      try walk(depth: 0)
    }
    return start..<offset
  }

  /// Reads one complete item of any kind.
  @_lifetime(self: copy self)
  package mutating func value() throws(CBORError) -> CBORValue {
    try value(depth: 0)
  }

  // Recursion is limited by the nesting limit, which is checked before each step down.
  @_lifetime(self: copy self)
  private mutating func walk(depth: Int) throws(CBORError) {
    switch try peek() {
    case .unsigned: _ = try argument(of: .unsigned)
    case .negative: _ = try argument(of: .negative)
    case .bytes: _ = try byteStringRange()
    case .text: _ = try textRange()
    case .array:
      try checkDepth(depth)
      for _ in 0..<(try arrayHeader()) { try walk(depth: depth + 1) }
    case .map:
      try checkDepth(depth)
      var previous: Range<Int>?
      for _ in 0..<(try mapHeader()) {
        let start = offset
        try walk(depth: depth + 1)
        try checkOrder(of: start..<offset, after: previous)
        previous = start..<offset
        try walk(depth: depth + 1)
      }
    case .tag:
      try checkDepth(depth)
      try checkBignum()
      _ = try tag()
      try walk(depth: depth + 1)
    case .boolean, .null, .undefined: offset += 1
    case .simple: _ = try simple()
    case .float: _ = try float()
    }
  }

  @_lifetime(self: copy self)
  private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
    switch try peek() {
    case .unsigned: return .unsigned(try argument(of: .unsigned))
    case .negative: return .negative(try argument(of: .negative))
    case .bytes: return .bytes(try byteString())
    case .text: return .text(try text())
    case .array: return .array(try elements(depth: depth))
    case .map: return .map(try pairs(depth: depth))
    case .tag:
      try checkDepth(depth)
      try checkBignum()
      return .tagged(try tag(), try value(depth: depth + 1))
    case .boolean: return .boolean(try boolean())
    case .null:
      offset += 1
      return .null
    case .undefined:
      offset += 1
      return .undefined
    case .simple: return .simple(try simple())
    case .float: return .float(try float())
    }
  }

  @_lifetime(self: copy self)
  private mutating func elements(depth: Int) throws(CBORError) -> [CBORValue] {
    try checkDepth(depth)
    // No capacity is reserved for the claimed count, because nested claims would multiply.
    var elements: [CBORValue] = []
    for _ in 0..<(try arrayHeader()) { elements.append(try value(depth: depth + 1)) }
    return elements
  }

  @_lifetime(self: copy self)
  private mutating func pairs(depth: Int) throws(CBORError) -> [CBORValue.Pair] {
    try checkDepth(depth)
    var pairs: [CBORValue.Pair] = []
    var previous: Range<Int>?
    for _ in 0..<(try mapHeader()) {
      let start = offset
      let key = try value(depth: depth + 1)
      try checkOrder(of: start..<offset, after: previous)
      previous = start..<offset
      pairs.append(CBORValue.Pair(key: key, value: try value(depth: depth + 1)))
    }
    return pairs
  }

  private func checkDepth(_ depth: Int) throws(CBORError) {
    guard depth < Self.nestingLimit else { throw .tooDeep(at: offset) }
  }

  /// Checks that the encoded keys of a map ascend.
  private func checkOrder(
    of key: Range<Int>, after previous: Range<Int>?
  ) throws(CBORError) {
    guard let previous else { return }
    var (left, right) = (previous.lowerBound, key.lowerBound)
    while left < previous.upperBound, right < key.upperBound {
      guard bytes[left] <= bytes[right] else { throw .unsortedKeys(at: key.lowerBound) }
      if bytes[left] < bytes[right] { return }
      (left, right) = (left + 1, right + 1)
    }
    // No item is a prefix of another, so if both keys end here, they are equal.
    throw .duplicateKey(at: key.lowerBound)
  }

  /// Checks that a big number, which has tag 2 or 3, is too large for a plain integer and has no leading zeros.
  private func checkBignum() throws(CBORError) {
    guard bytes[offset] == 0xc2 || bytes[offset] == 0xc3 else { return }
    var ahead = CBORReader(bytes, at: offset + 1)
    let digits = try ahead.byteStringRange()
    guard digits.count > 8, bytes[digits.lowerBound] != 0 else { throw .notShortest(at: offset) }
  }
}

// MARK: - The usual kinds of items

extension CBORReader {
  /// Skips one complete item that consists only of the kinds of items that nearly all events use: integers, text, byte
  /// strings, `false`, `true`, `null`, and arrays of these.
  ///
  /// Every event is checked when it is read, and this single pass takes a third of the time of a full check.
  ///
  /// - Returns: false if there is a different kind of item or an error, in which case the offset is undefined.
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
        // This condition also limits the depth of nested arrays.
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
    // Even a clamped number is too large for a count, and the value of an integer is not used here.
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
