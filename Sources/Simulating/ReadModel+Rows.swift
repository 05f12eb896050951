import ReadModel

extension ReadModel {
  /// Which columns beside the first hold the number of a log, by table.
  private static let logColumns: [Substring: [Int]] = [
    "log": [3], "seen": [2], "entity": [4], "todo": [10], "choice": [9], "pick": [9, 11],
  ]

  /// All rows, with logs by their ids: their numbers go by the order in which they came here.
  func rows() throws -> [String] {
    let rows = try dump().compactMap { line -> (table: Substring, columns: [Substring])? in
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return (line[..<colon], Self.columns(of: line[line.utf8.index(colon, offsetBy: 2)...]))
    }
    var ids: [Substring: Substring] = [:]
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

  /// What stands between commas and spaces; by bytes, since worlds do little else as often.
  private static func columns(of row: Substring) -> [Substring] {
    let bytes = row.utf8
    var columns: [Substring] = []
    var (start, place) = (row.startIndex, row.startIndex)
    while let comma = bytes[place...].firstIndex(of: UInt8(ascii: ",")) {
      place = bytes.index(after: comma)
      guard place < bytes.endIndex, bytes[place] == UInt8(ascii: " ") else { continue }
      columns.append(row[start..<comma])
      place = bytes.index(after: place)
      start = place
    }
    return columns + [row[start...]]
  }
}
