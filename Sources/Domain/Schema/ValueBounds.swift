internal import Bytes

/// How much a value may hold: a command writes no more, and the fold passes over what holds more.
///
/// The field's number and the value's form decide, never the kind: so an edit counts for the same before and after
/// the event is known that adds its entity, and for a reader that does not know the kind.
package enum ValueBounds {
  /// Whether the fold takes a write.
  ///
  /// Notes on the event are no part of an entity, so nothing is asked of them.
  package static func admit(_ value: Value, in field: Field) -> Bool {
    guard field.rawValue >= 0 else { return true }
    guard !field.isAlternative || field.base > .owner, field <= .last else { return false }
    return fault(of: value, in: field.base) == nil
  }

  /// What is too much about a value, if anything is.
  package static func fault(of value: Value, in field: Field) -> ValueFault? {
    switch value {
    case .null, .boolean, .reference: nil
    case .integer(let number):
      field == weight && number > Schema.Limit.weight ? .outOfRange(0...Schema.Limit.weight) : nil
    case .text(let text): fault(ofCount: text.utf8.count, upTo: textBytes(in: field))
    case .texts(let texts): fault(of: texts)
    case .bytes(let bytes): fault(ofCount: bytes.count, upTo: byteCount(in: field))
    case .other(let encoded):
      // An integer beyond 64 bits with sign is one as well.
      field == weight && isUnsigned(encoded)
        ? .outOfRange(0...Schema.Limit.weight)
        : fault(ofCount: encoded.count, upTo: encodedBytes(in: field))
    }
  }

  /// The bytes of a text in a field.
  static func textBytes(in field: Field) -> Int {
    field == .note ? Schema.Limit.noteBytes : Schema.Limit.titleBytes
  }

  /// The bytes of a byte string in a field.
  static func byteCount(in field: Field) -> Int {
    field == Field.Pick.draw ? Schema.Limit.drawBytes : Schema.Limit.otherBytes
  }

  /// The encoding of a value of any other form in a field.
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
