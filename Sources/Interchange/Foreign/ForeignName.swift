internal import Domain

/// The names of people, written as one string.
enum ForeignName {
  /// Splits a full name, whose last name is the text before a comma or, without a comma, the last word.
  static func split(_ name: String) -> (first: String?, last: String?) {
    let name = name.trimmed
    if let comma = name.firstIndex(of: ",") {
      let last = String(name[..<comma]).trimmed
      let first = String(name[name.index(after: comma)...]).trimmed
      if !last.isEmpty { return (first.isEmpty ? nil : first, last) }
    }
    let words = name.split(whereSeparator: \.isWhitespace)
    guard let last = words.last else { return (nil, nil) }
    if words.count == 1 { return (String(last), nil) }
    return (words.dropLast().joined(separator: " "), String(last))
  }
}
