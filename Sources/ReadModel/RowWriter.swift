internal import Bytes
internal import Domain
internal import SQLite

/// Writes rows of entities and documents.
final class RowWriter {
  private let statements: StatementShelf
  private var tables: [String: TableWriter] = [:]
  /// Room for the state of one entity after the other.
  private var state = CBORWriter()

  init(_ statements: StatementShelf) { self.statements = statements }

  /// The row of an entity, unless it was read before.
  func row(_ key: EventKey, _ stored: StoredRows) throws(SQLiteError) -> [SQLiteValue]? {
    try stored.row(key) { () throws(SQLiteError) in try entities().row(key.values) }
  }

  /// Writes an entity, with the member that its document is shown under if it has one.
  func write(
    _ entity: Entity, shown: Shown?, over old: [SQLiteValue]?
  ) throws(SQLiteError) {
    state.removeAll(keepingCapacity: true)
    entity.encode(into: &state)
    try entities().put(
      [
        .integer(entity.key.log), .integer(entity.key.sequence),
        entity.id.map { .id($0) } ?? .null, entity.kind.map { .integer($0.rawValue) } ?? .null,
        shown.map { .integer($0.key.log) } ?? .null,
        shown.map { .integer($0.key.sequence) } ?? .null,
        .integer(shown?.isAlive == true ? 1 as Int64 : 0),
        entity.source.map { .integer($0.importer) } ?? .null,
        entity.source?.uid.column ?? .null,
        .integer(entity.needsNewerVersion ? 1 as Int64 : 0), .blob(state.bytes),
      ], over: old)
  }

  /// Writes the living document that is shown under an entity, or takes away what stands there where it is nil.
  ///
  /// - Parameters:
  ///   - content: What is shown.
  ///   - entity: What it is shown under.
  ///   - standing: The row of the entity as it stood.
  ///   - clears: Whether there are any conflicts to take away.
  ///   - counts: Where to-dos are counted, if they are.
  /// - Throws: What SQLite refuses with.
  func write(
    _ content: DocumentContent?, of entity: Entity, over standing: [SQLiteValue]?,
    clearingConflicts clears: Bool, counting counts: inout TodoCounts?
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let rows = ReadModel.table(of: kind) else { return }
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
    if kind == .todo { counts?.replace(old, by: new) }
    if let new { try table.put(new, over: old) }
    if let content { try writeConflicts(of: content) }
  }

  private func writeConflicts(of content: DocumentContent) throws(SQLiteError) {
    for (field, survivors) in content.conflicts {
      for (rank, write) in survivors.enumerated() {
        try self.write(write, rank: rank, of: field, in: content.key)
      }
    }
    guard let dispute = content.deleteAgainstEdit else { return }
    for (rank, mark) in [dispute.giver, dispute.delete].enumerated() {
      let side = Stored(
        field: ConflictRow.life, key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime,
        hash: UniqueID(high: 0, low: 0), value: .null)
      try write(side, rank: rank, of: ConflictRow.life, in: content.key)
    }
  }

  private func write(
    _ survivor: Stored, rank: Int, of field: Field, in document: EventKey
  ) throws(SQLiteError) {
    let reference = survivor.value.reference
    try statements.run(
      "INSERT INTO conflict VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      [
        .integer(document.log), .integer(document.sequence), .integer(field.rawValue),
        .integer(Int64(rank)), .blob(survivor.value.encoded()),
        reference.map { .integer($0.log) } ?? .null,
        reference.map { .integer($0.sequence) } ?? .null,
        .integer(survivor.key.log), .integer(survivor.key.sequence),
        .integer(survivor.effectiveTime),
      ])
  }

  private func entities() throws(SQLiteError) -> TableWriter {
    try table("entity") { ReadModel.entityColumns }
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

extension Source.UID {
  /// A UUID as a blob, so that no text is equal to it.
  var column: SQLiteValue {
    switch self {
    case .bytes(let id): .id(id)
    case .text(let text): .text(text)
    }
  }
}
