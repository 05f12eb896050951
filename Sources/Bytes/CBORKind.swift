/// The kind of an item, according to its first byte.
package enum CBORKind: Hashable, Sendable {
  case unsigned
  case negative
  case bytes
  case text
  case array
  case map
  case tag
  case simple
  case boolean
  case null
  case undefined
  case float

  /// The upper three bits of the first byte.
  var majorType: UInt8 {
    switch self {
    case .unsigned: 0
    case .negative: 1
    case .bytes: 2
    case .text: 3
    case .array: 4
    case .map: 5
    case .tag: 6
    case .simple, .boolean, .null, .undefined, .float: 7
    }
  }
}
