/// The properties that records keep for files from other programs, in the field *extra*.
///
/// Each property has a name that begins with the name of its format, such as `vcf.TEL`.
package enum ForeignProperties {
  /// The name, without the format's name in front, of the property with the digests that the fields had when a file of
  /// the format was last read.
  package static let baseName = "base"
  /// The name, without the format's name in front, of the property with the states of the record in other books.
  package static let knownName = "known"

  /// Whether a name without its format, apart from any leading equals signs, is the name of a state.
  package static func isState(_ name: some StringProtocol) -> Bool {
    let bare = name.drop { $0 == "=" }
    return bare == baseName || bare == knownName
  }

  /// The properties of several values of the field; the first value that has a property provides it.
  ///
  /// The states of a format come from the first value that has properties of the format, because they belong together.
  package static func joined(_ values: [Value]) -> [(String, String)] {
    var pairs: [(String, String)] = []
    var names: Set<String> = []
    var formats: Set<Substring> = []
    for value in values {
      let more = (value.textPairs ?? []).filter { name, _ in
        let parts = name.split(separator: ".", maxSplits: 1)
        let isTaken = parts.count == 2 && isState(parts[1]) && formats.contains(parts[0])
        return !isTaken && names.insert(name).inserted
      }
      pairs += more
      formats.formUnion(more.compactMap { $0.0.split(separator: ".").first })
    }
    return pairs
  }
}
