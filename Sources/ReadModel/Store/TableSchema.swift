internal import Domain
internal import SQLite

/// The schema of the tables, and the checks that a file matches it.
package enum TableSchema {
  /// The version of the tables and of the meaning of their columns.
  ///
  /// Increment this version with every change. A file with a different version is built again from the logs, not
  /// migrated.
  package static let schemaVersion: Int64 = 21

  /// The version that a file stores: the version of the tables and the version of the domain's schema.
  ///
  /// The version of the domain's schema is included because the fold ignores what that version does not support.
  package static let version = schemaVersion << 16 | Schema.version

  /// "dayb", the application id in the header of the file.
  static let applicationID: Int64 = 0x6461_7962

  enum State {
    case empty
    case ready
  }

  /// The tables of the kinds, in the order of the kinds' numbers.
  static let kindTables: [any KindTable.Type] = [
    BirthdayTable.self, ListTable.self, TodoTable.self, QuestionTable.self, ChoiceTable.self,
    PickTable.self,
  ]

  /// The number of tables: the tables of the kinds, the seven common tables, `todo_count` and `occurrence`.
  private static let tableCount = Int64(kindTables.count) + 9

  static func table(of kind: Kind) -> (any KindTable.Type)? {
    // The index of a table is the number of its kind.
    kind.rawValue < kindTables.count ? kindTables[Int(kind.rawValue)] : nil
  }

  /// Returns whether the database is empty or a read model of this version.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if it is neither.
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

  /// Creates the tables if the database is empty; another process may be creating them at the same time.
  static func create(in tables: TableConnection, isFile: Bool) throws(ReadModelError) {
    // A page of query results touches about ninety database pages. Larger database pages are faster to fill
    // but slower to read.
    try tables.run("PRAGMA page_size = 4096")
    if isFile { try tables.run("PRAGMA journal_mode = WAL") }
    try tables.transaction { () throws(ReadModelError) in
      guard try state(of: tables) == .empty else { return }
      try tables.run(Self.commonTables)
      for table in kindTables { try tables.run(table.schema) }
      try tables.run(OccurrenceTable.schema)
      try tables.run(Self.entityShape.indexing)
      for table in kindTables { try tables.run(table.shape.indexing) }
      try tables.run(OccurrenceTable.shape.indexing)
      try tables.run("PRAGMA application_id = \(Self.applicationID)")
      try tables.run("PRAGMA user_version = \(Self.version)")
    }
  }

  /// Reads all pages and indexes, and compares the number of rows of each kind's table with the number of its living
  /// documents; this is slow.
  static func check(_ tables: TableConnection) throws(ReadModelError) {
    let findings = try tables.rows("PRAGMA integrity_check(1)") { $0.text(0) }
    guard findings == ["ok"] else { throw .unusable(.damaged) }
    for table in kindTables where try !hasAllRows(table, tables) { throw .unusable(.damaged) }
  }

  private static func hasAllRows(
    _ table: any KindTable.Type, _ tables: TableConnection
  ) throws(ReadModelError) -> Bool {
    // Open occurrences have no row in `todo`.
    let rows =
      table.kind == .todo
      ? "todo WHERE series_log IS NULL) + (SELECT count(*) FROM occurrence" : table.name
    let sql = """
      SELECT (SELECT count(*) FROM \(rows)) = (SELECT count(*) FROM entity
        WHERE kind = ?1 AND alive AND log = shown_log AND sequence = shown_sequence)
      """
    return try tables.rows(sql, [.integer(Int64(table.kind.rawValue))]) { $0.integer(0) == 1 }.first
      == true
  }

  /// The columns of `entity`, in order.
  static let entityColumns = [
    "log", "sequence", "id", "kind", "shown_log", "shown_sequence", "alive", "importer", "uid",
    "newer", "state",
  ]

  /// The tables that are common to all kinds.
  ///
  /// - `setting` has a rowid, because its rows may be long and a search by key in a table without rowid reads whole
  ///   rows.
  /// - `entity`: `shown_log` and `shown_sequence` identify the member under which the document is shown, and `alive`
  ///   belongs to the document. `newer` marks entities that only a newer version can show completely. `state` is the
  ///   entity's state in the fold; see ``Entity/encoded()``.
  /// - `bucket` holds the documents of the state digest. `stale` holds the entities that were written since the
  ///   digest was computed, with the member under which they were shown then, and documents that refer to entities
  ///   that have not been folded; see ``StateDigestKeeper/digest(causality:)``.
  /// - `conflict` holds the survivors of fields in conflict, and under ``ConflictRow/life`` the two sides of a delete
  ///   against an edit.
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

  /// The rows do not arrive in the order of the key, because the rows of a delete against an edit come last for their
  /// document, but their field sorts first.
  static let conflictShape = TableShape(
    name: "conflict", columns: ConflictRow.columns, keyWidth: 4, comesInOrder: false)

  /// The names of the columns of all tables.
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
