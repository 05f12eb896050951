internal import SQLite

/// The tables of a Core Data store, read with SQLite.
///
/// Only plain tables are read, because a view or virtual table in a hostile file could make SQLite run other code.
struct CoreDataTables {
  private let connection: Connection
  private let names: Set<String>
  /// The id of the store; nil if the database is not a store.
  let storeID: String?
  /// The names of the entities by their numbers.
  let entities: [Int64: String]

  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    names = try Self.plainTables(connection)
    guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else {
      (storeID, entities) = (nil, [:])
      return
    }
    var metadata = try connection.prepare("SELECT Z_UUID FROM Z_METADATA LIMIT 1")
    storeID = try metadata.step() ? Self.name(in: &metadata, 0) : nil
    entities = try Self.entities(connection)
  }

  /// Returns a name; nil for NULL, or if the value is longer than a name can be.
  private static func name(in statement: inout Statement, _ column: Int) -> String? {
    statement.byteCount(column) <= longestName ? statement.textOrNil(column) : nil
  }

  private static let longestName = 255

  static func damage(_ finding: String) -> SQLiteError {
    SQLiteError(code: SQLiteError.Primary.corrupt.rawValue, message: finding)
  }

  /// Returns the attribute that a column holds; nil for a column that Core Data uses internally.
  static func attribute(_ column: String) -> String? {
    column.hasPrefix("Z") && !column.hasPrefix("Z_") ? String(column.dropFirst()) : nil
  }

  private static func plainTables(_ connection: Connection) throws(SQLiteError) -> Set<String> {
    var statement = try connection.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.text(0)) }
    return names
  }

  private static func entities(_ connection: Connection) throws(SQLiteError) -> [Int64: String] {
    var statement = try connection.prepare("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY LIMIT 1000")
    var entities: [Int64: String] = [:]
    while try statement.step() {
      guard let name = name(in: &statement, 1), !name.isEmpty else { continue }
      entities[statement.integer(0)] = name
    }
    return entities
  }

  /// Returns the columns of a plain table, in capitals; nil if there is no such table.
  func columns(of table: String) throws(SQLiteError) -> [String]? {
    guard names.contains(table) else { return nil }
    var statement = try connection.prepare("SELECT name FROM pragma_table_info(?1)")
    try statement.bind(table, at: 1)
    var columns: [String] = []
    while try statement.step() { columns.append(statement.text(0).uppercased()) }
    return columns
  }

  /// The use of a column when a row is read.
  private enum Role {
    case key, entity, attribute
    /// A column that Core Data uses internally.
    case other

    init(_ column: String) {
      switch column {
      case "Z_PK": self = .key
      case "Z_ENT": self = .entity
      default: self = CoreDataTables.attribute(column) == nil ? .other : .attribute
      }
    }
  }

  /// Returns the rows of a table, sorted by key and at most as many as the limit; nil if the budget is exceeded.
  ///
  /// Many rows may share one default value, so each value is charged before it is read.
  func rows(
    of table: String, _ columns: [String], _ entity: String, atMost limit: Int,
    longestValue: Int, _ budget: inout UnpackingBudget
  ) throws(SQLiteError) -> [CoreDataStore.Row]? {
    let list = columns.map(Self.quoted).joined(separator: ", ")
    let roles = columns.map(Role.init)
    // Sorting in SQLite would copy the rows if the key were not the primary key of the table.
    var statement = try connection.prepare(
      "SELECT \(list) FROM \(Self.quoted(table)) LIMIT \(limit)")
    var rows: [CoreDataStore.Row] = []
    while try statement.step() {
      guard let row = row(in: &statement, roles, entity, longestValue, &budget) else { return nil }
      rows.append(row)
    }
    return rows.sorted { $0.key < $1.key }
  }

  /// Returns the current row of a statement; nil if the budget is exceeded.
  private func row(
    in statement: inout Statement, _ roles: [Role], _ entity: String, _ longestValue: Int,
    _ budget: inout UnpackingBudget
  ) -> CoreDataStore.Row? {
    var (key, name): (Int64, String?) = (0, nil)
    var cells: [CoreDataStore.Cell?] = []
    cells.reserveCapacity(roles.count)
    for (place, role) in roles.enumerated() {
      let count = statement.byteCount(place)
      guard statement.isNull(place) || budget.spend(count) else { return nil }
      switch role {
      case .key: key = statement.integer(place)
      case .entity: name = entities[statement.integer(place)]
      case .attribute where statement.isNull(place): cells.append(nil)
      case .attribute where count > longestValue: cells.append(.tooLarge(bytes: count))
      case .attribute: cells.append(.value(statement.value(place)))
      case .other: continue
      }
    }
    return CoreDataStore.Row(entity: name ?? entity, key: key, cells: cells)
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
