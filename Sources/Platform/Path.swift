/// An absolute or relative path of a file or directory.
///
/// Repeated and trailing slashes are dropped. No other part of the path is interpreted. Paths are compared by their
/// bytes, as on disk, so two canonically equivalent Unicode spellings are different paths.
public struct Path: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The whole path, as passed to the disk.
  public let string: String

  /// Creates a path from text, dropping repeated and trailing slashes.
  public init(_ string: String) {
    guard string.utf8.last == UInt8(ascii: "/") || string.utf8.contains(doubleSlash: ()) else {
      self.string = string
      return
    }
    let slash = UInt8(ascii: "/")
    // The text is split by bytes, because a slash with a combining accent is one Character, although the disk treats it
    // as a slash.
    let names = string.utf8.split(separator: slash).map { String(Substring($0)) }
    self.string = (string.utf8.first == slash ? "/" : "") + names.joined(separator: "/")
  }

  /// Appends the name of an entry to a directory.
  ///
  /// Check names from untrusted sources with ``isName(_:)`` before calling this operator.
  ///
  /// - Precondition: `name` is a valid name.
  public static func / (directory: Path, name: String) -> Path {
    precondition(isName(name), "a path is extended by one plain name")
    return Path(tidy: directory.string == "/" ? "/" + name : directory.string + "/" + name)
  }

  /// Creates a path from the string of another path, or from the location of a place that is not a file, such as
  /// `s3://bucket/prefix`, to be shown to the user.
  package init(tidy string: String) { self.string = string }

  /// Whether a string is a valid name of a directory entry.
  public static func isName(_ string: String) -> Bool {
    guard !string.isEmpty, string != ".", string != ".." else { return false }
    let bytes = string.utf8.span
    for place in bytes.indices where bytes[place] == UInt8(ascii: "/") || bytes[place] == 0 {
      return false
    }
    return true
  }

  /// The last component of the path; `/` for the root.
  public var name: String {
    guard let slash = lastSlash, string != "/" else { return string }
    return String(string[string.utf8.index(after: slash)...])
  }

  /// The directory that contains the entry: the root itself for the root, and `.` for a single name.
  public var parent: Path {
    guard let slash = lastSlash else { return Path(".") }
    return Path(tidy: slash == string.startIndex ? "/" : String(string[..<slash]))
  }

  private var lastSlash: String.Index? {
    let bytes = string.utf8.span
    for place in bytes.indices.reversed() where bytes[place] == UInt8(ascii: "/") {
      return string.utf8.index(string.startIndex, offsetBy: place)
    }
    return nil
  }

  /// Returns the components of the path below a folder; empty for the folder itself.
  ///
  /// - Returns: The components, or nil if the path is not below the folder or a component is not a valid name.
  public func names(below folder: Path) -> [String]? {
    if self == folder { return [] }
    let start = folder.string == "/" ? "/" : folder.string + "/"
    guard string.utf8.starts(with: start.utf8) else { return nil }
    let names = string.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/"))
      .map { String(Substring($0)) }
    return names.allSatisfy(Self.isName) ? names : nil
  }

  /// The whole path.
  public var description: String { string }

  /// Whether two paths have the same bytes.
  public static func == (left: Path, right: Path) -> Bool {
    let (one, other) = (left.string.utf8.span, right.string.utf8.span)
    guard one.count == other.count else { return false }
    for place in one.indices where one[place] != other[place] { return false }
    return true
  }

  /// Orders paths by their bytes.
  public static func < (left: Path, right: Path) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  /// Hashes the text of the path, so that paths with equal bytes have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension String.UTF8View {
  fileprivate func contains(doubleSlash: Void) -> Bool {
    let bytes = span
    var isAfterSlash = false
    for place in bytes.indices {
      let isSlash = bytes[place] == UInt8(ascii: "/")
      if isSlash, isAfterSlash { return true }
      isAfterSlash = isSlash
    }
    return false
  }
}
