internal import Bytes
internal import Crypto
@_spi(_Unicode) internal import Swift

/// The tags of a record, each of which is a separate register.
///
/// Tags with the same key are one tag. The field number of a tag is computed from the key, so devices that add or
/// remove different tags write to different registers and never conflict.
package enum Tag {
  /// The key of a tag: its text, converted to NFC and then by full case folding (statuses C and F of Unicode).
  ///
  /// Both steps are stable for characters that are assigned. A text with a character that Unicode 15.0 does not assign
  /// is its own key, so devices with different versions of Unicode agree.
  static func key(of text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.map(lower) }
    guard text.unicodeScalars.allSatisfy(isAssigned) else { return Array(text.utf8) }
    var key = ""
    for scalar in text._nfc { key += folded(scalar) }
    return Array(key.utf8)
  }

  /// The tags, sorted by key; if several texts have the same key, only the first is included.
  package static func sorted(_ texts: [String]) -> [String] {
    if texts.count < 2 { return texts.filter { !$0.isEmpty } }
    return sorted(noting(texts, in: [:]) { _ in true })
  }

  /// The tags that a document shows.
  ///
  /// - Parameters:
  ///   - lists: The surviving values of the field *tags*, which older programs write; highest stamp first.
  ///   - registers: The registers of tags in ascending order, each with its ``standing(among:)`` value.
  /// - Returns: Each tag once, sorted by key.
  static func shown(
    lists: [[String]], registers: [(field: Field, value: Value)]
  ) -> [String] {
    guard !registers.isEmpty else { return sorted(Array(lists.joined())) }
    var texts: [[UInt8]: String] = [:]
    var settled: Set<Field> = []
    for (field, value) in registers {
      if case .boolean(false) = value { settled.insert(field) }
      guard let text = value.tagText else { continue }
      let key = key(of: text)
      settled.insert(field)
      // Another program may compute a different number for a tag. The register with the right number is preferred.
      if texts[key] == nil || Field(tagKey: key) == field { texts[key] = text }
    }
    return sorted(noting(lists.joined(), in: texts) { !settled.contains(Field(tagKey: $0)) })
  }

  /// The value of a tag's register, chosen from its survivors, which are sorted with the highest stamp first.
  ///
  /// A text wins over `false`, and `false` over everything else, so a tag that was added and removed concurrently
  /// remains.
  static func standing(among survivors: [Value]) -> Value {
    survivors.first { $0.tagText != nil } ?? survivors.first { $0 == .boolean(false) }
      ?? survivors.first ?? .null
  }

  /// Adds the texts whose keys are missing and wanted.
  private static func noting(
    _ more: some Sequence<String>, in texts: [[UInt8]: String], where isWanted: ([UInt8]) -> Bool
  ) -> [[UInt8]: String] {
    var texts = texts
    for text in more where !text.isEmpty {
      let key = key(of: text)
      if texts[key] == nil, isWanted(key) { texts[key] = text }
    }
    return texts
  }

  private static func sorted(_ texts: [[UInt8]: String]) -> [String] {
    texts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Whether Unicode 15.0 assigns the character.
  private static func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x250 { return true }
    return scalar.properties.age.map { ($0.major, $0.minor) <= (15, 0) } ?? false
  }

  /// The full case folding of a character.
  ///
  /// The standard library has no table of case foldings. Except for the characters below, the folding of a character is
  /// the lower case of its upper case.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    // The dotless i, whose upper case is that of i.
    case 0x0131: "\u{131}"
    // The capital sharp s, which is its own upper case.
    case 0x1E9E: "ss"
    // Cherokee, whose letters fold to upper case.
    case 0x13A0...0x13F5: String(scalar)
    case 0x13F8...0x13FD: moved(scalar, by: 0x13F0, from: 0x13F8)
    case 0xAB70...0xABBF: moved(scalar, by: 0x13A0, from: 0xAB70)
    default:
      scalar.properties.uppercaseMapping.unicodeScalars.reduce(into: "") { folded, upper in
        folded += upper.properties.lowercaseMapping
      }
    }
  }

  private static func moved(
    _ scalar: Unicode.Scalar, by target: UInt32, from start: UInt32
  ) -> String {
    String(Unicode.Scalar(scalar.value - start + target) ?? scalar)
  }
}

extension Field {
  /// The smallest number that a tag can have.
  private static let firstTag: Int64 = 65_536
  /// The number after the largest number that a tag can have; a tag's number contains 48 bits of a digest.
  private static let endOfTags = firstTag + 1 << 48

  /// The register of the tag with the given text.
  package init(tag text: String) { self.init(tagKey: Tag.key(of: text)) }

  init(tagKey key: [UInt8]) {
    let digest = SHA256.digest(of: Array("daybook tag v1".utf8) + key)
    self.init(rawValue: Self.firstTag + Int64(digest.prefix16.high >> 16))
  }

  /// Whether the field is the register of one tag.
  package var isTag: Bool { rawValue >= Self.firstTag && rawValue < Self.endOfTags }
}

extension Value {
  /// The text of a tag that is present; nil for any other value of its register.
  package var tagText: String? {
    guard case .text(let text) = self, !text.isEmpty else { return nil }
    return text
  }
}
