internal import Domain
internal import SQLite

/// The table of stored occurrences, which contains what is needed to compute what a series shows.
///
/// Each living to-do with an owner has a row, under the key of its shown member. The owner is stored as written. The
/// other values of an occurrence are in `todo`, if the occurrence is closed.
enum OccurrenceTable {
  static let shape = TableShape(
    name: "occurrence",
    columns: [
      "log", "sequence", "id", "owner_log", "owner_sequence", "slot", "closing", "closed_on", "due",
      "start", "parent_log", "parent_sequence",
    ],
    indexes: [
      TableIndex("occurrence_by_owner", "owner_log", "owner_sequence", "slot"),
      TableIndex(
        "occurrence_by_parent", "parent_log", "parent_sequence", where: .has("parent_log")),
    ])

  /// The SQL that creates the table.
  ///
  /// `slot` is NULL if the to-do names no complete day; it then does not count as an occurrence of any date. `closing`
  /// is a ``Series/Closing/Kind``, or NULL for an open occurrence. The parent is the one that the occurrence itself
  /// names; the occurrence's row in `todo` contains the parent of its series.
  static let schema = """
    CREATE TABLE occurrence (
      log INTEGER NOT NULL, sequence INTEGER NOT NULL, id BLOB NOT NULL,
      owner_log INTEGER NOT NULL, owner_sequence INTEGER NOT NULL,
      slot INTEGER, closing INTEGER, closed_on INTEGER, due INTEGER, start INTEGER,
      parent_log INTEGER, parent_sequence INTEGER,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  /// Returns the row of an occurrence; nil if the to-do names no owner.
  static func row(of content: DocumentContent) -> [SQLiteValue]? {
    guard let owner = content.owner else { return nil }
    let occurrence = Series.Occurrence(content)
    let parent = content.reference(Field.Todo.parent)
    return [
      .integer(content.key.log), .integer(content.key.sequence), .id(content.id),
      .integer(owner.log), .integer(owner.sequence), SQLiteValue(occurrence?.slot.packed),
      SQLiteValue(occurrence?.closing.map { Int64($0.kind.rawValue) }),
      SQLiteValue(occurrence?.closing?.day?.packed), SQLiteValue(occurrence?.due?.packed),
      SQLiteValue(occurrence?.start?.packed), parent.map { .integer($0.log) } ?? .null,
      parent.map { .integer($0.sequence) } ?? .null,
    ]
  }
}

extension Series.Occurrence {
  /// Reads an occurrence from the content of its to-do; nil if it names no complete slot.
  init?(_ content: DocumentContent) {
    self.init(content.key, id: content.id) { content.value($0) }
  }
}

/// Reads stored occurrences.
struct OccurrenceQueries {
  let tables: TableConnection

  func isEmpty() throws(ReadModelError) -> Bool {
    try tables.integer("SELECT EXISTS (SELECT 1 FROM occurrence)") == 0
  }

  /// The occurrences that name any member of a document as their owner; occurrences without a slot are left out.
  func occurrences(of owner: EventKey) throws(ReadModelError) -> [Series.Occurrence] {
    let sql = """
      SELECT log, sequence, id, slot, closing, closed_on, due, start
      FROM occurrence WHERE \(Self.isOwned) AND slot IS NOT NULL
      """
    return try rows(of: owner, sql) { row in
      let closing = row.integerOrNil(4).flatMap { Series.Closing.Kind(rawValue: Int($0)) }
      return row.date(3).map { slot in
        Series.Occurrence(
          row.key(0), id: row.uniqueID(2), slot: slot,
          closing: closing.map { Series.Closing($0, on: row.date(5)) }, due: row.date(6),
          start: row.date(7))
      }
    }.compactMap(\.self)
  }

  /// The keys of the occurrences that name any member of a document as their owner.
  ///
  /// - Parameters:
  ///   - owner: A member of the document.
  ///   - slots: The slots of interest; nil for all.
  /// - Returns: The keys, in no particular order.
  /// - Throws: ``ReadModelError`` if the table cannot be read.
  func keys(
    of owner: EventKey, at slots: [CivilDate]? = nil
  ) throws(ReadModelError) -> [EventKey] {
    guard let slots else {
      let sql = "SELECT log, sequence FROM occurrence WHERE \(Self.isOwned)"
      return try rows(of: owner, sql) { $0.key(0) }
    }
    let sql = "SELECT log, sequence FROM occurrence WHERE \(Self.isOwned) AND slot = ?3"
    var keys: [EventKey] = []
    for slot in slots {
      keys += try rows(of: owner, sql, [.integer(slot.packed)]) { $0.key(0) }
    }
    return keys
  }

  /// The keys of the closed occurrences that name any member of a document as their owner, latest slots first.
  func closedKeys(
    of owner: EventKey, upTo most: Int
  ) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT log, sequence FROM occurrence
      WHERE (owner_log, owner_sequence) IN (\(DocumentQueries.members(of: "?1, ?2")))
        AND closing IS NOT NULL
      ORDER BY slot DESC, log, sequence LIMIT ?3
      """
    return try tables.rows(sql, owner.values + [.integer(Int64(most))]) { $0.key(0) }
  }

  /// Whether an occurrence names any member of a document as its owner.
  func hasAny(of owner: EventKey) throws(ReadModelError) -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM occurrence WHERE \(Self.isOwned))"
    return try rows(of: owner, sql) { $0.integer(0) }.contains(1)
  }

  private static let isOwned = "owner_log = ?1 AND owner_sequence = ?2"

  /// Runs a query for each member of a document, whose key is the first two parameters.
  private func rows<Row>(
    of owner: EventKey, _ sql: String, _ others: [SQLiteValue] = [],
    _ read: (borrowing Statement) throws(ReadModelError) -> Row
  ) throws(ReadModelError) -> [Row] {
    try tables.snapshot { () throws(ReadModelError) in
      var rows: [Row] = []
      for member in try DocumentQueries(tables: tables).members(of: owner) {
        rows += try tables.rows(sql, member.values + others, read)
      }
      return rows
    }
  }
}
