/// A property list as a value; a dictionary keeps the order of its entries.
package indirect enum PropertyList: Sendable {
  case boolean(Bool)
  /// A whole number; binary lists contain numbers of up to sixteen bytes.
  case integer(Int128)
  case real(Double)
  case string(String)
  case data([UInt8])
  /// Milliseconds since 1970.
  case date(Int64)
  /// A reference inside a keyed archive.
  case uid(UInt64)
  case null
  case array([PropertyList])
  case dictionary([Entry])

  /// A key and its value.
  package struct Entry: Sendable {
    package var key: String
    package var value: PropertyList

    package init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyList {
  /// Returns the value for a key; nil if there is none, or if the property list is not a dictionary.
  package subscript(key: String) -> PropertyList? {
    entries?.first { $0.key == key }?.value
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var array: [PropertyList]? {
    if case .array(let items) = self { items } else { nil }
  }

  package var entries: [Entry]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The value as a Boolean, which programs also write as 0 or 1 or as a word; nil for any other value.
  package var truth: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(0), .real(0): false
    case .integer(1), .real(1): true
    case .string(let word):
      switch word.lowercased() {
      case "1", "yes", "true": true
      case "0", "no", "false": false
      default: nil
      }
    default: nil
    }
  }
}

extension PropertyList: Equatable {
  package static func == (left: PropertyList, right: PropertyList) -> Bool {
    switch (left, right) {
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uid(let a), .uid(let b)): a == b
    case (.null, .null): true
    case (.array(let a), .array(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)):
      a.elementsEqual(b) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
    default: false
    }
  }
}
