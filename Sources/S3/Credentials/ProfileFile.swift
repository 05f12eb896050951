import HTTP

/// A file with the settings of named profiles, in the format that the programs of AWS share.
struct ProfileFile {
  private var profiles: [String: [String: String]] = [:]

  /// Parses a file.
  ///
  /// Like other programs, this parser skips lines that are neither a section header nor a setting, and the indented
  /// lines of nested settings.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - prefix: The word before a profile's name in a section header, except before `default`; nil if there is none.
  init(_ text: String, sectionPrefix prefix: String?) {
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let plain = line.trimmed
      if line.hasPrefix("["), let end = plain.firstIndex(of: "]") {
        section = Self.profile(plain[plain.index(after: plain.startIndex)..<end], prefix)
      } else if let section, let first = line.first, first != " ", first != "\t", first != "#",
        first != ";", let sign = plain.firstIndex(of: "=")
      {
        let name = plain[..<sign].trimmed.lowercased()
        profiles[section, default: [:]][name] = plain[plain.index(after: sign)...].trimmed
      }
      if let section, profiles[section] == nil { profiles[section] = [:] }
    }
  }

  /// The settings of a profile, by their names in lowercase; nil if there is no such profile.
  subscript(profile: String) -> [String: String]? { profiles[profile] }

  private static func profile(_ title: Substring, _ prefix: String?) -> String? {
    let words = title.split { $0 == " " || $0 == "\t" }
    guard let prefix else { return words.count == 1 ? String(words[0]) : nil }
    if words == ["default"] { return "default" }
    return words.count == 2 && words[0] == prefix ? String(words[1]) : nil
  }
}
