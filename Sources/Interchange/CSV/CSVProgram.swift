internal import Domain

/// A program whose tables are recognised by their headers, with the meanings of the columns.
package struct CSVProgram: Sendable {
  /// The type of a row.
  enum RowKind: Sendable {
    case record
    /// A note on the record above.
    case note
    /// A section that the records below it belong to.
    case section
    /// Settings of the program.
    case other
  }

  /// The name for use in a command, in lowercase letters and digits.
  package let name: String
  /// The name for use in a sentence.
  package let title: String
  /// The columns that identify the program; a table must have a column from each group.
  let signature: [[String]]
  /// The kind of all records in the program's tables.
  let kind: Kind
  /// The meanings of the columns; if several columns have the same meaning, each row uses the first readable one.
  let columns: KeyValuePairs<String, CSVColumn>
  var words = CSVWords()
  /// The type of a row for each lowercase word in the column ``CSVColumn/rowKind``.
  var rowKinds: [String: RowKind] = [:]
  /// Whether the only column with nothing but *Yes* and *No* contains the state, regardless of its header.
  var hasUnnamedState = false
  /// Whether each file is a list that is named after the file.
  var isListByFile = false
  /// Whether a cell for the list may contain several names, separated by commas.
  var hasSeveralLists = false
  /// The word that the program writes where a cell would be empty.
  var emptyWord: String?
  /// The content of the parent column for a top-level task.
  var topLevel: String?
  /// Whether words in a title that begin with `@` are tags.
  var hasTagsInTitle = false
  /// Whether the due date's column contains a phrase, such as `every monday`, if the to-do repeats.
  var hasPhrasesForDue = false
}

extension CSVProgram {
  /// Returns the meaning of a column, and the column's rank among columns with the same meaning.
  func meaning(of header: String) -> (column: CSVColumn, rank: Int)? {
    let plain = CSVColumn.plain(header)
    let place = columns.firstIndex { CSVColumn.plain($0.key) == plain }
    return place.map { (columns[$0].value, $0) }
  }
}
