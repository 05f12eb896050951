import ReadModel

extension ReadModel {
  /// For each table, the columns, except the first, that contain the number of a log.
  private static let logColumns: [String: [Int]] = [
    "log": [3], "seen": [2], "entity": [4], "todo": [10], "choice": [9], "pick": [9, 11],
  ]

  /// Tables to leave out.
  ///
  /// These tables serve to compute the state digest and depend on when it was last computed. The digest itself is
  /// compared.
  private static let others: Set<String> = ["setting", "conflict", "bucket", "stale"]

  /// All rows, with the numbers of logs replaced by their ids.
  ///
  /// The numbers depend on the order in which the logs arrived.
  func rows() throws -> [String] {
    let rows = try tableDump.quotedRows()
    var ids: [String: String] = [:]
    for row in rows where row.table == "log" { ids[row.columns[0]] = row.columns[1] }
    return rows.filter { !Self.others.contains($0.table) }.map { table, columns in
      var columns = columns
      for place in [0] + (Self.logColumns[table] ?? []) {
        columns[place] = ids[columns[place]] ?? columns[place]
      }
      // The last column is what the fold stores about an entity, and contains numbers of logs. The digest covers it.
      if table == "entity" { columns.removeLast() }
      return "\(table): \(columns.joined(separator: ", "))"
    }
  }
}
