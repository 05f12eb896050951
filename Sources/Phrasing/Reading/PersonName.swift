import Domain

/// Splits people's names into their parts.
package enum PersonName {
  /// Returns the first and last name.
  ///
  /// The last name is the text before a comma or, without a comma, the last of several words.
  package static func parts(of name: String) -> (first: String?, last: String?) {
    let name = name.trimmed
    if let comma = name.firstIndex(of: ",") {
      let (last, first) = (name[..<comma], name[name.index(after: comma)...])
      return (String(first).trimmed, String(last).trimmed)
    }
    guard let space = name.lastIndex(of: " ") else { return (name, nil) }
    return (String(name[..<space]).trimmed, String(name[name.index(after: space)...]))
  }
}
