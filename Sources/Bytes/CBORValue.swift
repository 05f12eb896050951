/// Any CBOR item as a value, for items that have no type of their own.
///
/// Two values are equal if their encodings are equal, provided that their maps list the pairs in the same order, as
/// decoded maps always do. As a result, NaN equals itself, and -0.0 does not equal 0.0.
package enum CBORValue: Hashable, Sendable {
  case unsigned(UInt64)
  /// Represents -1 minus the number.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([Pair])
  indirect case tagged(UInt64, CBORValue)
  case boolean(Bool)
  case null
  case undefined
  case simple(UInt8)
  case float(Double)

  /// A key of a map and its value.
  package struct Pair: Hashable, Sendable {
    package var key: CBORValue
    package var value: CBORValue

    package init(key: CBORValue, value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// Returns the deterministic encoding of a value.
  package static func encode(_ value: CBORValue) -> [UInt8] {
    var writer = CBORWriter()
    writer.value(value)
    return writer.bytes
  }

  /// Decodes exactly one item.
  package static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> CBORValue {
    var reader = CBORReader(bytes)
    let value = try reader.value()
    try reader.finish()
    return value
  }
}

extension CBORValue {
  package static func == (left: CBORValue, right: CBORValue) -> Bool {
    switch (left, right) {
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.negative(let left), .negative(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    // Swift treats é as equal to e with a combining accent, although their bytes differ.
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.tagged(let left, let inner), .tagged(let right, let other)):
      left == right && inner == other
    case (.boolean(let left), .boolean(let right)): left == right
    case (.simple(let left), .simple(let right)): left == right
    case (.float(let left), .float(let right)):
      left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
    case (.null, .null), (.undefined, .undefined): true
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .unsigned(let number), .negative(let number): hasher.combine(number)
    case .bytes(let bytes): hasher.combine(bytes)
    case .text(let text): hasher.combine(text)
    case .array(let elements): hasher.combine(elements)
    case .map(let pairs): hasher.combine(pairs)
    case .tagged(let tag, let value):
      hasher.combine(tag)
      hasher.combine(value)
    case .boolean(let truth): hasher.combine(truth)
    case .null, .undefined: break
    case .simple(let number): hasher.combine(number)
    case .float(let number): hasher.combine(number.isNaN ? 0 : number.bitPattern)
    }
  }
}
