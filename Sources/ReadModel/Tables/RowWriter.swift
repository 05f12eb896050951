internal import Bytes
internal import Domain
internal import SQLite

/// Writes the rows of entities and documents.
final class RowWriter {
  private let statements: StatementCache
  private var tables: [String: TableWriter] = [:]
  /// A buffer for encoded states.
  private var state = CBORWriter()

  init(_ statements: StatementCache) { self.statements = statements }

  /// Returns the row of an entity, from `stored` if that contains it.
  func row(_ key: EventKey, _ stored: StoredRows) throws(SQLiteError) -> [SQLiteValue]? {
    try stored.row(key) { () throws(SQLiteError) in try entities().row(key.values) }
  }

  /// Writes the row of an entity, including the member under which its document is shown.
  func write(
    _ entity: Entity, shown: Shown?, over old: [SQLiteValue]?
  ) throws(SQLiteError) {
    try entities().put(entity.row(shown: shown, in: &state), over: old)
  }

  /// Writes the row and the conflicts of the document that is shown under an entity, or removes them if `content` is
  /// nil.
  ///
  /// - Parameters:
  ///   - content: The content of the document, if it is alive and shown under the entity.
  ///   - entity: The entity.
  ///   - standing: The previous row of the entity.
  ///   - clears: Whether previous conflicts must be deleted.
  ///   - counts: The counts of to-dos to update.
  /// - Throws: An error of SQLite.
  func write(
    _ content: DocumentContent?, of entity: Entity, over standing: [SQLiteValue]?,
    clearingConflicts clears: Bool, counting counts: inout TodoCounts
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let rows = TableSchema.table(of: kind) else { return }
    let table = try table(rows.name) { rows.storedColumns }
    let new = content.map(rows.row(of:))
    var old: [SQLiteValue]?
    // Rows and conflicts exist only for a living document that is shown under the entity.
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
