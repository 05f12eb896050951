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
    // No capacity is reserved for the claimed count: nested claims would multiply.
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
    // No item is a prefix of another, so both keys end here and are equal.
    throw .duplicateKey(at: key.lowerBound)
  }

  /// Checks that a big number, tag 2 or 3, is too large for a plain integer and has no leading zeros.
  private func checkBignum() throws(CBORError) {
    guard bytes[offset] == 0xc2 || bytes[offset] == 0xc3 else { return }
    var ahead = CBORReader(bytes, at: offset + 1)
    let digits = try ahead.byteStringRange()
    guard digits.count > 8, bytes[digits.lowerBound] != 0 else { throw .notShortest(at: offset) }
  }
}
