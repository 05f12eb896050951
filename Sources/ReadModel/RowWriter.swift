internal import Bytes
internal import Domain
internal import SQLite

/// Writes rows of entities and documents, with statements of its own for what it does again and again.
final class RowWriter {
  /// The statements for the rows of a table.
  private struct TableStatements {
    let read: StatementShelf.Taken
    let insert: StatementShelf.Taken
    let delete: StatementShelf.Taken
    /// By the places of the columns that are written.
    var updates: [[Int]: StatementShelf.Taken] = [:]
  }

  private let statements: StatementShelf
  private var tables: [String: TableStatements] = [:]
  /// Room for the state of one entity after the other.
  private var state = CBORWriter()

  init(_ statements: StatementShelf) { self.statements = statements }

  /// Writes an entity, with the member that its document is shown under if it has one.
  func write(
    _ entity: Entity, shownUnder shown: EventKey?, isAlive: Bool, over replaces: Bool
  ) throws(SQLiteError) {
    state.removeAll(keepingCapacity: true)
    entity.encode(into: &state)
    let table = try statements(of: "entity", ReadModel.entityColumns)
    try put(
      [
        .integer(entity.key.log), .integer(entity.key.sequence),
        entity.id.map { .id($0) } ?? .null, entity.kind.map { .integer($0.rawValue) } ?? .null,
        shown.map { .integer($0.log) } ?? .null, shown.map { .integer($0.sequence) } ?? .null,
        .integer(isAlive ? 1 as Int64 : 0),
        entity.source.map { .integer($0.importer) } ?? .null,
        entity.source?.uid.column ?? .null,
        .integer(entity.needsNewerVersion ? 1 as Int64 : 0), .blob(state.bytes),
      ], into: "entity", ReadModel.entityColumns,
      over: replaces ? try table.read.row(entity.key.values) : nil)
  }

  /// Writes the living document that is shown under an entity, or takes away what stands there where it is nil.
  func write(
    _ content: DocumentContent?, of entity: Entity, over replaces: Bool,
    counting counts: inout TodoCounts
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let table = ReadModel.table(of: kind) else { return }
    let new = content.map(table.row(of:))
    var old: [SQLiteValue]?
    if replaces {
      let key = entity.key.values
      let statements = try statements(of: table.name, table.storedColumns)
      old = try statements.read.row(key)
      if old != nil, new == nil { try statements.delete.run(key) }
      if kind == .todo { counts.replace(old, by: new) }
      try self.statements.run("DELETE FROM conflict WHERE \(Self.isKey)", key)
    }
    if let new { try put(new, into: table.name, table.storedColumns, over: old) }
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

  /// Picks the row of a key, whose columns are the first two of every table here.
  private static let isKey = "log = ?1 AND sequence = ?2"

  /// Writes a row, and of one that is there already only what differs.
  ///
  /// A row stands in up to eight indexes, each of which has it on another page; most changes are of one column,
  /// which few of them hold.
  private func put(
    _ values: [SQLiteValue], into table: String, _ columns: @autoclosure () -> [String],
    over old: [SQLiteValue]?
  ) throws(SQLiteError) {
    guard let old else { return try statements(of: table, columns).insert.run(values) }
    let changed = values.indices.filter { !values[$0].isStored(as: old[$0]) }
    guard !changed.isEmpty else { return }
    try update(of: table, columns(), at: changed).run(values[..<2] + changed.map { values[$0] })
  }

  private func statements(
    of table: String, _ columns: @autoclosure () -> [String]
  ) throws(SQLiteError) -> TableStatements {
    try statements(of: table, columns)
  }

  private func statements(
    of table: String, _ columns: () -> [String]
  ) throws(SQLiteError) -> TableStatements {
    if let known = tables[table] { return known }
    let columns = columns()
    let names = columns.joined(separator: ", ")
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let new = TableStatements(
      read: try statements.take("SELECT \(names) FROM \(table) WHERE \(Self.isKey)"),
      insert: try statements.take("INSERT INTO \(table) (\(names)) VALUES (\(places))"),
      delete: try statements.take("DELETE FROM \(table) WHERE \(Self.isKey)"))
    tables[table] = new
    return new
  }

  private func update(
    of table: String, _ columns: [String], at changed: [Int]
  ) throws(SQLiteError) -> StatementShelf.Taken {
    if let known = tables[table]?.updates[changed] { return known }
    let sets = changed.enumerated().map { "\(columns[$1]) = ?\($0 + 3)" }
    let new = try statements.take(
      "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(Self.isKey)")
    tables[table]?.updates[changed] = new
    return new
  }
}

extension SQLiteValue {
  /// Whether a column that holds the other value need not be written; texts are to be the same byte for byte.
  fileprivate func isStored(as other: SQLiteValue) -> Bool {
    if case .text(let text) = self, case .text(let stored) = other {
      return text.utf8.elementsEqual(stored.utf8)
    }
    return self == other
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
