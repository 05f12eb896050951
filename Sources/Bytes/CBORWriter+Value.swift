extension CBORWriter {
  /// Writes a complete value, with the pairs of its maps sorted.
  package mutating func value(_ value: CBORValue) {
    switch value {
    case .unsigned(let number): unsigned(number)
    case .negative(let number): negative(number)
    case .bytes(let content): byteString(content)
    case .text(let content): text(content)
    case .array(let elements):
      arrayHeader(elements.count)
      for element in elements { self.value(element) }
    case .map(let pairs): map(pairs)
    case .tagged(let number, let content):
      precondition(Self.mayTag(number, content), "a big number is bigger than a plain integer")
      tag(number)
      self.value(content)
    case .boolean(let truth): boolean(truth)
    case .null: null()
    case .undefined: undefined()
    case .simple(let number): simple(number)
    case .float(let number): float(number)
    }
  }

  private mutating func map(_ pairs: [CBORValue.Pair]) {
    let sorted = pairs.map { (key: CBORValue.encode($0.key), value: $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    mapHeader(sorted.count)
    var previous: [UInt8]?
    for (key, value) in sorted {
      precondition(key != previous, "each key of a map is unique")
      raw(key)
      self.value(value)
      previous = key
    }
  }

  /// Returns whether the reader would accept a tag with its content.
  private static func mayTag(_ number: UInt64, _ content: CBORValue) -> Bool {
    guard number == 2 || number == 3 else { return true }
    guard case .bytes(let digits) = content, digits.count > 8 else { return false }
    return digits.first != 0
  }
}
