import Foundation
import SQLite
import Testing

struct SQLiteErrorTests {
  @Test func `SQLite error: a violated constraint is named`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value INTEGER UNIQUE) STRICT")
    var insert = try connection.prepare("INSERT INTO kept VALUES (?)")
    try insert.run(1)
    let error = #expect(throws: SQLiteError.self) { try insert.run(1) }
    #expect(
      error
        == SQLiteError(
          code: 2067, message: "UNIQUE constraint failed: kept.value",
          sql: "INSERT INTO kept VALUES (?)"))
    #expect(error?.primary == .constraint)
  }

  @Test func `SQLite error: the primary code can be matched in a catch`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value INTEGER NOT NULL) STRICT")
    do {
      try connection.execute("INSERT INTO kept VALUES (NULL)")
      Issue.record("a missing value was kept")
    } catch let error where error.primary == .busy {
      Issue.record("nobody else is there")
    } catch let error where error.primary == .constraint {
      #expect(error.code == 1299)
    }
  }

  @Test func `SQLite error: an invalid statement is reported with its text`() throws {
    let connection = try Connection(.memory)
    let expected = SQLiteError(
      code: 1, message: "no such table: nowhere", sql: "SELECT 1 FROM nowhere")
    #expect(throws: expected) { _ = try connection.prepare("SELECT 1 FROM nowhere") }
    #expect(throws: expected) { try connection.execute("SELECT 1 FROM nowhere") }
  }

  @Test func `SQLite error: an unknown parameter is out of range`() throws {
    let connection = try Connection(.memory)
    var statement = try connection.prepare("SELECT ?1")
    let error = #expect(throws: SQLiteError.self) { try statement.bind(1, at: 2) }
    #expect(error?.primary == .outOfRange)
  }

  @Test func `SQLite error: a file that is not a database is reported as such`() throws {
    let folder = try Folder()
    let text = String(repeating: "This is a letter. ", count: 100)
    try Data(text.utf8).write(to: folder.url.appending(path: "letter"))
    let connection = try Connection(.file(folder.path("letter"), .readOnly))
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("SELECT * FROM sqlite_schema")
    }
    #expect(error?.primary == .notADatabase)
  }

  @Test func `SQLite error: an invalid page is reported as corrupt`() throws {
    let folder = try Folder()
    do {
      let connection = try Connection(.file(folder.path("view"), .readWriteCreate))
      try connection.execute("CREATE TABLE kept (value TEXT) STRICT")
      var insert = try connection.prepare("INSERT INTO kept VALUES (?)")
      try connection.transaction {
        for number in 0..<1_000 { try insert.run(.text("a row to fill a page, \(number)")) }
      }
    }
    let file = folder.url.appending(path: "view")
    var bytes = try Data(contentsOf: file)
    // The first page contains the schema and is not changed.
    bytes.replaceSubrange(4_096..<8_192, with: Data(repeating: 0xff, count: 4_096))
    try bytes.write(to: file)
    let connection = try Connection(.file(folder.path("view"), .readOnly))
    let error = #expect(throws: SQLiteError.self) { _ = try keptCount(connection) }
    #expect(error?.primary == .corrupt)
  }

  @Test func `SQLite error: a file that cannot be opened is reported`() throws {
    let folder = try Folder()
    let missing = #expect(throws: SQLiteError.self) {
      _ = try Connection(.file(folder.path("missing"), .readOnly))
    }
    #expect(missing?.primary == .cannotOpen)
    let cut = #expect(throws: SQLiteError.self) {
      _ = try Connection(.file(folder.path("view") + "\0.old", .readWriteCreate))
    }
    #expect(cut?.primary == .cannotOpen)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `SQLite error: a write on a read-only connection is refused`() throws {
    let folder = try Folder()
    try Connection(.file(folder.path("view"), .readWriteCreate))
      .execute("CREATE TABLE kept (value INTEGER) STRICT")
    let reader = try Connection(.file(folder.path("view"), .readOnly))
    let error = #expect(throws: SQLiteError.self) {
      try reader.execute("INSERT INTO kept VALUES (1)")
    }
    #expect(error?.primary == .readOnly)
  }

  @Test func `SQLite error: a database that another connection writes to is busy`() throws {
    let folder = try Folder()
    let place = Connection.Place.file(folder.path("view"), .readWriteCreate)
    let first = try Connection(place)
    let second = try Connection(place, patienceMilliseconds: 0)
    try first.execute("CREATE TABLE kept (value INTEGER) STRICT")
    try first.transaction {
      let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
      #expect(error?.primary == .busy)
      #expect(error?.sql == "BEGIN IMMEDIATE")
    }
    try second.transaction { try second.execute("INSERT INTO kept VALUES (1)") }
    #expect(try keptCount(first) == 1)
  }

  @Test func `SQLite error: a full database is reported and keeps its rows`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value BLOB) STRICT; PRAGMA max_page_count = 10")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO kept VALUES (zeroblob(100))")
        try connection.execute("INSERT INTO kept VALUES (zeroblob(1000000))")
      }
    }
    #expect(error?.primary == .full)
    #expect(!connection.isInTransaction)
    #expect(try keptCount(connection) == 0)
  }
}
