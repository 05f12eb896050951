internal import Domain

extension FieldDigests {
  /// As many digits tell one change in sixteen million from another.
  static let shortDigits = 6

  /// Whether a field was the same in two states, of which one may be known by the last digits only.
  func isSame(_ field: Field, as other: FieldDigests) -> Bool {
    guard let one = digests[field], let two = other.digests[field] else {
      return digests[field] == nil && other.digests[field] == nil
    }
    return one.hasSuffix(two) || two.hasSuffix(one)
  }

  func isSame(as other: FieldDigests) -> Bool {
    Set(fields).union(other.fields).allSatisfy { isSame($0, as: other) }
  }

  /// The fields that were otherwise than in another state, `5-0f1e2d`, or `7-` for what was not there.
  func differences(from other: FieldDigests) -> [String] {
    Set(fields).union(other.fields).sorted().compactMap { field in
      if isSame(field, as: other) { return nil }
      return "\(field.rawValue)-\((digests[field] ?? "").suffix(Self.shortDigits))"
    }
  }

  /// The state from which another one has these differences; nil for what are none.
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

  /// Reads what ``text`` writes, also of digests of which only the last digits are known, and of none.
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
