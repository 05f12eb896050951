internal import SQLite

/// The tables of a Core Data store as SQLite shows them.
///
/// Only what is a plain table is read: a view or a virtual table in a hostile file would have SQLite do things.
struct CoreDataTables {
  private let connection: Connection
  private let names: Set<String>
  /// What the store calls itself; nil when it is no store.
  let storeID: String?
  /// The names of the entities, by the numbers that rows have.
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

  /// A name, read only where it is as short as one; nil for anything else.
  private static func name(in statement: inout Statement, _ column: Int) -> String? {
    statement.byteCount(column) <= longestName ? statement.textOrNil(column) : nil
  }

  private static let longestName = 255

  static func damage(_ finding: String) -> SQLiteError {
    SQLiteError(code: SQLiteError.Primary.corrupt.rawValue, message: finding)
  }

  /// The name of an attribute that a column holds; nil for what Core Data keeps for itself.
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

  /// The columns of a plain table, in capitals; nil where there is no such table.
  func columns(of table: String) throws(SQLiteError) -> [String]? {
    guard names.contains(table) else { return nil }
    var statement = try connection.prepare("SELECT name FROM pragma_table_info(?1)")
    try statement.bind(table, at: 1)
    var columns: [String] = []
    while try statement.step() { columns.append(statement.text(0).uppercased()) }
    return columns
  }

  /// What a column is to the reader of a row.
  private enum Role {
    case key, entity, attribute
    /// What Core Data keeps for itself.
    case other

    init(_ column: String) {
      switch column {
      case "Z_PK": self = .key
      case "Z_ENT": self = .entity
      default: self = CoreDataTables.attribute(column) == nil ? .other : .attribute
      }
    }
  }

  /// The rows of a table by their keys, no more than a limit; nil where the budget is too small for them.
  ///
  /// A default may stand for the values of many rows, so each value is paid for before it is read.
  func rows(
    of table: String, _ columns: [String], _ entity: String, atMost limit: Int,
    longestValue: Int, _ budget: inout UnpackingBudget
  ) throws(SQLiteError) -> [CoreDataStore.Row]? {
    let list = columns.map(Self.quoted).joined(separator: ", ")
    let roles = columns.map(Role.init)
    // SQLite would copy the rows to sort them, where the key is not that of the table.
    var statement = try connection.prepare(
      "SELECT \(list) FROM \(Self.quoted(table)) LIMIT \(limit)")
    var rows: [CoreDataStore.Row] = []
    while try statement.step() {
      guard let row = row(in: &statement, roles, entity, longestValue, &budget) else { return nil }
      rows.append(row)
    }
    return rows.sorted { $0.key < $1.key }
  }

  /// The row that a statement is at; nil where the budget is spent.
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
