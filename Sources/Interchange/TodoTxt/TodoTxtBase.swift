internal import Domain

/// A word in each line with the digests of the line's fields when the line was written.
///
/// The word distinguishes later changes in the book from changes in the file.
enum TodoTxtBase {
  /// The fields that every word contains, in their order.
  private static let fields = [
    Field.Todo.title, Field.Todo.list, Field.Todo.done, Field.Todo.completedAt,
    Field.Todo.priority, Field.Todo.due, .tags,
  ]
  /// The other fields; the word omits fields at the end of this list that the line does not have.
  private static let furtherFields = [
    Field.Todo.start, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.cancelled,
    Field.Todo.closedOn, Field.Todo.remind, Field.Todo.parent, Field.Todo.repeat,
    Field.Todo.until,
  ]
  /// The number of final digits of each digest that the word contains.
  ///
  /// With six digits, one change in sixteen million goes unnoticed.
  private static let digits = 6

  /// The word for a line without fields.
  static let nothing = String(repeating: "-", count: fields.count)

  static func word(_ record: ForeignRecord) -> String {
    let digests = FieldDigests(record.fields, of: .todo).digests
    let further = furtherFields.prefix((furtherFields.lastIndex { digests[$0] != nil } ?? -1) + 1)
    return (fields + further).map { digests[$0].map { String($0.suffix(digits)) } ?? "-" }.joined()
  }

  /// Sets the base and the origin of a record from a word; any other word has no effect.
  static func read(_ word: String, into record: inout ForeignRecord) {
    let start = word.firstIndex(of: "@")
    guard let base = base(word) else { return }
    record.setOrigin(base, start.map { word[$0...] })
  }

  /// Returns the digests of the fields when the line was written; nil for any word that daybook did not write.
  static func base(_ word: String) -> FieldDigests? { digests(word.prefix { $0 != "@" }) }

  /// Parses the format that ``word(_:)`` produces; nil for anything else.
  private static func digests(_ word: Substring) -> FieldDigests? {
    var digests: [Field: String] = [:]
    var rest = word
    for (place, field) in (fields + furtherFields).enumerated() {
      if place >= fields.count, rest.isEmpty { break }
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
