internal import Bytes
internal import Domain
internal import SQLite

/// Writes rows of entities and documents.
final class RowWriter {
  /// The statements for the rows of a table, spelt once.
  private struct Spelling {
    let read: String
    let insert: String
    /// By the places of the columns that are written.
    var updates: [[Int]: String] = [:]
  }

  private let statements: StatementShelf
  private var spellings: [String: Spelling] = [:]
  private var counts = TodoCounts()

  init(_ statements: StatementShelf) { self.statements = statements }

  /// Writes an entity, with its document if it has one.
  func write(
    _ entity: Entity, in document: Document?, over replaces: Bool
  ) throws(SQLiteError) {
    let shown = document?.key
    try put(
      [
        .integer(entity.key.log), .integer(entity.key.sequence),
        entity.id.map { .id($0) } ?? .null, entity.kind.map { .integer($0.rawValue) } ?? .null,
        shown.map { .integer($0.log) } ?? .null, shown.map { .integer($0.sequence) } ?? .null,
        .integer(document?.isAlive == true ? 1 as Int64 : 0),
        entity.source.map { .integer($0.importer) } ?? .null,
        entity.source?.uid.column ?? .null,
        .integer(entity.needsNewerVersion ? 1 as Int64 : 0), .blob(entity.encoded()),
      ], into: "entity", ReadModel.entityColumns,
      over: replaces ? try row("entity", ReadModel.entityColumns, of: entity) : nil)
  }

  /// Writes the living document that is shown under an entity, or takes away what stands there where it is nil.
  func write(
    _ content: DocumentContent?, of entity: Entity, over replaces: Bool
  ) throws(SQLiteError) {
    guard let kind = entity.kind, let table = ReadModel.table(of: kind) else { return }
    let new = content.map(table.row(of:))
    let old = replaces ? try row(table.name, table.storedColumns, of: entity) : nil
    if replaces {
      try statements.run("DELETE FROM conflict WHERE \(Self.isKey)", entity.key.values)
      if kind == .todo { counts.replace(old, by: new) }
    }
    if let new {
      try put(new, into: table.name, table.storedColumns, over: old)
    } else if old != nil {
      try statements.run("DELETE FROM \(table.name) WHERE \(Self.isKey)", entity.key.values)
    }
    if let content { try writeConflicts(of: content) }
  }

  /// Writes what follows from all rows together; to be called after the last one that was written over others.
  func finish() throws(SQLiteError) { try counts.write(with: statements) }

  private func writeConflicts(of content: DocumentContent) throws(SQLiteError) {
    let document = content.document
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

  /// Picks the row of a key, whose columns are the first two of every table here.
  private static let isKey = "log = ?1 AND sequence = ?2"

  private func row(
    _ table: String, _ columns: [String], of entity: Entity
  ) throws(SQLiteError) -> [SQLiteValue]? {
    try statements.row(spelling(of: table, columns).read, entity.key.values)
  }

  /// Writes a row, and of one that is there already only what differs.
  ///
  /// A row stands in up to eight indexes, each of which has it on another page; most changes are of one column,
  /// which few of them hold.
  private func put(
    _ values: [SQLiteValue], into table: String, _ columns: [String], over old: [SQLiteValue]?
  ) throws(SQLiteError) {
    guard let old else { return try statements.run(spelling(of: table, columns).insert, values) }
    let key = Array(values[..<2])
    let changed = values.indices.filter { !values[$0].isStored(as: old[$0]) }
    guard !changed.isEmpty else { return }
    try statements.run(update(of: table, columns, at: changed), key + changed.map { values[$0] })
  }

  private func spelling(of table: String, _ columns: [String]) -> Spelling {
    if let known = spellings[table] { return known }
    let names = columns.joined(separator: ", ")
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let new = Spelling(
      read: "SELECT \(names) FROM \(table) WHERE \(Self.isKey)",
      insert: "INSERT INTO \(table) (\(names)) VALUES (\(places))")
    spellings[table] = new
    return new
  }

  private func update(of table: String, _ columns: [String], at changed: [Int]) -> String {
    if let known = spellings[table]?.updates[changed] { return known }
    let sets = changed.enumerated().map { "\(columns[$1]) = ?\($0 + 3)" }
    let sql = "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(Self.isKey)"
    spellings[table]?.updates[changed] = sql
    return sql
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
