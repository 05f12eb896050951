package import Bytes
package import Domain
package import Platform

extension Int64 {
  /// The colour as `#rrggbb`.
  package var colourWords: String {
    let digits = String(self, radix: 16)
    return "#" + String(repeating: "0", count: Swift.max(0, 6 - digits.count)) + digits
  }
}

extension Priority {
  package var words: String {
    switch self {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    }
  }

  /// The mark for the priority in lists; the normal priority needs no mark.
  package var mark: String {
    switch self {
    case .low: "!"
    case .normal: ""
    case .high: "!!!"
    }
  }
}

extension LeapRule {
  /// Parses a rule in its full or short form; nil if there is no such rule.
  package init?(words: String) {
    switch words.lowercased() {
    case "february-28", "feb28", "feb-28": self = .february28
    case "march-1", "mar1", "mar-1": self = .march1
    default: return nil
    }
  }

  package var words: String {
    switch self {
    case .february28: "february-28"
    case .march1: "march-1"
    }
  }
}

extension Value {
  /// Returns the value as JSON, for programs.
  ///
  /// - Parameters:
  ///   - type: The type of the field.
  ///   - id: Returns the id of a record that the value refers to.
  /// - Returns: The value.
  /// - Throws: Whatever `id` throws.
  package func json(_ type: FieldType, id: (EventKey) throws -> UniqueID?) rethrows -> JSON {
    switch (type, self) {
    case (_, .null): .null
    case (.date, _): date.map { .string($0.iso) } ?? .null
    case (.instant, .integer(let time)): .string(Instant.text(time))
    case (.colour, .integer(let colour)): .string(colour.colourWords)
    case (.priority, .integer(let number)):
      Priority(rawValue: number).map { .string($0.words) } ?? .integer(number)
    case (.leapRule, .integer(let number)):
      LeapRule(rawValue: number).map { .string($0.words) } ?? .integer(number)
    case (.minute, .integer(let minute)):
      TimeOfDay(minute: minute).map { .string($0.text) } ?? .integer(minute)
    case (_, .boolean(let flag)): .boolean(flag)
    case (_, .integer(let number)): .integer(number)
    case (_, .text(let text)): .string(text)
    case (_, .texts(let texts)): .array(texts.map { .string($0) })
    case (_, .bytes(let bytes)): .string(Hex.encode(bytes))
    case (_, .reference(let key)): try id(key).map { .string($0.uuid) } ?? .null
    case (_, .other(let encoded)): Self.map(encoded) ?? .string(Hex.encode(encoded))
    }
  }

  /// Returns the map of strings in a field such as `extra`; nil if the encoding is not such a map.
  private static func map(_ encoded: [UInt8]) -> JSON? {
    // If a value is not a map of strings, it is shown as bytes.
    guard case .map(let pairs)? = try? CBORValue.decode(encoded.span) else { return nil }
    var members: [JSON.Member] = []
    for pair in pairs {
      guard case (.text(let name), .text(let text)) = (pair.key, pair.value) else { return nil }
      members.append(JSON.Member(name, .string(text)))
    }
    return .object(members)
  }

  /// Returns the value as text for users.
  ///
  /// - Parameters:
  ///   - type: The type of the field.
  ///   - timekeeper: The clock and the time zone.
  ///   - title: Returns the title of a record that the value refers to.
  /// - Returns: The text.
  /// - Throws: Whatever `title` throws.
  package func words(
    _ type: FieldType, at timekeeper: any Timekeeper, title: (EventKey) throws -> String?
  ) rethrows -> String {
    switch (type, self) {
    case (_, .null): return "none"
    case (_, .reference(let key)): return try title(key)?.visible ?? "something unknown"
    case (.instant, .integer(let time)): return timekeeper.localText(of: time)
    case (_, .texts(let texts)): return texts.map(\.visible).joined(separator: ", ")
    case (.tag, .boolean(false)): return "removed"
    case (.repeatRule, .text(let rule)):
      return RepeatRule(canonicalIfValid: rule)?.words(from: nil) ?? rule.visible
    case (_, .boolean(let flag)): return flag ? "yes" : "no"
    case (_, .bytes(let bytes)): return "\(bytes.count) bytes"
    default:
      let json = json(type) { _ in nil }
      return json.string?.visible ?? json.text()
    }
  }
}
