package import Bytes
package import Domain
internal import SQLite

/// The kind and the shown member of a document, and whether it is alive.
package struct DocumentInfo: Equatable, Sendable {
  package let kind: Kind
  /// The document's shown member.
  package let key: EventKey
  package let id: UniqueID
  package let isAlive: Bool

  package init(kind: Kind, key: EventKey, id: UniqueID, isAlive: Bool) {
    self.kind = kind
    self.key = key
    self.id = id
    self.isAlive = isAlive
  }
}

/// Finds documents and their members.
package struct DocumentQueries {
  let tables: TableConnection

  /// The document with a member that has this id.
  package func document(id: UniqueID) throws(ReadModelError) -> DocumentInfo? {
    try document("member.id = ?1 AND member.kind IS NOT NULL", [.id(id)])
  }

  /// The document that an entity belongs to.
  package func document(_ key: EventKey) throws(ReadModelError) -> DocumentInfo? {
    try document("member.log = ?1 AND member.sequence = ?2", key.values)
  }

  /// The documents that entities belong to, keyed by the entities.
  package func documents(
    of keys: [EventKey]
  ) throws(ReadModelError) -> [EventKey: DocumentInfo] {
    try tables.snapshot { () throws(ReadModelError) in
      var found: [EventKey: DocumentInfo] = [:]
      for key in keys { found[key] = try document(key) }
      return found
    }
  }

  /// The document that was imported from a source, alive or deleted.
  package func document(
    source: Source, kind: Kind
  ) throws(ReadModelError) -> DocumentInfo? {
    try document(
      "member.uid = ?1 AND member.importer = ?2 AND member.kind = ?3",
      [source.uid.column, .integer(source.importer), .integer(kind.number)])
  }

  /// The document of a choice that a draw identifies by its id.
  ///
  /// If the pick was imported from another book, the id comes from that book, and is the source UID of the choice.
  package func document(drawn id: UniqueID) throws(ReadModelError) -> DocumentInfo? {
    if let own = try document(id: id) { return own }
    return try document(source: Source(uidText: id.uuid), kind: .choice)
  }

  private func document(
    _ condition: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> DocumentInfo? {
    let sql = """
      SELECT shown.kind, shown.log, shown.sequence, shown.id, shown.alive
      FROM entity AS member
      JOIN entity AS shown
        ON shown.log = member.shown_log AND shown.sequence = member.shown_sequence
      WHERE \(condition) LIMIT 1
      """
    return try tables.rows(sql, values) { row in
      DocumentInfo(
        kind: Kind(rawValue: row.unsigned(0)), key: row.key(1), id: row.uniqueID(3),
        isAlive: row.boolean(4))
    }.first
  }

  /// The members of the document that an entity belongs to, in the order of their keys.
  ///
  /// For a short command, two small queries, one of which takes these members as parameters, are faster than one query
  /// that joins them, because SQLite takes several times as long to compile the join as to run it.
  func members(of key: EventKey) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT log, sequence FROM entity WHERE (shown_log, shown_sequence) = (
        SELECT shown_log, shown_sequence FROM entity WHERE log = ?1 AND sequence = ?2)
      """
    return try tables.rows(sql, key.values) { $0.key(0) }
  }

  /// The SQL for the members of the document that an entity belongs to; the two parameters are the key of the entity.
  static func members(of parameters: String) -> String {
    """
    SELECT member.log, member.sequence FROM entity AS named
      JOIN entity AS member ON member.shown_log = named.shown_log
        AND member.shown_sequence = named.shown_sequence
      WHERE (named.log, named.sequence) = (\(parameters))
    """
  }

  /// The living documents whose parent is the document of an entity: choices and picks of a question, to-dos of a
  /// list.
  ///
  /// Together with ``RecordReader/hydrate(_:causality:)``, this method reads everything that a decision about the
  /// parent needs.
  package func children(of key: EventKey) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT log, sequence FROM todo WHERE list_log = ?1 AND list_sequence = ?2
      UNION ALL SELECT log, sequence FROM choice WHERE owner_log = ?1 AND owner_sequence = ?2
      UNION ALL SELECT log, sequence FROM pick WHERE owner_log = ?1 AND owner_sequence = ?2
      """
    return try tables.snapshot { () throws(ReadModelError) in
      var children: [EventKey] = []
      for member in try members(of: key) {
        children += try tables.rows(sql, member.values) { $0.key(0) }
      }
      return children.sorted()
    }
  }

  /// The deleted parents of the given to-dos, choices and picks.
  package func deadParents(of keys: [EventKey]) throws(ReadModelError) -> Set<EventKey> {
    let sql = """
      SELECT list_log, list_sequence FROM todo
        WHERE (log, sequence) = (?1, ?2) AND list_log IS NOT NULL
      UNION ALL SELECT owner_log, owner_sequence FROM choice WHERE (log, sequence) = (?1, ?2)
      UNION ALL SELECT owner_log, owner_sequence FROM pick WHERE (log, sequence) = (?1, ?2)
      """
    return try tables.snapshot { () throws(ReadModelError) in
      var parents: Set<EventKey> = []
      for key in keys { parents.formUnion(try tables.rows(sql, key.values) { $0.key(0) }) }
      let infos = try documents(of: parents.sorted())
      return Set(infos.values.filter { !$0.isAlive }.map(\.key))
    }
  }

  /// The number of living documents with data that only a newer version can show.
  ///
  /// An entity that belongs to no document is counted separately.
  package func countOfNewer() throws(ReadModelError) -> Int64 {
    try tables.integer(
      """
      SELECT count(*) FROM (
        SELECT DISTINCT coalesce(shown_log, log), coalesce(shown_sequence, sequence)
        FROM entity WHERE newer AND alive)
      """)
  }

  /// The number of shown documents of each kind, including kinds without any.
  package func counts() throws(ReadModelError) -> [(kind: Kind, count: Int64)] {
    let queries = TableSchema.kindTables.map { "SELECT \($0.kind.number), (\($0.count))" }
    return try tables.rows(queries.joined(separator: " UNION ALL ")) {
      (Kind(rawValue: $0.unsigned(0)), $0.integer(1))
    }
  }

  /// The ids of the given documents, shortened to the length that distinguishes them from the ids of all other living
  /// documents.
  ///
  /// - Parameters:
  ///   - ids: The ids to shorten.
  ///   - living: The result of ``livingIDs()``, if the caller has it.
  /// - Returns: The short name of each id.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func shortNames(
    of ids: [UniqueID], among living: [UniqueID]? = nil
  ) throws(ReadModelError) -> ShortNames {
    if ids.count >= Self.manyIDs {
      let living = if let living { living } else { try livingIDs() }
      let areLiving = ids.allSatisfy { ShortNames.contains($0, in: living) }
      return ShortNames(living: living, dead: areLiving ? [] : try deadIDs())
    }
    return try tables.snapshot { () throws(ReadModelError) in
      var lengths: [UniqueID: Int] = [:]
      for id in ids {
        var near = try neighbours(of: id)
        if !near.contains(id) { near += try deadNeighbours(of: id) }
        lengths[id] = near.filter { $0 != id }.reduce(1) {
          max($0, ShortID.lengthTelling(id, from: $1))
        }
      }
      return ShortNames(lengths: lengths)
    }
  }

  /// The smallest number of ids for which one pass over all ids is faster than a search for the neighbours of each.
  private static let manyIDs = 500

  /// The ids of all members of living documents, sorted.
  package func livingIDs() throws(ReadModelError) -> [UniqueID] {
    try tables.rows(
      "SELECT id FROM entity WHERE id IS NOT NULL AND kind IS NOT NULL AND alive ORDER BY id"
    ) { $0.uniqueID(0) }
  }

  /// The ids of all members of deleted documents, sorted.
  private func deadIDs() throws(ReadModelError) -> [UniqueID] {
    try tables.rows(
      "SELECT id FROM entity WHERE id IS NOT NULL AND kind IS NOT NULL AND NOT alive ORDER BY id"
    ) { $0.uniqueID(0) }
  }

  /// The ids of members of living documents directly before and after an id; no other id shares a longer prefix with
  /// it.
  ///
  /// The id itself is among the results if it is the id of a living document.
  private func neighbours(of id: UniqueID) throws(ReadModelError) -> [UniqueID] {
    let sql = """
      SELECT id FROM (SELECT id FROM entity WHERE id < ?1 AND kind IS NOT NULL AND alive
        ORDER BY id DESC LIMIT 1)
      UNION ALL SELECT id FROM (SELECT id FROM entity WHERE id >= ?1 AND kind IS NOT NULL AND alive
        ORDER BY id LIMIT 2)
      """
    return try tables.rows(sql, [.id(id)]) { $0.uniqueID(0) }
  }

  /// The ids of members of deleted documents directly before and after an id.
  private func deadNeighbours(of id: UniqueID) throws(ReadModelError) -> [UniqueID] {
    let sql = """
      SELECT id FROM (SELECT id FROM entity WHERE id < ?1 AND kind IS NOT NULL AND NOT alive
        ORDER BY id DESC LIMIT 1)
      UNION ALL SELECT id FROM (SELECT id FROM entity WHERE id > ?1 AND kind IS NOT NULL AND NOT alive
        ORDER BY id LIMIT 1)
      """
    return try tables.rows(sql, [.id(id)]) { $0.uniqueID(0) }
  }

  /// Finds the entities that the given events of a log added, if their documents are alive.
  ///
  /// - Parameters:
  ///   - log: The number of the log.
  ///   - events: The sequences of the events.
  ///   - count: The maximum number of rows.
  /// - Returns: The key and id of each entity, and the key of the shown member of its document, in the order of the
  ///   events.
  /// - Throws: ``ReadModelError`` if the tables are damaged.
  package func added(
    in log: UInt32, _ events: ClosedRange<UInt64>, upTo count: Int
  ) throws(ReadModelError) -> [(entity: EventKey, id: UniqueID, shown: EventKey)] {
    let sql = """
      SELECT log, sequence, shown_log, shown_sequence, id FROM entity
      WHERE log = ?1 AND sequence BETWEEN ?2 AND ?3 AND alive AND shown_log IS NOT NULL
        AND id IS NOT NULL
      ORDER BY sequence LIMIT ?4
      """
    return try tables.rows(
      sql,
      [
        .integer(log), .integer(events.lowerBound), .integer(events.upperBound),
        .integer(Int64(count)),
      ]
    ) { (entity: $0.key(0), id: $0.uniqueID(4), shown: $0.key(2)) }
  }

  /// The ids of all members of the document that an entity belongs to.
  package func memberIDs(of key: EventKey) throws(ReadModelError) -> [UniqueID] {
    let sql = """
      SELECT id FROM entity
      WHERE (log, sequence) IN (\(Self.members(of: "?1, ?2"))) AND id IS NOT NULL ORDER BY id
      """
    return try tables.rows(sql, key.values) { $0.uniqueID(0) }
  }
}
