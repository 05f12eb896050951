internal import Domain

/// What a line said when it was written, in a word of the line itself.
///
/// It is there so that whatever changed in the book meanwhile is told from what was changed in the file.
enum TodoTxtBase {
  /// The fields that a line can hold, in the order of the word.
  private static let fields = [
    Field.Todo.title, Field.Todo.list, Field.Todo.done, Field.Todo.completedAt,
    Field.Todo.priority, Field.Todo.due, .tags,
  ]
  /// The last of each digest, where alike contents differ: one change in sixteen million would go unseen.
  private static let digits = 6

  /// The word of a line that said nothing.
  static let nothing = String(repeating: "-", count: fields.count)

  static func word(_ record: ForeignRecord) -> String {
    let digests = FieldDigests(record.fields, of: .todo).digests
    return fields.map { digests[$0].map { String($0.suffix(digits)) } ?? "-" }.joined()
  }

  /// Takes what a word says of when its line was written, and by whom; nothing where it says anything else.
  static func read(_ word: String, into record: inout ForeignRecord) {
    let start = word.firstIndex(of: "@")
    guard let base = digests(word[..<(start ?? word.endIndex)]) else { return }
    record.setOrigin(base, start.map { word[$0...] })
  }

  /// Reads what ``word(_:)`` writes; nil for anything else.
  private static func digests(_ word: Substring) -> FieldDigests? {
    var digests: [Field: String] = [:]
    var rest = word
    for field in fields {
      if rest.first == "-" {
        rest = rest.dropFirst()
        continue
      }
      let digest = rest.prefix(digits)
      guard digest.count == digits, digest.allSatisfy(\.isHexDigit) else { return nil }
      digests[field] = String(digest)
      rest = rest.dropFirst(digits)
    }
    return rest.isEmpty ? FieldDigests(endings: digests) : nil
  }
}
