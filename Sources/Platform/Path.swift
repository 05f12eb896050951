/// Where a file or directory is, as one absolute or relative string.
///
/// Repeated and trailing slashes are dropped; nothing else is interpreted. Two paths are the same
/// when their bytes are, as the disk sees it, even where Unicode calls two spellings equal.
public struct Path: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The whole path, as the disk is given it.
  public let string: String

  /// Takes a path as written, and tidies its slashes.
  public init(_ string: String) {
    guard string.utf8.last == UInt8(ascii: "/") || string.utf8.contains(doubleSlash: ()) else {
      self.string = string
      return
    }
    let slash = UInt8(ascii: "/")
    // Split by bytes: a slash with an accent on it is one character, but still a slash to a disk.
    let names = string.utf8.split(separator: slash).map { String(Substring($0)) }
    self.string = (string.utf8.first == slash ? "/" : "") + names.joined(separator: "/")
  }

  /// The path of an entry of a directory.
  ///
  /// A name from outside is checked with ``isName(_:)`` first; here a wrong one is our own bug.
  public static func / (directory: Path, name: String) -> Path {
    precondition(isName(name), "a path grows by one plain name")
    return Path(tidy: directory.string == "/" ? "/" + name : directory.string + "/" + name)
  }

  private init(tidy string: String) { self.string = string }

  /// Whether a string can name one entry of a directory.
  public static func isName(_ string: String) -> Bool {
    guard !string.isEmpty, string != ".", string != ".." else { return false }
    return !string.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// The last component; the root's name is `/`.
  public var name: String {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")), string != "/" else {
      return string
    }
    return String(string[string.utf8.index(after: slash)...])
  }

  /// The directory this lies in: the root for the root, `.` for a bare name.
  public var parent: Path {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return Path(".") }
    return Path(tidy: slash == string.startIndex ? "/" : String(string[..<slash]))
  }

  /// The names that lead to this path from a folder, none for the folder itself.
  ///
  /// - Returns: Nil where it does not lead below the folder, or is not plain about it.
  public func names(below folder: Path) -> [String]? {
    if self == folder { return [] }
    let start = folder.string == "/" ? "/" : folder.string + "/"
    guard string.utf8.starts(with: start.utf8) else { return nil }
    let names = string.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/"))
      .map { String(Substring($0)) }
    return names.allSatisfy(Self.isName) ? names : nil
  }

  /// The path as it was written.
  public var description: String { string }

  /// Whether two paths are the same bytes.
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

  /// Feeds the path's text: paths of the same bytes hash alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension String.UTF8View {
  fileprivate func contains(doubleSlash: Void) -> Bool {
    var isAfterSlash = false
    for byte in self {
      let isSlash = byte == UInt8(ascii: "/")
      if isSlash, isAfterSlash { return true }
      isAfterSlash = isSlash
    }
    return false
  }
}
