internal import Domain
internal import SQLite

/// The table of one kind, with one row for each document that is shown, under the key of its shown member.
///
/// The first columns are those of ``CommonColumns``. References are stored as written, and queries resolve them through
/// `entity`, so a row depends only on its own document.
protocol KindTable: SendableMetatype {
  static var kind: Kind { get }
  static var name: String { get }
  static var schema: String { get }
  /// A table expression, named `shown_…`, for the rows that are shown; rows with a dead parent are left out.
  ///
  /// The expression is not a view in the database, because SQLite would parse each view whenever the file is opened.
  static var shown: String { get }
  /// The query for the number of rows that are shown.
  static var count: String { get }
  static var derived: [DerivedColumn] { get }
  static var indexes: [TableIndex] { get }
  /// The columns after the common columns, without the derived columns.
  static var columns: [String] { get }
  /// The values of the stored columns, the common columns first.
  static func row(of content: DocumentContent) -> [SQLiteValue]
}

/// The columns that all kinds have, in order.
enum CommonColumns {
  static let names = [
    "log", "sequence", "id", "added_at", "disputed", "note", "tags", "extra", "search",
  ]

  /// The definitions of the columns in SQL.
  ///
  /// `search` is the folded text, with a line for each tag. `disputed` is 1 if there is a delete against an edit.
  static let definition = """
    log INTEGER NOT NULL, sequence INTEGER NOT NULL, id BLOB NOT NULL, added_at INTEGER NOT NULL,
    disputed INTEGER NOT NULL, note TEXT, tags TEXT, extra TEXT, search TEXT NOT NULL
    """

  /// The values of the common columns.
  ///
  /// A search matches within one of the folded strings in `searchable`, in the note or in a tag, but not across two of
  /// them.
  static func values(of content: DocumentContent, searchable: [String]) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    // Reserve space for the columns of the kind as well.
    values.reserveCapacity(names.count + 28)
    values += [
      .integer(content.key.log), .integer(content.key.sequence), .id(content.id),
      .integer(content.addedAt), .integer(content.deleteAgainstEdit == nil ? 0 as Int64 : 1),
      SQLiteValue(content.text(.note)), SQLiteValue(content.json(.tags)),
      SQLiteValue(content.json(.extra)), .text(lines(of: content, searchable)),
    ]
    return values
  }

  private static func lines(of content: DocumentContent, _ searchable: [String]) -> String {
    let note = content.text(.note).map { [Folding.fold($0)] } ?? []
    let tags = content.texts(.tags)
    if searchable.count == 1, note.isEmpty, tags.isEmpty { return searchable[0] }
    return (searchable + note).joined(separator: "\n") + tags.map(line(ofTag:)).joined()
  }

  /// The line for a tag in `search`; the mark at its beginning distinguishes it from titles and notes.
  static func line(ofTag tag: String) -> String { "\n\u{1F}" + Folding.fold(tag) }
}

extension KindTable {
  static var count: String { "SELECT count(*) FROM \(shown)" }
  static var derived: [DerivedColumn] { [] }

  static var shape: TableShape {
    TableShape(name: name, columns: storedColumns, derived: derived, indexes: indexes)
  }

  static var storedColumns: [String] { CommonColumns.names + columns }
}
