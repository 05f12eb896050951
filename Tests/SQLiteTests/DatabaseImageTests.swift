import SQLite
import Testing

/// B-trees built without SQLite and read by SQLite.
struct DatabaseImageTests {
  private static let schema = """
    CREATE TABLE kept (a, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE INDEX kept_by_c ON kept (c);
    """

  /// The table that SQLite builds from the given rows, and a table of an image with the same rows.
  private func both(_ rows: [[SQLiteValue]]) throws -> (made: Connection, planted: Connection) {
    let made = try Connection(.memory)
    try made.execute(Self.schema)
    var insertion = try made.prepare("INSERT INTO kept VALUES (?, ?, ?)")
    for row in rows {
      try insertion.bind(row)
      try insertion.run()
    }
    return (made, try planted(rows))
  }

  private func planted(_ rows: [[SQLiteValue]]) throws -> Connection {
    let base = try Connection(.memory)
    try base.execute(Self.schema)
    var image = DatabaseImage(try base.contents())
    var pieces: [[UInt8]] = []
    // Two runs, as two threads would create them.
    for (name, columns) in [("kept", [0..<3]), ("kept_by_c", [2..<3, 0..<2])] {
      var runs = [RecordRun(), RecordRun()]
      var packed = PackedRow()
      for (place, row) in rows.enumerated() {
        packed.removeAll()
        for value in row { packed.append(value, isSortedBy: true) }
        runs[place % 2].append(packed, columns.span, sortedBy: columns.span)
      }
      var root = try base.prepare("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
      _ = try root.step()
      let tree = RecordRun.tree(of: runs, sorting: true)
      pieces.append(image.plant(tree, at: Int(root.integer(0))))
    }
    return try Connection(pieces: [image.beginning] + pieces)
  }

  private func texts(_ sql: String, _ connection: Connection) throws -> [String] {
    var statement = try connection.prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }

  private func expectSame(_ rows: [[SQLiteValue]]) throws {
    let (made, planted) = try both(rows)
    #expect(try texts("PRAGMA integrity_check", planted) == ["ok"])
    for order in ["a, b", "c, a, b"] {
      let sql = "SELECT quote(a) || ' ' || quote(b) || ' ' || quote(c) FROM kept ORDER BY \(order)"
      #expect(try texts(sql, planted) == texts(sql, made))
    }
  }

  @Test func `Database image: an empty tree is a table without rows`() throws { try expectSame([]) }

  @Test func `Database image: a tree of one page sorts all values as SQLite does`() throws {
    let numbers: [Int64] = [
      0, 1, -1, 2, 127, 128, -128, -129, 255, 256, -256, -257, 32_767, 32_768, -32_768, -32_769,
      8_388_607, 8_388_608, -8_388_608, 2_147_483_647, 2_147_483_648, -2_147_483_649,
      140_737_488_355_327, 140_737_488_355_328, -140_737_488_355_329, .max, .min,
    ]
    let texts = ["", "a", "a\u{0}", "a\u{0}b", "ab", "ä", "\u{1F600}", "B", "b"]
    let blobs: [[UInt8]] = [[], [0], [0, 0], [0, 1], [1], [255], [255, 0]]
    let values =
      numbers.map(SQLiteValue.integer) + texts.map(SQLiteValue.text) + blobs.map(SQLiteValue.blob)
    try expectSame(values.map { [$0, 1, nil] })
    try expectSame(values.enumerated().map { [.integer(Int64($0)), 0, $1] })
  }

  @Test(arguments: [100, 200, 5_000, 60_000])
  func `Database image: a tree has as many levels as its rows need`(count: Int) throws {
    try expectSame(
      (0..<count).map {
        [.integer(Int64($0 / 7)), .integer(Int64($0 % 7)), .integer(Int64($0 % 90))]
      })
  }

  @Test func `Database image: long records continue on overflow pages`() throws {
    // The lengths are close to the lengths that just fit into a cell, and into one more page.
    let lengths =
      Array(480...520) + Array(980...1_010) + Array(4_085...4_110) + [5_083, 5_084, 70_000]
    try expectSame(
      lengths.enumerated().map { place, length in
        let text = String(repeating: "x", count: length)
        return [.integer(Int64(place)), .text(text), .blob(Array(text.utf8))]
      })
  }

  @Test func `Database image: long records between two pages also overflow`() throws {
    try expectSame(
      (0..<900).map { place in
        let length = 400 + place * 37 % 1_700
        return [.text(String(repeating: "k", count: length)), .integer(Int64(place)), nil]
      })
  }

  @Test func `Database image: a planted tree can be written to`() throws {
    let rows = (0..<3_000).map { [SQLiteValue.integer(Int64($0)), "b", .integer(Int64($0 % 50))] }
    let planted = try planted(rows)
    try planted.execute(
      "DELETE FROM kept WHERE c % 2; INSERT INTO kept SELECT a, 'c', c FROM kept WHERE a > 100")
    #expect(try texts("PRAGMA integrity_check", planted) == ["ok"])
    #expect(try keptCount(planted) == 1_500 + 1_450 - 1)
  }
}
