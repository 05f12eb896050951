internal import Bytes
internal import Domain
internal import SQLite

/// Writes rows of entities and documents with statements that are compiled once.
final class RowWriter {
  private let statements: StatementShelf

  init(_ connection: Connection) { statements = StatementShelf(connection) }

  /// Takes away whatever stands under an entity.
  func clear(_ entity: Entity) throws(SQLiteError) {
    guard let kind = entity.kind, let table = ReadModel.table(of: kind) else { return }
    let key: [SQLiteValue] = [.integer(entity.key.log), .integer(entity.key.sequence)]
    try statements.run(table.delete, key)
    try statements.run("DELETE FROM conflict WHERE log = ?1 AND sequence = ?2", key)
  }

  /// Writes an entity, with its document if it has one.
  func write(_ entity: Entity, in document: Document?) throws(SQLiteError) {
    let shown = document?.key
    try statements.run(
      "INSERT OR REPLACE INTO entity VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      [
        .integer(entity.key.log), .integer(entity.key.sequence),
        entity.id.map { .id($0) } ?? .null, entity.kind.map { .integer($0.rawValue) } ?? .null,
        shown.map { .integer($0.log) } ?? .null, shown.map { .integer($0.sequence) } ?? .null,
        .integer(document?.isAlive == true ? 1 as Int64 : 0),
        entity.source.map { .integer($0.importer) } ?? .null,
        entity.source?.uid.column ?? .null,
        .integer(entity.needsNewerVersion ? 1 as Int64 : 0), .blob(entity.encoded()),
      ])
  }

  /// Writes a living document of a kind that has a table.
  func write(_ content: DocumentContent) throws(SQLiteError) {
    let document = content.document
    guard let table = ReadModel.table(of: document.kind) else { return }
    try statements.run(table.insert, table.row(of: content))
    for (field, survivors) in content.conflicts {
      for (rank, write) in survivors.enumerated() {
        try self.write(write, rank: rank, of: field, in: document)
      }
    }
    guard let dispute = document.deleteAgainstEdit else { return }
    for (rank, mark) in [dispute.giver, dispute.delete].enumerated() {
      let side = Stored(
        field: ConflictRow.life, key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime,
        hash: UniqueID(high: 0, low: 0), value: .null)
      try write(side, rank: rank, of: ConflictRow.life, in: document)
    }
  }

  private func write(
    _ survivor: Stored, rank: Int, of field: Field, in document: Document
  ) throws(SQLiteError) {
    let reference = survivor.value.reference
    try statements.run(
      "INSERT INTO conflict VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      [
        .integer(document.key.log), .integer(document.key.sequence), .integer(field.rawValue),
        .integer(Int64(rank)), .blob(survivor.value.encoded()),
        reference.map { .integer($0.log) } ?? .null,
        reference.map { .integer($0.sequence) } ?? .null,
        .integer(survivor.key.log), .integer(survivor.key.sequence),
        .integer(survivor.effectiveTime),
      ])
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
