internal import Domain

/// The meaning of a column according to the user.
package struct ColumnMeaning: Hashable, Sendable {
  /// The reason why the argument cannot be parsed.
  package enum Fault: Error {
    /// The argument has no equals sign, or no text before it.
    case noColumn
    /// No field has the name.
    case noSuchField(String)
  }

  /// The names of the fields.
  package static let fields = CSVColumn.fieldNames

  package let column: String
  /// The meaning of the column; nil if the column is ignored.
  let meaning: CSVColumn?

  /// Parses `Card Name=title`; if there is nothing after the last equals sign, the column is ignored.
  ///
  /// - Parameter words: The text that the user gave.
  /// - Throws: ``Fault`` if there is no column or no such field.
  package init(_ words: String) throws(Fault) {
    guard let sign = words.lastIndex(of: "="), sign > words.startIndex else { throw .noColumn }
    let field = String(words[words.index(after: sign)...]).trimmed
    column = String(words[..<sign])
    meaning = CSVColumn(fieldName: field)
    if meaning == nil, !field.isEmpty {
      throw .noSuchField(field)
    }
  }

  /// Text that is equal for equal meanings, used to distinguish imports.
  var signature: String { "\(column)=\(meaning?.rawValue ?? "")" }
}
