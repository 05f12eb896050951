internal import Bytes
internal import Domain
internal import SQLite

// Reads the to-do table itself instead of the joined query, because reading rows takes most of the time for a long
// result.

/// To-dos in the order in which they were read, and the last table row that was read.
struct TodoRun: Sendable {
  fileprivate(set) var todos: [TodoRow] = []
  fileprivate(set) var last: EventKey?
}

/// Reads to-dos with the records that they name, looking up each of these only once.
///
/// Joining the list to each row would double the time. In a short query, compiling the subqueries for the ids of parents
/// and series would take longer than reading the rows, of which few have either.
struct TodoReader {
  private let tables: TableConnection
  private var lists: [EventKey: (list: ShownList?, isShown: Bool)] = [:]
  private var parentIDs = KnownIDs(.ofDocument)
  private var seriesIDs = KnownIDs(.ofEntity)

  init(_ tables: TableConnection) { self.tables = tables }

  /// Reads the rows of the to-do table that the given clauses select, without to-dos whose list is deleted.
  mutating func read(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> TodoRun {
    var run = TodoRun()
    _ = try tables.rows(Self.query(clauses), values) { row throws(ReadModelError) in
      run.last = row.key(0)
      var list: ShownList?
      if let key = row.keyOrNil(TodoRow.listColumn) {
        let found = try self.list(named: key)
        guard found.isShown else { return }
        list = found.list
      }
      let parentID = try parentIDs.id(named: row.keyOrNil(TodoRow.parentColumn), tables)
      let seriesID = try seriesIDs.id(named: row.keyOrNil(TodoRow.seriesColumn), tables)
      run.todos.append(TodoRow(row, on: list, parentID: parentID, seriesID: seriesID))
    }
    return run
  }

  static func query(_ clauses: String) -> String {
    """
    SELECT \(RowHead.columns), \(TodoRow.ownColumns)
    FROM todo \(clauses)
    """
  }

  /// The list that a reference identifies, and whether to-dos on it are shown, from the cache if possible.
  private mutating func list(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    if let known = lists[key] { return known }
    let found = try lookUpList(named: key)
    lists[key] = found
    return found
  }

  /// Looks up the list that a reference identifies, and whether to-dos on it are shown.
  private func lookUpList(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    let sql = """
      SELECT list.log, list.sequence, list.id, list.name, parent.shown_log IS NULL OR parent.alive
      FROM entity AS parent
      LEFT JOIN list ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.log = ?1 AND parent.sequence = ?2
      """
    let found = try tables.rows(sql, key.values) { row in
      let list = row.keyOrNil(0).map { key in
        ShownList(key: key, id: row.uniqueIDOrNil(2), name: row.textOrNil(3))
      }
      return (list, row.boolean(4))
    }
    // A list that has never been folded does not hide its to-dos.
    return found.first ?? (nil, true)
  }
}

/// The ids that references stand for, as far as they have been looked up.
private struct KnownIDs {
  enum Meaning {
    case ofEntity
    /// The id of the shown member of the document that the entity belongs to.
    case ofDocument

    fileprivate var sql: String {
      switch self {
      case .ofEntity: "SELECT id FROM entity WHERE log = ?1 AND sequence = ?2"
      case .ofDocument:
        """
        SELECT shown.id FROM entity AS named
        JOIN entity AS shown
          ON shown.log = named.shown_log AND shown.sequence = named.shown_sequence
        WHERE named.log = ?1 AND named.sequence = ?2
        """
      }
    }
  }

  private let meaning: Meaning
  private var ids: [EventKey: UniqueID?] = [:]

  init(_ meaning: Meaning) { self.meaning = meaning }

  mutating func id(
    named key: EventKey?, _ tables: TableConnection
  ) throws(ReadModelError) -> UniqueID? {
    guard let key else { return nil }
    if let known = ids[key] { return known }
    let found = try tables.rows(meaning.sql, key.values) { $0.uniqueIDOrNil(0) }.first ?? nil
    ids.updateValue(found, forKey: key)
    return found
  }
}
