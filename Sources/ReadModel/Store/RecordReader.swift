package import Domain
internal import SQLite

/// Reads the stored state of entities.
package struct RecordReader {
  let tables: TableConnection

  /// Reads the state of all entities that the given facts can affect.
  ///
  /// - Parameters:
  ///   - facts: The facts that will be applied to the result.
  ///   - causality: The causality of all folded events and of the facts, with the log numbers of this file.
  /// - Returns: The entities that the facts refer to, including parents and aliases, and all entities that are or can
  ///   become joined with them.
  /// - Throws: ``ReadModelError``, if the file is damaged or cannot be read.
  package func hydrate(
    _ facts: [Fact], causality: Causality
  ) throws(ReadModelError) -> Hydrated {
    var keys: Set<EventKey> = []
    var sources: Set<KindOfSource> = []
    for fact in facts {
      switch fact.body.target {
      case .entity(let key): keys.insert(key)
      case .kind(let kind):
        keys.insert(fact.key)
        let source = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
        if let source, sources.insert(KindOfSource(kind: kind, source: source)).inserted {
          keys.formUnion(try twins(of: source, kind))
        }
      }
      if fact.body.verb == .alias { keys.insert(fact.key) }
      for write in fact.body.writes {
        if let reference = write.value.reference { keys.insert(reference) }
      }
    }
    return try tables.snapshot { () throws(ReadModelError) in try gather(keys, causality) }
  }

  /// Reads the state of the given entities and of all that are or can become joined with them.
  package func hydrate(
    _ keys: Set<EventKey>, causality: Causality
  ) throws(ReadModelError) -> Records {
    try tables.snapshot { () throws(ReadModelError) in try gather(keys, causality).records }
  }

  /// Reads the state of the given entities, of all that are or can become joined with them, and of the targets of their
  /// references.
  ///
  /// A ``Document`` shows a reference only if its target is among the records.
  package func hydrateWithReferences(
    _ keys: Set<EventKey>, causality: Causality
  ) throws(ReadModelError) -> Records {
    try tables.snapshot { () throws(ReadModelError) in
      let alone = try gather(keys, causality).records
      var named: Set<EventKey> = []
      for entity in alone.entities.values {
        named.formUnion(entity.writes.compactMap(\.value.reference))
      }
      let missing = named.filter { alone.entities[$0] == nil }
      return missing.isEmpty ? alone : try gather(keys.union(missing), causality).records
    }
  }

  /// Reads the state and the rows of the given entities and of all that are or can become joined with them, in the
  /// caller's transaction.
  ///
  /// An occurrence is read together with its series, whose title it inherits.
  func gather(
    _ keys: Set<EventKey>, _ causality: Causality
  ) throws(ReadModelError) -> Hydrated {
    let taken = try reading { () throws(SQLiteError) in try tables.statements.take(Self.rowByKey) }
    defer { tables.statements.putBack(taken) }
    var hydrated = Hydrated(Records(causality: causality))
    var known = keys
    var next = keys.sorted()
    // Many entities may have the same source, so the entities with a given source are looked up only once.
    var sources: Set<KindOfSource> = []
    func visit(_ key: EventKey) { if known.insert(key).inserted { next.append(key) } }
    while let key = next.popLast() {
      let row = try reading { () throws(SQLiteError) in try taken.row(key.values) }
      hydrated.rows.note(row, under: key)
      guard let row else { continue }
      let entity = try Entity(key, state: Self.state(in: row))
      hydrated.records.insert(entity)
      entity.aliases.forEach(visit)
      entity.birth?.joins.forEach(visit)
      // A promise counts for its parent once the kind of the entity is known.
      for promise in entity.promises { visit(promise.parent) }
      if entity.kind == .todo, let series = entity.writes(of: .owner).first?.value.reference {
        visit(series)
      }
      if let kind = entity.kind, let source = entity.source,
        sources.insert(KindOfSource(kind: kind, source: source)).inserted
      {
        try twins(of: source, kind).forEach(visit)
      }
    }
    return hydrated
  }

  /// Reads the state of all entities.
  package func hydrateAll(causality: Causality) throws(ReadModelError) -> Records {
    var records = Records(causality: causality)
    let sql = "SELECT log, sequence, state FROM entity ORDER BY log, sequence"
    let entities = try tables.rows(sql) { row throws(ReadModelError) in
      try Entity(row.key(0), state: row.bytes(2))
    }
    for entity in entities { records.insert(entity) }
    return records
  }

  private struct KindOfSource: Hashable {
    let kind: Kind
    let source: Source
  }

  private static let rowByKey =
    "SELECT \(TableSchema.entityColumns.joined(separator: ", ")) FROM entity WHERE log = ?1 AND sequence = ?2"

  /// Returns the entity's state, which is the last column of its row.
  private static func state(in row: [SQLiteValue]) throws(ReadModelError) -> [UInt8] {
    guard case .blob(let state) = row.last else { throw .unusable(.damaged) }
    return state
  }

  private func twins(of source: Source, _ kind: Kind) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT log, sequence FROM entity
      WHERE uid = ?1 AND importer = ?2 AND kind = ?3 ORDER BY log, sequence
      """
    return try tables.rows(
      sql, [source.uid.column, .integer(source.importer), .integer(kind.rawValue)]
    ) {
      $0.key(0)
    }
  }
}
