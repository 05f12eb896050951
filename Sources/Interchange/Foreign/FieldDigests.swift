package import Domain

/// Digests of the fields of a record at a point in time, used to detect which fields have changed since then.
package struct FieldDigests: Hashable, Sendable {
  private(set) var digests: [Field: String] = [:]

  package init() {}

  /// Computes the digests of the fields in a file.
  ///
  /// A field counts as absent if its value means the same as its absence.
  package init(_ fields: [Field: ForeignRecord.Content], of kind: Kind) {
    for (field, content) in fields {
      digests[field] = Self.digest(of: content, field, kind)
    }
  }

  package var isEmpty: Bool { digests.isEmpty }
  package var fields: [Field] { digests.keys.sorted() }

  /// Creates digests from only their last digits.
  init(endings: [Field: String]) { digests = endings }

  /// Returns these digests, with the digests of another state for fields that are absent here.
  ///
  /// - Parameters:
  ///   - other: The other state.
  ///   - fields: The fields to complete; nil for all.
  /// - Returns: The digests.
  func completed(by other: FieldDigests, in fields: Set<Field>?) -> FieldDigests {
    let others = other.digests.filter { fields?.contains($0.key) ?? true }
    return FieldDigests(endings: digests.merging(others) { own, _ in own })
  }

  /// Returns whether a field is unchanged.
  ///
  /// A field that was absent and is still absent counts as unchanged.
  func isSame(_ field: Field, _ content: ForeignRecord.Content?, in kind: Kind) -> Bool {
    let told = content.flatMap { Self.digest(of: $0, field, kind) }
    guard let digest = digests[field], let told else { return digests[field] == nil && told == nil }
    return told.hasSuffix(digest)
  }

  private static func digest(
    of content: ForeignRecord.Content, _ field: Field, _ kind: Kind
  ) -> String? {
    guard case .value(var value) = content, let schema = Schema.field(field, of: kind) else {
      return digest(of: content.bytes)
    }
    // The order of tags has no meaning.
    if field == .tags { value = schema.meaning(of: value) }
    if value == schema.valueWhenAbsent { return nil }
    return digest(of: ForeignRecord.Content.value(value).bytes)
  }

  /// The digests as one word that any file can contain, such as `5-0123456789.7-9876543210`.
  package var text: String {
    digests.sorted { $0.key < $1.key }.map { "\($0.key.rawValue)-\($0.value)" }
      .joined(separator: ".")
  }

  /// Parses the format that ``text`` produces; nil for anything else.
  package init?(_ text: String) {
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "-", omittingEmptySubsequences: false)
      guard halves.count == 2, let number = Int64(halves[0]), halves[1].utf8.count == 10 else {
        return nil
      }
      digests[Field(rawValue: number)] = String(halves[1])
    }
  }

  /// Returns the last ten hexadecimal digits of the FNV-1a hash, with which one change in 10¹² goes unnoticed.
  static func digest(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(10))
  }
}

extension ForeignRecord.Content {
  /// Bytes that are equal for equal content.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .list(let name): [0] + name.utf8
    case .record(let uid): [1] + uid.utf8
    case .value(.text(let text)): [2] + text.utf8
    case .value(.integer(let number)): [3] + String(number).utf8
    case .value(.boolean(let flag)): [4, flag ? 1 : 0]
    case .value(.texts(let texts)): [5] + texts.joined(separator: "\u{0}").utf8
    case .value(.bytes(let bytes)), .value(.other(let bytes)): [6] + bytes
    case .value(.null), .value(.reference): [7]
    }
  }
}
