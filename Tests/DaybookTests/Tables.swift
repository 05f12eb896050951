import ReadModel

extension ReadModel {
  /// The columns that hold numbers of other logs, by table.
  private static let references = ["todo": [10], "choice": [9], "pick": [9, 11]]

  /// The rows of all tables with log ids in place of numbers, which depend on the order of arrival.
  ///
  /// Data that the fold keeps beside the rows contains these numbers and is omitted; the digest covers it.
  func tables() throws -> [String] {
    let rows = try tableDump.dump().map { line in
      let parts = line.split(separator: ": ", maxSplits: 1)
      return (table: parts[0], columns: parts[1].components)
    }
    var ids: [String: String] = ["NULL": "NULL"]
    for (table, columns) in rows where table == "log" { ids[columns[0]] = columns[1] }
    return rows.compactMap { table, columns in
      guard !["setting", "bucket", "stale"].contains(table) else { return nil }
      var columns = columns
      switch table {
      case "log": (columns[0], columns[3]) = ("", ids[columns[3]] ?? "?")
      case "seen": (columns[0], columns[2]) = (ids[columns[0]] ?? "?", ids[columns[2]] ?? "?")
      case "entity":
        (columns[0], columns[4]) = (ids[columns[0]] ?? "?", ids[columns[4]] ?? "?")
        columns.removeLast()
      case "conflict":
        columns[0] = ids[columns[0]] ?? "?"
        if columns[5] != "NULL" { columns[4] = "reference" }
        (columns[5], columns[7]) = (ids[columns[5]] ?? "?", ids[columns[7]] ?? "?")
      default:
        for place in [0] + (Self.references[String(table)] ?? []) {
          columns[place] = ids[columns[place]] ?? "?"
        }
      }
      return "\(table): \(columns.joined(separator: ", "))"
    }.sorted()
  }
}

extension Substring {
  /// The columns of a dumped row; strings in these tests have no commas.
  fileprivate var components: [String] {
    split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
  }
}
