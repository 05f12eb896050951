import Bytes

/// The type of a field's values, with their limits.
package enum FieldType: Hashable, Sendable {
  case text(maximumBytes: Int)
  case texts(maximumCount: Int, maximumBytes: Int)
  /// One tag: its text, or false if it was removed.
  case tag(maximumBytes: Int)
  case integer(ClosedRange<Int64>)
  case boolean
  case date
  case instant
  case reference(Kind)
  /// A colour as 0xRRGGBB.
  case colour
  /// A priority, where 0 is low, 1 is normal and 2 is high.
  case priority
  case leapRule
  /// The minute of the day, from 0 for midnight to 1439.
  case minute
  /// The canonical text of a ``RepeatRule``.
  case repeatRule
  case bytes(maximumBytes: Int)
  /// A map from strings to strings.
  case map(maximumBytes: Int)
}

/// The reason why a field cannot have a value.
package enum ValueFault: Error, Hashable, Sendable {
  case wrongType(FieldType)
  case tooLong(maximumBytes: Int)
  case tooMany(maximumCount: Int)
  case outOfRange(ClosedRange<Int64>)
  case notADate
  case notARule(RepeatRuleError)
}

extension FieldType {
  /// The value in the form in which it is written: strings without surrounding white space, and null for empty values.
  ///
  /// This method does not check whether a reference refers to an entity of the right kind.
  package func admit(_ value: Value) throws(ValueFault) -> Value {
    switch (self, value) {
    case (_, .null): return .null
    case (.text(let maximumBytes), .text(let text)):
      return try Self.admit(text, maximumBytes: maximumBytes).map(Value.text) ?? .null
    case (.texts(let maximumCount, let maximumBytes), .texts(let texts)):
      guard texts.count <= maximumCount else { throw .tooMany(maximumCount: maximumCount) }
      var kept: [String] = []
      for text in texts {
        guard let text = try Self.admit(text, maximumBytes: maximumBytes) else { continue }
        kept.append(text)
      }
      return kept.isEmpty ? .null : .texts(kept)
    case (.repeatRule, .text(let text)):
      do throws(RepeatRuleError) {
        return .text(try RepeatRule(canonical: text.trimmed).text)
      } catch {
        throw .notARule(error)
      }
    case (.tag(let maximumBytes), .text(let text)):
      return try Self.admit(text, maximumBytes: maximumBytes).map(Value.text) ?? .boolean(false)
    case (.tag, .boolean(false)): return value
    case (.date, .integer(let packed)):
      guard CivilDate(packed: packed) != nil else { throw .notADate }
      return value
    case (_, .integer(let number)):
      guard let range = integers else { throw .wrongType(self) }
      guard range.contains(number) else { throw .outOfRange(range) }
      return value
    case (.boolean, .boolean), (.reference, .reference): return value
    case (.bytes(let maximumBytes), .bytes(let bytes)):
      guard bytes.count <= maximumBytes else { throw .tooLong(maximumBytes: maximumBytes) }
      return value
    case (.map(let maximumBytes), .other(let encoded)):
      guard encoded.count <= maximumBytes else { throw .tooLong(maximumBytes: maximumBytes) }
      guard Self.isMapOfTexts(encoded) else { throw .wrongType(self) }
      return encoded == [0xA0] ? .null : value
    default: throw .wrongType(self)
    }
  }

  /// Whether a value has one of the forms of this type.
  ///
  /// Other forms are written by newer versions.
  package func takes(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.text, .text), (.texts, .texts), (.boolean, .boolean): true
    case (.reference, .reference), (.bytes, .bytes): true
    case (.tag, .text), (.tag, .boolean(false)), (.repeatRule, .text): true
    case (.date, .integer(let packed)): CivilDate(packed: packed) != nil
    case (_, .integer(let number)): integers?.contains(number) ?? false
    case (.map, .other(let encoded)): Self.isMapOfTexts(encoded)
    default: false
    }
  }

  /// The integers that a field of this type may have; nil if it has none, or if it holds dates.
  package var integers: ClosedRange<Int64>? {
    switch self {
    case .integer(let range): range
    case .instant: Int64.min...Int64.max
    case .colour: 0...0xFF_FFFF
    case .priority: 0...2
    case .leapRule: 0...1
    case .minute: 0...1439
    default: nil
    }
  }

  private static func admit(
    _ text: String, maximumBytes: Int
  ) throws(ValueFault) -> String? {
    let trimmed = text.trimmed
    guard trimmed.utf8.count <= maximumBytes else { throw .tooLong(maximumBytes: maximumBytes) }
    return trimmed.isSeen ? trimmed : nil
  }

  private static func isMapOfTexts(_ encoded: [UInt8]) -> Bool {
    do throws(CBORError) {
      guard case .map(let pairs) = try CBORValue.decode(encoded.span) else { return false }
      return pairs.allSatisfy { pair in
        if case (.text, .text) = (pair.key, pair.value) { true } else { false }
      }
    } catch {
      return false
    }
  }
}

extension String {
  /// Whether the text has a visible character, that is, a character other than white space, control, format and
  /// ignorable characters and the Braille pattern without dots.
  package var isSeen: Bool {
    unicodeScalars.contains { scalar in
      // Almost all strings begin with a letter or digit, which makes this the fast path.
      if 0x21..<0x7F ~= scalar.value { return true }
      let properties = scalar.properties
      return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
        && ![.control, .format].contains(properties.generalCategory) && scalar.value != 0x2800
    }
  }

  /// The text without surrounding white space.
  package var trimmed: String {
    var rest = self[...].drop(while: \.isWhitespace)
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
