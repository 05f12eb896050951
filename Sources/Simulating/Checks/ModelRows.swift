import Domain
import ReadModel

/// The rows of a read model, for comparison with the rows of another read model.
struct ModelRows {
  /// The rows, in which the numbers of logs are replaced by ids, because the numbers depend on the order in which the
  /// logs arrived.
  let rows: [String]
  /// The keys of all entities, with this read model's numbers of logs.
  let entities: Set<EventKey>

  /// The tables that are left out.
  ///
  /// These tables are used to compute the state digest and depend on when it was last computed. The digest itself is
  /// compared.
  private static let others: Set<String> = ["setting", "conflict", "bucket", "stale"]

  init(of model: ReadModel) throws {
    let all = try model.tableDump.quotedRows()
    var ids: [String: String] = [:]
    for row in all where row.table == "log" { ids[row.columns[0]] = row.columns[1] }
    rows = all.filter { !Self.others.contains($0.table) }.map { Self.text(of: $0, ids) }
    entities = Set(
      all.filter { $0.table == "entity" }.compactMap { row in
        guard let log = UInt32(row.columns[0]), let sequence = UInt64(row.columns[1]) else {
          return nil
        }
        return EventKey(log: log, sequence: sequence)
      })
  }

  private static func text(of row: TableDump.QuotedRow, _ ids: [String: String]) -> String {
    var columns: [String] = []
    for (name, value) in zip(row.names, row.columns) {
      // This column is what the fold stores about an entity, and contains numbers of logs. The digest covers the
      // column.
      if row.table == "entity", name == "state" { continue }
      columns.append(isLog(name, in: row.table) ? ids[value] ?? value : value)
    }
    return "\(row.table): \(columns.joined(separator: ", "))"
  }

  /// Whether a column contains the number of a log.
  private static func isLog(_ name: String, in table: String) -> Bool {
    if name == "log" || name.hasSuffix("_log") { return true }
    return table == "log" && ["number", "trunk"].contains(name)
      || table == "seen" && name == "other"
  }
}

extension ReadModel {
  /// All rows; see ``ModelRows``.
  func rows() throws -> [String] { try ModelRows(of: self).rows }
}
