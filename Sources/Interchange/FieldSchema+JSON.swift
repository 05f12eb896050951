internal import Bytes
internal import Domain

// Converts the content of fields to and from JSON.

extension KindSchema {
  /// Returns the field with the given name in an operation log; the American spelling `color` also works.
  func field(ofKey key: String) -> FieldSchema? {
    field(named: key == "color" ? "colour" : key)
  }
}

extension FieldSchema {
  /// Reads the content of the field from a JSON value in a line.
  ///
  /// - Returns: The value, or the source id of a reference.
  /// - Throws: The reason if the field does not allow the value.
  func content(of json: JSON) throws(OperationFault.Reason) -> Operation.Content {
    if case (.reference, .string(let id)) = (type, json), !id.isEmpty {
      guard id.utf8.count <= Operation.Limit.idBytes else {
        throw .value(.tooLong(maximumBytes: Operation.Limit.idBytes))
      }
      return .source(id)
    }
    let value = try value(of: json)
    do throws(ValueFault) {
      return .value(try type.admit(value))
    } catch {
      throw .value(error)
    }
  }

  private func value(of json: JSON) throws(OperationFault.Reason) -> Value {
    switch json {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    // Packed dates occur only in events. In a line, such a number would look like a year, so it is rejected.
    case .integer(let number) where type != .date: return .integer(number)
    case .string(let text): return try value(ofText: text)
    case .array(let items):
      let texts = items.compactMap(\.string)
      guard texts.count == items.count else { throw .value(.wrongType(type)) }
      return .texts(texts)
    case .object(let members):
      let pairs = members.compactMap { member in member.value.string.map { (member.name, $0) } }
      guard pairs.count == members.count else { throw .value(.wrongType(type)) }
      return .map(pairs)
    case .integer, .number: throw .value(.wrongType(type))
    }
  }

  private func value(ofText text: String) throws(OperationFault.Reason) -> Value {
    var value: Value?
    switch type {
    case .text, .repeatRule: value = .text(text)
    case .bytes: value = Hex.decode(text).map(Value.bytes)
    case _ where text.isEmpty: value = .null
    case .date:
      do throws(CivilDateError) {
        value = .date(try CivilDate.parse(text))
      } catch {
        throw .date(error)
      }
    case .instant: value = Instant.parse(text).map(Value.integer)
    case .colour: value = Self.colour(text)
    case .priority: value = Self.priorities.firstIndex(of: text).map { .integer(Int64($0)) }
    case .minute: value = TimeOfDay(text: text).map { .integer($0.minute) }
    case .leapRule: value = Self.leapRules.firstIndex(of: text).map { .integer(Int64($0)) }
    default: break
    }
    guard let value else { throw .value(.wrongType(type)) }
    return value
  }

  /// Returns a value as JSON; nil if the type of the field does not allow it.
  func json(of value: Value) -> JSON? {
    switch (type, value) {
    case (_, .null): .null
    case (.text, .text(let text)), (.repeatRule, .text(let text)): .string(text)
    case (.texts, .texts(let texts)): .array(texts.map(JSON.string))
    case (.boolean, .boolean(let flag)): .boolean(flag)
    case (.date, _): value.date.map { .string($0.iso) }
    case (.colour, .integer(let colour)):
      (0...0xFF_FFFF).contains(colour) ? .string(Self.text(ofColour: colour)) : nil
    case (.integer, .integer(let number)), (.instant, .integer(let number)),
      (.priority, .integer(let number)), (.leapRule, .integer(let number)),
      (.minute, .integer(let number)):
      .integer(number)
    case (.bytes, .bytes(let bytes)): .string(Hex.encode(bytes))
    case (.map, .other):
      value.textPairs.map { pairs in .object(pairs.map { JSON.Member($0.0, .string($0.1)) }) }
    default: nil
    }
  }

  private static let priorities = ["low", "normal", "high"]
  private static let leapRules = ["february28", "march1"]

  private static func colour(_ text: String) -> Value? {
    let digits = text.utf8.dropFirst()
    let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, isHex else { return nil }
    return Int64(String(text.dropFirst()), radix: 16).map(Value.integer)
  }

  static func text(ofColour colour: Int64) -> String {
    let digits = String(colour, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
