/// JSON text (RFC 8259) as a value, in which an object preserves the order of its members.
///
/// This type is used instead of Foundation's parser, because linking Foundation adds more to a process's start-up time
/// than a whole command takes. In addition, members must be written in their original order.
package indirect enum JSON: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number that has a fraction or an exponent, or that does not fit into ``integer(_:)``.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A member of an object, which consists of a name and a value.
  package struct Member: Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON {
  package static func object(_ members: (String, JSON)...) -> JSON {
    .object(members.map { Member($0.0, $0.1) })
  }

  /// Returns the value of the named member; nil if there is no such member or this value is not an object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  package var array: [JSON]? {
    if case .array(let items) = self { items } else { nil }
  }

  package var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSON: Equatable {
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
    default: false
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(integerLiteral number: Int64) { self = .integer(number) }
  package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
}
