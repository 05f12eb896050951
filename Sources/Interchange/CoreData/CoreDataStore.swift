package import SQLite

/// The contents of a Core Data store: uninterpreted rows, by entity.
package struct CoreDataStore: Sendable {
  /// The rows of one table: the objects of an entity and of the entities that inherit from it.
  package struct Table: Sendable {
    /// The entity that the table is named after.
    package let entity: String
    /// The columns of attributes and relations in the order of the table, in capitals and without their `Z`.
    package let columns: [String]
    /// The rows, in the order of their keys.
    package let rows: [Row]
  }

  /// One object of the store.
  package struct Row: Sendable {
    package let entity: String
    /// The number by which other rows refer to this row.
    package let key: Int64
    /// The cells, in the order of the columns of the table; nil for NULL.
    package let cells: [Cell?]
  }

  /// The value of one column in a row.
  package enum Cell: Hashable, Sendable {
    case value(SQLiteValue)
    /// Text or a blob that is too large to read.
    case tooLarge(bytes: Int)
  }

  private static let mostColumns = 256

  /// The id of the store, which is unique and permanent.
  package let id: String
  /// The tables, in the order of the names of their entities.
  package let tables: [Table]
}

/// The reason why bytes cannot be read as a Core Data store.
package enum CoreDataError: Error, Hashable, Sendable {
  case notADatabase
  /// A database that is not a Core Data store.
  case notAStore
  /// The store is empty, and its `-wal` file, which may contain all of its data, is missing.
  case logMissing
  /// The `-wal` file belongs to a different store, or is damaged.
  case foreignLog
  /// The database is corrupt; the text is SQLite's description.
  case damaged(String)
  case tooManyRows(maximum: Int)
  /// A schema statement computes the values of a column.
  case computes(table: String)
  /// The unpacked rows of a table occupy more bytes than allowed.
  case unpacksTooMuch(String, maximum: Int)
  /// A row or a schema statement is longer than the limit set for SQLite.
  case tooLong
  case unreadable(SQLiteError)

  init(_ error: SQLiteError) {
    self =
      switch error.primary {
      case .corrupt, .notADatabase: .damaged(error.message)
      case .tooBig: .tooLong
      default: .unreadable(error)
      }
  }
}

extension CoreDataStore {
  /// Returns whether bytes begin as every SQLite database does.
  package static func isDatabase(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "SQLite format 3\0".utf8)
  }

  /// Reads a store from the bytes of its file, and of its write-ahead log if there is one.
  init(
    parsing bytes: [UInt8], log: [UInt8]? = nil, _ limits: ForeignSettings.Limits
  ) throws(CoreDataError) {
    let waiting = log.flatMap { WriteAheadLog($0) }
    let isAllInLog = bytes.isEmpty && waiting != nil
    guard isAllInLog || Self.isDatabase(bytes) else { throw .notADatabase }
    var whole = WriteAheadLog.withoutLog(bytes)
    if let waiting {
      guard let applied = waiting.applied(to: bytes) else { throw .foreignLog }
      whole = applied
    }
    // If a store was copied while in use, its log may contain all of its data.
    let mayBeInLog = waiting == nil && log != [] && WriteAheadLog.keepsLog(bytes)
    do throws(CoreDataError) {
      try self.init(contents: whole, limits)
    } catch .notAStore {
      throw mayBeInLog ? .logMissing : .notAStore
    }
    if mayBeInLog, tables.allSatisfy(\.rows.isEmpty) { throw .logMissing }
  }

  private init(contents: [UInt8], _ limits: ForeignSettings.Limits) throws(CoreDataError) {
    let database = try Self.database(contents)
    guard let id = database.storeID, !id.isEmpty, !database.entities.isEmpty else {
      throw .notAStore
    }
    self.id = id
    var tables: [Table] = []
    var left = limits.records
    var budget = UnpackingBudget(fileBytes: contents.count)
    for entity in Set(database.entities.values).sorted() {
      guard let table = try Self.table(of: entity, in: database, atMost: left, limits, &budget)
      else { continue }
      guard table.rows.count <= left else { throw .tooManyRows(maximum: limits.records) }
      left -= table.rows.count
      tables.append(table)
    }
    self.tables = tables
  }

  private static func database(_ contents: [UInt8]) throws(CoreDataError) -> CoreDataTables {
    let computing: String?
    do throws(SQLiteError) {
      let connection = try Connection(contents: contents)
      computing = try connection.computingTable()
      if computing == nil {
        if let damage = try connection.damage() { throw CoreDataTables.damage(damage) }
        return try CoreDataTables(connection)
      }
    } catch {
      throw CoreDataError(error)
    }
    throw .computes(table: computing ?? "")
  }

  /// Reads the table named after the given entity; nil if the entity has no table of its own.
  private static func table(
    of entity: String, in database: CoreDataTables, atMost limit: Int,
    _ limits: ForeignSettings.Limits, _ budget: inout UnpackingBudget
  ) throws(CoreDataError) -> Table? {
    let name = "Z" + entity.uppercased()
    let shown: [String]
    let rows: [Row]?
    do throws(SQLiteError) {
      guard let columns = try database.columns(of: name), columns.contains("Z_PK") else {
        return nil
      }
      shown = Array(columns.prefix(mostColumns))
      rows = try database.rows(
        of: name, shown, entity, atMost: limit + 1, longestValue: limits.fieldBytes, &budget)
    } catch {
      throw CoreDataError(error)
    }
    guard let rows else { throw .unpacksTooMuch(name, maximum: budget.limit) }
    return Table(entity: entity, columns: shown.compactMap(CoreDataTables.attribute), rows: rows)
  }
}
