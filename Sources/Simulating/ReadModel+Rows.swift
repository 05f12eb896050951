import ReadModel

extension ReadModel {
  /// Which columns beside the first hold the number of a log, by table.
  private static let logColumns: [String: [Int]] = [
    "log": [3], "seen": [2], "entity": [4], "todo": [10], "choice": [9], "pick": [9, 11],
  ]

  /// What the state digest is made of, which depends on when it was last asked for; the digest speaks for it.
  private static let others: Set<String> = ["setting", "conflict", "bucket", "stale"]

  /// All rows, with logs by their ids: their numbers go by the order in which they came here.
  func rows() throws -> [String] {
    let rows = try tableDump.quotedRows()
    var ids: [String: String] = [:]
    for row in rows where row.table == "log" { ids[row.columns[0]] = row.columns[1] }
    return rows.filter { !Self.others.contains($0.table) }.map { table, columns in
      var columns = columns
      for place in [0] + (Self.logColumns[table] ?? []) {
        columns[place] = ids[columns[place]] ?? columns[place]
      }
      // What the fold keeps of an entity has such numbers inside; the digest speaks for it.
      if table == "entity" { columns.removeLast() }
      return "\(table): \(columns.joined(separator: ", "))"
    }
  }
}
