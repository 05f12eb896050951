internal import Domain

extension FieldDigests {
  /// The number of hexadecimal digits in a shortened digest, with which one change in sixteen million goes unnoticed.
  static let shortDigits = 6

  /// Returns whether a field was the same in two states, one of which may contain only the last digits.
  func isSame(_ field: Field, as other: FieldDigests) -> Bool {
    guard let one = digests[field], let two = other.digests[field] else {
      return digests[field] == nil && other.digests[field] == nil
    }
    return one.hasSuffix(two) || two.hasSuffix(one)
  }

  func isSame(as other: FieldDigests) -> Bool {
    Set(fields).union(other.fields).allSatisfy { isSame($0, as: other) }
  }

  /// Returns the fields that differ from another state, such as `5-0f1e2d`, or `7-` for a field that is absent here.
  func differences(from other: FieldDigests) -> [String] {
    Set(fields).union(other.fields).sorted().compactMap { field in
      if isSame(field, as: other) { return nil }
      return "\(field.rawValue)-\((digests[field] ?? "").suffix(Self.shortDigits))"
    }
  }

  /// Returns the state that differs from this state in the given fields; nil if the strings do not describe
  /// differences.
  func applying(_ differences: [String]) -> FieldDigests? {
    var digests = digests
    for difference in differences {
      let halves = difference.split(separator: "-", omittingEmptySubsequences: false)
      guard halves.count == 2, let number = Int64(halves[0]) else { return nil }
      let field = Field(rawValue: number)
      if halves[1].isEmpty {
        digests[field] = nil
      } else if Self.isDigest(halves[1]) {
        digests[field] = String(halves[1])
      } else {
        return nil
      }
    }
    return FieldDigests(endings: digests)
  }

  /// Parses the format that ``text`` produces.
  ///
  /// Digests may be shortened to their last digits. An empty text contains no digests.
  init?(known text: some StringProtocol) {
    let words = String(text)
    let parts = words.isEmpty ? [] : words.split(separator: ".", omittingEmptySubsequences: false)
    guard let digests = FieldDigests().applying(parts.map { String($0) }) else { return nil }
    self = digests
  }

  private static func isDigest(_ word: Substring) -> Bool {
    (shortDigits...10).contains(word.utf8.count) && word.allSatisfy { $0.isHexDigit && $0.isASCII }
  }
}
