import ReadModel

extension ReadModel {
  /// Which columns beside the first hold the number of a log, by table.
  private static let logColumns: [Substring: [Int]] = [
    "log": [3], "seen": [2], "entity": [4], "todo": [10], "choice": [9], "pick": [9, 11],
  ]

  /// All rows, with logs by their ids: their numbers go by the order in which they came here.
  func rows() throws -> [String] {
    let rows = try dump().compactMap { line -> (table: Substring, columns: [String])? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let columns = line[line.index(colon, offsetBy: 2)...].split(separator: ", ")
      return (line[..<colon], columns.map(String.init))
    }
    var ids: [String: String] = [:]
    for row in rows where row.table == "log" { ids[row.columns[0]] = row.columns[1] }
    // What the state digest is made of depends on when it was last asked for; the digest speaks for it.
    let others = ["setting", "conflict", "bucket", "stale"]
    return rows.filter { !others.contains(String($0.table)) }.map { table, columns in
      var columns = columns
      for place in [0] + (Self.logColumns[table] ?? []) where place < columns.count {
        columns[place] = ids[columns[place]] ?? columns[place]
      }
      // What the fold keeps of an entity has such numbers inside; the digest speaks for it.
      if table == "entity" { columns.removeLast() }
      return "\(table): \(columns.joined(separator: ", "))"
    }
  }
}
