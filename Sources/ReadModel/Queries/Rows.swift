internal import Bytes
internal import Domain
internal import SQLite

// Rows of the tables `entity` and `conflict`, as values in the order of their columns.

extension Entity {
  /// The row of the entity in `entity`.
  ///
  /// - Parameters:
  ///   - shown: The columns for the document of the entity, if it has one.
  ///   - room: A buffer for the encoded state, reused from entity to entity.
  /// - Returns: The values of the columns.
  func row(shown: Shown?, in room: inout CBORWriter) -> [SQLiteValue] {
    room.removeAll(keepingCapacity: true)
    encode(into: &room)
    return [
      .integer(key.log), .integer(key.sequence),
      id.map { .id($0) } ?? .null, kind.map { .integer($0.rawValue) } ?? .null,
      shown.map { .integer($0.key.log) } ?? .null,
      shown.map { .integer($0.key.sequence) } ?? .null,
      .integer(shown?.isAlive == true ? 1 as Int64 : 0),
      source.map { .integer($0.importer) } ?? .null,
      source?.uid.column ?? .null,
      .integer(needsNewerVersion ? 1 as Int64 : 0), .blob(room.bytes),
    ]
  }
}

extension DocumentContent {
  /// The rows of the document in `conflict`.
  var conflictRows: [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    for (field, survivors) in conflicts {
      for (rank, write) in survivors.enumerated() { rows.append(row(of: write, rank, field)) }
    }
    guard let dispute = deleteAgainstEdit else { return rows }
    for (rank, mark) in [dispute.giver, dispute.delete].enumerated() {
      let side = Stored(
        field: ConflictRow.life, key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime,
        hash: UniqueID.none, value: .null)
      rows.append(row(of: side, rank, ConflictRow.life))
    }
    return rows
  }

  private func row(of survivor: Stored, _ rank: Int, _ field: Field) -> [SQLiteValue] {
    let reference = survivor.value.reference
    return [
      .integer(key.log), .integer(key.sequence), .integer(field.rawValue),
      .integer(Int64(rank)), .blob(survivor.value.encoded()),
      reference.map { .integer($0.log) } ?? .null,
      reference.map { .integer($0.sequence) } ?? .null,
      .integer(survivor.key.log), .integer(survivor.key.sequence),
      .integer(survivor.effectiveTime),
    ]
  }
}

extension Source.UID {
  /// The UID as a column value; a UUID is a blob, so no text equals it.
  var column: SQLiteValue {
    switch self {
    case .bytes(let id): .id(id)
    case .text(let text): .text(text)
    }
  }
}
