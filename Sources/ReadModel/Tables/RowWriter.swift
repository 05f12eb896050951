internal import Bytes
internal import Domain
internal import SQLite

/// Writes rows of entities and documents.
final class RowWriter {
  private let statements: StatementCache
  private var tables: [String: TableWriter] = [:]
  /// Room for the state of one entity after the other.
  private var state = CBORWriter()

  init(_ statements: StatementCache) { self.statements = statements }

  /// The row of an entity, unless it was read before.
  func row(_ key: EventKey, _ stored: StoredRows) throws(SQLiteError) -> [SQLiteValue]? {
    try stored.row(key) { () throws(SQLiteError) in try entities().row(key.values) }
  }

  /// Writes an entity, with the member that its document is shown under if it has one.
  func write(
    _ entity: Entity, shown: Shown?, over old: [SQLiteValue]?
  ) throws(SQLiteError) {
    try entities().put(entity.row(shown: shown, in: &state), over: old)
  }

  /// Writes the living document that is shown under an entity, or takes away what stands there where it is nil.
  ///
  /// - Parameters:
  ///   - content: What is shown.
  ///   - entity: What it is shown under.
  ///   - standing: The row of the entity as it stood.
  ///   - clears: Whether there are any conflicts to take away.
  ///   - counts: Where to-dos are counted.
  /// - Throws: What SQLite refuses with.
  func write(
    _ content: DocumentContent?, of entity: Entity, over standing: [SQLiteValue]?,
    clearingConflicts clears: Bool, counting counts: inout TodoCounts
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let rows = TableSchema.table(of: kind) else { return }
    let table = try table(rows.name) { rows.storedColumns }
    let new = content.map(rows.row(of:))
    var old: [SQLiteValue]?
    // Only a living document that is shown under the entity has a row, and conflicts.
    if standing.flatMap(Shown.init) == Shown(under: entity.key, isAlive: true) {
      let key = entity.key.values
      old = try table.row(key)
      if new == nil { try table.remove(key) }
      if clears { try statements.run("DELETE FROM conflict WHERE \(TableWriter.isKey)", key) }
    }
    if kind == .todo { counts.replace(old, by: new) }
    if let new { try table.put(new, over: old) }
    for conflict in content?.conflictRows ?? [] {
      try statements.run(ConflictRow.insertion, conflict)
    }
  }

  private func entities() throws(SQLiteError) -> TableWriter {
    try table("entity") { TableSchema.entityColumns }
  }

  private func table(
    _ name: String, _ columns: () -> [String]
  ) throws(SQLiteError) -> TableWriter {
    if let known = tables[name] { return known }
    let new = try TableWriter(name, columns(), statements)
    tables[name] = new
    return new
  }
}
