/// The value of a field, as an event encodes it.
///
/// The encoding determines only the form. The field's ``FieldType`` determines what an integer means, such as a weight,
/// a date or an instant. A value whose form the type does not allow is kept but not shown.
package enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case reference(EventKey)
  case texts([String])
  /// Deterministic CBOR of any other form, from a newer version or a foreign source.
  case other([UInt8])
}

extension Value {
  /// The bytes that the value takes in memory in addition to itself.
  ///
  /// In a list, each string takes space even if it is empty.
  var heldBytes: Int {
    switch self {
    case .null, .boolean, .integer, .reference: 0
    case .text(let text): text.utf8.count
    case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.size }
    case .bytes(let bytes), .other(let bytes): bytes.count
    }
  }

  package static func date(_ date: CivilDate) -> Value { .integer(date.packed) }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  package var texts: [String]? {
    if case .texts(let texts) = self { texts } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  package var reference: EventKey? {
    if case .reference(let key) = self { key } else { nil }
  }

  package var date: CivilDate? {
    if case .integer(let packed) = self { CivilDate(packed: packed) } else { nil }
  }
}
