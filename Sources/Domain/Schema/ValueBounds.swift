internal import Bytes

/// The size limits of values; commands do not write larger values, and the fold ignores such values.
///
/// The limits depend on the field number and the form of the value, but not on the kind. An edit is therefore judged in
/// the same way whether or not the add of its entity is known, and whether or not the reader knows the kind.
package enum ValueBounds {
  /// Whether the fold accepts a write.
  ///
  /// Fields with negative numbers are notes on the event and not part of an entity, so they have no limits.
  package static func admit(_ value: Value, in field: Field) -> Bool {
    guard field.rawValue >= 0 else { return true }
    guard !field.isAlternative || field.base > .owner, field <= .last || field.isTag else {
      return false
    }
    return fault(of: value, in: field.base) == nil
  }

  /// The limit that a value exceeds; nil if it exceeds none.
  package static func fault(of value: Value, in field: Field) -> ValueFault? {
    switch value {
    case .null, .boolean, .reference: nil
    case .integer(let number):
      field == weight && number > Schema.Limit.weight ? .outOfRange(0...Schema.Limit.weight) : nil
    case .text(let text): fault(ofCount: text.utf8.count, upTo: textBytes(in: field))
    case .texts(let texts): fault(of: texts)
    case .bytes(let bytes): fault(ofCount: bytes.count, upTo: byteCount(in: field))
    case .other(let encoded):
      // An integer beyond the range of Int64 has this form; it also exceeds the limit.
      field == weight && isUnsigned(encoded)
        ? .outOfRange(0...Schema.Limit.weight)
        : fault(ofCount: encoded.count, upTo: encodedBytes(in: field))
    }
  }

  /// The maximum number of bytes of text in a field.
  static func textBytes(in field: Field) -> Int {
    if field == .note { return Schema.Limit.noteBytes }
    return field.isTag ? Schema.Limit.tagBytes : Schema.Limit.titleBytes
  }

  /// The maximum number of bytes of a byte string in a field.
  static func byteCount(in field: Field) -> Int {
    field == Field.Pick.draw ? Schema.Limit.drawBytes : Schema.Limit.otherBytes
  }

  /// The maximum number of bytes of the encoding of a value of any other form in a field.
  static func encodedBytes(in field: Field) -> Int {
    field == .extra ? Schema.Limit.mapBytes : Schema.Limit.otherBytes
  }

  private static let weight = Field.Choice.weight

  private static func fault(of texts: [String]) -> ValueFault? {
    guard texts.count <= Schema.Limit.tags else { return .tooMany(maximumCount: Schema.Limit.tags) }
    let longest = texts.lazy.map(\.utf8.count).max() ?? 0
    return fault(ofCount: longest, upTo: Schema.Limit.tagBytes)
  }

  private static func fault(ofCount count: Int, upTo limit: Int) -> ValueFault? {
    count > limit ? .tooLong(maximumBytes: limit) : nil
  }

  private static func isUnsigned(_ encoded: [UInt8]) -> Bool {
    encoded.first.map { $0 < 0x20 } ?? false
  }
}
