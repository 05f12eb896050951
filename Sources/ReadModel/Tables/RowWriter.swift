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

  /// Writes the row and the conflicts of the document shown under an entity, or removes them if `content` is nil.
  ///
  /// - Parameters:
  ///   - content: The content of the document, if it is alive and shown under the entity.
  ///   - entity: The entity.
  ///   - standing: The previous row of the entity.
  ///   - clears: Whether previous conflicts must be deleted.
  ///   - counts: The counts of to-dos to update.
  ///   - touched: Collects the to-dos on which the rows of repeating to-dos can depend; those rows are left unchanged.
  /// - Throws: An error of SQLite.
  func write(
    _ content: DocumentContent?, of entity: Entity, over standing: [SQLiteValue]?,
    clearingConflicts clears: Bool, counting counts: inout TodoCounts,
    noting touched: inout TouchedRepeats
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let rows = TableSchema.table(of: kind) else { return }
    // Rows and conflicts exist only for a living document that is shown under the entity.
    let hasRow = standing.flatMap(Shown.init) == Shown(under: entity.key, isAlive: true)
    if hasRow, clears {
      try statements.run("DELETE FROM conflict WHERE \(TableWriter.isKey)", entity.key.values)
    }
    if kind == .todo {
      try writeOccurrence(content, entity.key, hasRow, noting: &touched)
      touched.note(entity.key, content)
    }
    if content?.isRepeating != true {
      let table = table(rows.name) { rows.storedColumns }
      let old = hasRow ? try table.row(entity.key.values) : nil
      let new = content.map(rows.row(of:))
      if kind == .todo {
        counts.replace(old, by: new)
        touched.noteRow(entity.key, old)
      }
      try replace(old, by: new, entity.key, in: table)
    }
    for conflict in content?.conflictRows ?? [] {
      try statements.run(ConflictRow.insertion, conflict)
    }
  }

  private func replace(
    _ old: [SQLiteValue]?, by new: [SQLiteValue]?, _ key: EventKey, in table: TableWriter
  ) throws(SQLiteError) {
    if let new { return try table.put(new, over: old) }
    if old != nil { try table.remove(key.values) }
  }

  /// Writes or removes the row of an occurrence, and notes its owners.
  private func writeOccurrence(
    _ content: DocumentContent?, _ key: EventKey, _ hasRow: Bool,
    noting touched: inout TouchedRepeats
  ) throws(SQLiteError) {
    let table = table(OccurrenceTable.shape.name) { OccurrenceTable.shape.columns }
    let old = hasRow ? try table.row(key.values) : nil
    let new = content.flatMap(OccurrenceTable.row(of:))
    try replace(old, by: new, key, in: table)
    for row in [old, new] { touched.noteOwner(row) }
  }

  /// The row of a to-do in `todo`.
  func todoRow(_ key: EventKey) throws(SQLiteError) -> [SQLiteValue]? {
    try table(TodoTable.name) { TodoTable.storedColumns }.row(key.values)
  }

  /// Writes or removes the row of a repeating to-do, or of a to-do that belongs to it.
  ///
  /// - Returns: The row before and after the change.
  func writeTodo(
    _ key: EventKey, _ content: DocumentContent?, counting counts: inout TodoCounts
  ) throws(SQLiteError) -> (old: [SQLiteValue]?, new: [SQLiteValue]?) {
    let table = table(TodoTable.name) { TodoTable.storedColumns }
    let old = try table.row(key.values)
    let new = content.map(TodoTable.row(of:))
    counts.replace(old, by: new)
    try replace(old, by: new, key, in: table)
    return (old, new)
  }

  private func entities() -> TableWriter { table("entity") { TableSchema.entityColumns } }

  private func table(_ name: String, _ columns: () -> [String]) -> TableWriter {
    if let known = tables[name] { return known }
    let new = TableWriter(name, columns(), statements)
    tables[name] = new
    return new
  }
}
