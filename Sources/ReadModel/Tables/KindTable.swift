internal import Domain
internal import SQLite

/// The table of one kind: a row for each living document, under its shown member.
///
/// Every such table starts with the columns of ``CommonColumns``. References stand as they were written and
/// meet their document through `entity` when asked, so that a row depends on its own document alone.
protocol KindTable: SendableMetatype {
  static var kind: Kind { get }
  static var name: String { get }
  static var schema: String { get }
  /// What of it is to be shown, since the parent may be dead: a source of queries, called `shown_…`.
  ///
  /// It is no view of the file's: each of these would be parsed whenever the file is opened.
  static var shown: String { get }
  /// The query for how many are shown.
  static var count: String { get }
  static var derived: [DerivedColumn] { get }
  static var indexes: [TableIndex] { get }
  /// The columns after the common ones, but for those that SQLite works out.
  static var columns: [String] { get }
  /// The values of all columns that are written, the common ones first.
  static func row(of content: DocumentContent) -> [SQLiteValue]
}

/// The columns that every kind has, in their order.
enum CommonColumns {
  static let names = [
    "log", "sequence", "id", "added_at", "disputed", "note", "tags", "extra", "search",
  ]

  /// `search` is the folded text, a line for each tag; `disputed` tells of a delete against an edit.
  static let definition = """
    log INTEGER NOT NULL, sequence INTEGER NOT NULL, id BLOB NOT NULL, added_at INTEGER NOT NULL,
    disputed INTEGER NOT NULL, note TEXT, tags TEXT, extra TEXT, search TEXT NOT NULL
    """

  /// The values, given the folded texts to search in, each of which a match must lie within.
  static func values(of content: DocumentContent, searchable: [String]) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    // With room for those of the kind.
    values.reserveCapacity(names.count + 12)
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

  /// A tag among the lines that are searched; the mark at its beginning tells it from titles and notes.
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
