import SQLite
import Testing

struct StatementTests {
  static let values: [SQLiteValue] = [
    .integer(0), .integer(-1), .integer(.max), .integer(.min),
    .real(0.1), .real(-.infinity), .real(.leastNonzeroMagnitude),
    .text(""), .text("a"), .text("a\0b"), .text("\0"), .text("Käse 日本 👩‍👩‍👧 e\u{301}"),
    .text(String(repeating: "long enough for the heap ", count: 100)),
    .blob([]), .blob([0]), .blob([0xff, 0, 0xfe]), .blob([UInt8](repeating: 7, count: 1_000)),
    .null,
  ]

  @Test(arguments: Self.values)
  func `Statement: a value is read back unchanged`(value: SQLiteValue) throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value ANY) STRICT")
    var insert = try connection.prepare("INSERT INTO kept VALUES (?)")
    try insert.run(value)
    var select = try connection.prepare("SELECT value FROM kept")
    let found = try select.step()
    #expect(found)
    let kept = select.value(0)
    #expect(kept == value)
    let another = try select.step()
    #expect(!another)
  }

  @Test func `Statement: each type has its own bind and column`() throws {
    let connection = try Connection(.memory)
    var echo = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9")
    try echo.bind(Int64.max, at: 1)
    try echo.bind(-7, at: 2)
    try echo.bind(true, at: 3)
    try echo.bind("word", at: 4)
    try echo.bind(nil, at: 5)
    try echo.bind([1, 2, 3] as [UInt8], at: 6)
    try echo.bind(2.5, at: 7)
    try echo.bind("maybe" as String?, at: 8)
    try echo.bindNull(at: 9)
    _ = try echo.step()
    let integers = (echo.integer(0), echo.integer(1), echo.integer(2))
    #expect(integers == (.max, -7, 1))
    let texts = [echo.text(3), echo.textOrNil(4), echo.textOrNil(7)]
    #expect(texts == ["word", nil, "maybe"])
    let bytes = echo.bytes(5)
    #expect(bytes == [1, 2, 3])
    let real = echo.real(6)
    #expect(real == 2.5)
    let nulls = (0..<9).filter { echo.isNull($0) }
    #expect(nulls == [4, 8])
    let emptied = (echo.integer(8), echo.text(8), echo.bytes(8))
    #expect(emptied == (0, "", []))
  }

  @Test func `Statement: it can be run again with different values`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE numbers (number INTEGER, name TEXT) STRICT")
    var insert = try connection.prepare("INSERT INTO numbers VALUES (?, ?)")
    for number in 0..<1_000 {
      try insert.bind(number, at: 1)
      try insert.bind("number \(number)", at: 2)
      try insert.run()
    }
    #expect(connection.changes == 1)
    #expect(connection.lastInsertedRow == 1_000)
    var sum = try connection.prepare("SELECT sum(number), count(DISTINCT name) FROM numbers")
    for _ in 0..<2 {
      _ = try sum.step()
      let answer = (sum.integer(0), sum.integer(1))
      #expect(answer == (499_500, 1_000))
      sum.reset()
    }
  }

  @Test func `Statement: columns are counted and named`() throws {
    let connection = try Connection(.memory)
    let statement = try connection.prepare("SELECT 1 AS one, 2 AS zwei;\n")
    let names = (0..<statement.columnCount).map { statement.columnName($0) }
    #expect(names == ["one", "zwei"])
    let count = statement.parameterCount
    #expect(count == 0)
  }

  @Test func `Statement: it may outlive its connection`() throws {
    func prepared() throws -> Statement {
      try Connection(.memory).prepare("SELECT 42")
    }
    var statement = try prepared()
    _ = try statement.step()
    let answer = statement.integer(0)
    #expect(answer == 42)
  }

  @Test func `Statement: a failed statement can be run again`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value INTEGER UNIQUE) STRICT; BEGIN")
    var insert = try connection.prepare("INSERT INTO kept VALUES (?)")
    try insert.run(1)
    #expect(throws: SQLiteError.self) { try insert.run(1) }
    try insert.run(2)
    #expect(connection.lastInsertedRow == 2)
  }

  @Test func `Statement: reading a column without a row traps`() async {
    await #expect(processExitsWith: .failure) {
      let statement = try Connection(.memory).prepare("SELECT 1")
      _ = statement.integer(0)
    }
  }

  @Test func `Statement: preparing two statements as one traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = try Connection(.memory).prepare("SELECT 1; SELECT 2")
    }
  }
}
