internal import Domain

/// What a user says that a column of a table stands for.
package struct ColumnMeaning: Hashable, Sendable {
  /// Why the words say nothing.
  package enum Fault: Error {
    /// There is no equals sign in them, or nothing before it.
    case noColumn
    /// No field is called so.
    case noSuchField(String)
  }

  /// What the fields are called.
  package static let fields = CSVColumn.fieldNames

  package let column: String
  /// Nil for one that is to be ignored.
  let meaning: CSVColumn?

  /// Reads `Card Name=title`; nothing behind the last equals sign ignores the column.
  package init(_ words: String) throws(Fault) {
    guard let sign = words.lastIndex(of: "="), sign > words.startIndex else { throw .noColumn }
    let field = String(words[words.index(after: sign)...]).trimmed
    column = String(words[..<sign])
    meaning = CSVColumn(fieldName: field)
    if meaning == nil, !field.isEmpty {
      throw .noSuchField(field)
    }
  }

  /// The same for the same meaning, to tell one import from another.
  var signature: String { "\(column)=\(meaning?.rawValue ?? "")" }
}
