internal import Domain
internal import SQLite

enum ListTable: KindTable {
  static let kind = Kind.list
  static let name = "list"

  static let schema = """
    CREATE TABLE list (
      \(CommonColumns.definition),
      name TEXT, colour INTEGER, name_folded TEXT NOT NULL, name_order TEXT,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = "list AS shown_list"

  static let indexes = [TableIndex("list_by_name", "name_folded")]

  static let columns = ["name", "colour", "name_folded", "name_order"]

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let name = content.text(Field.List.name)
    let folded = name.map(Folding.fold)
    return CommonColumns.values(of: content, searchable: folded.map { [$0] } ?? []) + [
      SQLiteValue(name), SQLiteValue(content.integer(Field.List.colour)), .text(folded ?? ""),
      SQLiteValue(folded.flatMap(NaturalOrder.key)),
    ]
  }
}
