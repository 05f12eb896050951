import Domain

/// A name as people write it, in its parts.
package enum PersonName {
  /// The last word of a name is the last name, if there are several.
  package static func parts(of name: String) -> (first: String?, last: String?) {
    let name = name.trimmed
    guard let space = name.lastIndex(of: " ") else { return (name, nil) }
    return (String(name[..<space]).trimmed, String(name[name.index(after: space)...]))
  }
}
