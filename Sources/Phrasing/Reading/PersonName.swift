import Domain

/// A name as people write it, in its parts.
package enum PersonName {
  /// The last word of a name is the last name, if there are several, or what stands before a comma.
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
