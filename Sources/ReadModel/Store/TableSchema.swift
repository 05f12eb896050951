internal import Domain
internal import SQLite

/// The tables of a read model, and how a file shows that it is one.
package enum TableSchema {
  /// Counts up with every change of the tables or of what their columns mean; a file of another version is
  /// built anew, never migrated.
  package static let schemaVersion: Int64 = 11

  /// What a file says it was made by: the tables and the schema of the domain, since what a version did not know
  /// it folded without.
  package static let version = schemaVersion << 16 | Schema.version

  /// "dayb", which SQLite keeps in the file's header.
  static let applicationID: Int64 = 0x6461_7962

  enum State {
    case empty
    case ready
  }

  /// The tables of the kinds, by kind.
  static let kindTables: [any KindTable.Type] = [
    BirthdayTable.self, ListTable.self, TodoTable.self, QuestionTable.self, ChoiceTable.self,
    PickTable.self,
  ]

  /// The tables of the kinds, those for every kind, and the one that counts.
  private static let tableCount = Int64(kindTables.count) + 8

  static func table(of kind: Kind) -> (any KindTable.Type)? {
    // They stand by the numbers of their kinds.
    kind.rawValue < kindTables.count ? kindTables[Int(kind.rawValue)] : nil
  }

  /// Tells whether the file is new or ours.
  static func state(of tables: TableConnection) throws(ReadModelError) -> State {
    let version = try tables.integer("PRAGMA user_version")
    let application = try tables.integer("PRAGMA application_id")
    let count = try tables.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
    if version == 0, application == 0, count == 0 { return .empty }
    guard application == Self.applicationID else { throw .unusable(.foreign) }
    guard version == Self.version else { throw .unusable(.otherVersion(version)) }
    guard count == Self.tableCount else { throw .unusable(.damaged) }
    return .ready
  }

  /// Makes the tables in an empty file; another process may be doing the same.
  static func create(in tables: TableConnection, isFile: Bool) throws(ReadModelError) {
    // A page of rows touches some ninety of these; larger ones are quicker to fill and slower to read from.
    try tables.run("PRAGMA page_size = 4096")
    if isFile { try tables.run("PRAGMA journal_mode = WAL") }
    try tables.transaction { () throws(ReadModelError) in
      guard try state(of: tables) == .empty else { return }
      try tables.run(Self.commonTables)
      for table in kindTables { try tables.run(table.schema) }
      try tables.run(Self.entityShape.indexing)
      for table in kindTables { try tables.run(table.shape.indexing) }
      try tables.run("PRAGMA application_id = \(Self.applicationID)")
      try tables.run("PRAGMA user_version = \(Self.version)")
    }
  }

  /// Reads every page and index, and checks that each document has its row; slow, for those who doubt the file.
  static func check(_ tables: TableConnection) throws(ReadModelError) {
    let findings = try tables.rows("PRAGMA integrity_check(1)") { $0.text(0) }
    guard findings == ["ok"] else { throw .unusable(.damaged) }
    for table in kindTables where try !hasAllRows(table, tables) { throw .unusable(.damaged) }
  }

  private static func hasAllRows(
    _ table: any KindTable.Type, _ tables: TableConnection
  ) throws(ReadModelError) -> Bool {
    let sql = """
      SELECT (SELECT count(*) FROM \(table.name)) = (SELECT count(*) FROM entity
        WHERE kind = ?1 AND alive AND log = shown_log AND sequence = shown_sequence)
      """
    return try tables.rows(sql, [.integer(Int64(table.kind.rawValue))]) { $0.integer(0) == 1 }.first
      == true
  }

  /// The columns of `entity`, in their order.
  static let entityColumns = [
    "log", "sequence", "id", "kind", "shown_log", "shown_sequence", "alive", "importer", "uid",
    "newer", "state",
  ]

  /// The tables that are there for every kind.
  ///
  /// Rows of `setting` may be long, and a search among rows that are kept in the order of the key reads all of each.
  /// In `entity`, `shown_log` and `shown_sequence` name the member under which the document is shown, and
  /// `alive` is the document's; `newer` tells what only a newer version can show. The state is what the fold
  /// knows, see ``Entity/encoded()``.
  /// In `bucket` stand the documents of the state digest, and in `stale` the entities that were written since, with
  /// the member that they were shown under before, see ``StateDigestKeeper/digest(causality:)``.
  /// In `conflict`, the rows of a delete against an edit stand under ``ConflictRow/life``.
  private static let commonTables = """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
    CREATE TABLE log (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL, replica BLOB NOT NULL,
      trunk INTEGER, sequence INTEGER NOT NULL, hash BLOB NOT NULL
    ) STRICT;
    CREATE TABLE seen (
      log INTEGER NOT NULL, sequence INTEGER NOT NULL, other INTEGER NOT NULL,
      up_to INTEGER NOT NULL, missing BLOB NOT NULL,
      PRIMARY KEY (log, sequence, other, up_to, missing)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entity (
      log INTEGER NOT NULL, sequence INTEGER NOT NULL, id BLOB, kind INTEGER,
      shown_log INTEGER, shown_sequence INTEGER, alive INTEGER NOT NULL,
      importer INTEGER, uid ANY, newer INTEGER NOT NULL, state BLOB NOT NULL,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE conflict (
      log INTEGER NOT NULL, sequence INTEGER NOT NULL, field INTEGER NOT NULL,
      rank INTEGER NOT NULL, value BLOB NOT NULL,
      reference_log INTEGER, reference_sequence INTEGER,
      event_log INTEGER NOT NULL, event_sequence INTEGER NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (log, sequence, field, rank)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE bucket (number INTEGER PRIMARY KEY, documents BLOB NOT NULL) STRICT;
    CREATE TABLE stale (
      log INTEGER NOT NULL, sequence INTEGER NOT NULL,
      shown_log INTEGER, shown_sequence INTEGER,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let entityShape = TableShape(
    name: "entity", columns: entityColumns,
    indexes: [
      TableIndex(
        "entity_by_id", "id", "kind", "alive", "shown_log", "shown_sequence", where: .has("id")),
      TableIndex("entity_by_shown", "shown_log", "shown_sequence"),
      TableIndex("entity_newer", "newer", "alive", where: .holds("newer")),
      TableIndex("entity_by_source", "uid", "importer", "kind", where: .has("uid")),
    ])

  /// The sides of a conflict come by what was written last.
  static let conflictShape = TableShape(
    name: "conflict", columns: ConflictRow.columns, keyWidth: 4, comesInOrder: false)

  /// The names of all tables' columns.
  static func columns(
    of tables: TableConnection
  ) throws(ReadModelError) -> [(table: String, columns: [String])] {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    return try tables.rows(sql) { $0.text(0) }.map { table throws(ReadModelError) in
      let sql = "SELECT name FROM pragma_table_info(?1) ORDER BY cid"
      return (table, try tables.rows(sql, [.text(table)]) { $0.text(0) })
    }
  }
}
