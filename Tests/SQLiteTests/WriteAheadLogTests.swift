import Foundation
import SQLite
import Testing

struct WriteAheadLogTests {
  /// The files of a database in use.
  ///
  /// The latest changes are only in the log.
  private struct Files {
    var main: [UInt8]
    var log: [UInt8]
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Writes each row in its own transaction, and copies the files while they are open.
  private static func files(
    _ rows: Int, pageBytes: Int = 512, checkpointAt: Int? = nil
  ) throws -> Files {
    let folder = try Folder()
    let path = folder.path("store.sqlite")
    let connection = try Connection(.file(path, .readWriteCreate))
    try connection.execute("PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL;")
    try connection.execute(
      "PRAGMA wal_autocheckpoint = 0; CREATE TABLE kept (value INTEGER, words TEXT)")
    for row in 0..<rows {
      let words = String(repeating: "x", count: row % 400)
      try connection.execute("INSERT INTO kept VALUES (\(row), '\(words)')")
      if row == checkpointAt { try connection.execute("PRAGMA wal_checkpoint(RESTART)") }
    }
    return Files(main: try bytes(path), log: try bytes(path + "-wal"))
  }

  private static func values(_ contents: [UInt8]) throws -> [Int64] {
    let connection = try Connection(contents: contents)
    #expect(try connection.damage() == nil)
    var statement = try connection.prepare("SELECT value FROM kept ORDER BY value")
    var values: [Int64] = []
    while try statement.step() { values.append(statement.integer(0)) }
    return values
  }

  @Test(arguments: [512, 4096, 65_536])
  func `Write-ahead log: it is applied as SQLite applies it`(pageBytes: Int) throws {
    let files = try Self.files(300, pageBytes: pageBytes)
    let log = try #require(WriteAheadLog(files.log))
    let whole = try #require(log.applied(to: files.main))
    #expect(try Self.values(whole) == Array(0..<300))
    #expect(!WriteAheadLog.keepsLog(whole))
  }

  @Test func `Write-ahead log: a log that contains the whole database is read`() throws {
    let files = try Self.files(20)
    let log = try #require(WriteAheadLog(files.log))
    let whole = try #require(log.applied(to: []))
    #expect(try Self.values(whole) == Array(0..<20))
    #expect(throws: SQLiteError.self) { try Self.values(WriteAheadLog.withoutLog(files.main)) }
  }

  @Test func `Write-ahead log: frames before its restart are ignored`() throws {
    let files = try Self.files(300, checkpointAt: 250)
    #expect(WriteAheadLog.keepsLog(files.main))
    let log = try #require(WriteAheadLog(files.log))
    #expect(try Self.values(try #require(log.applied(to: files.main))) == Array(0..<300))
  }

  @Test func `Write-ahead log: a transaction with a missing or damaged end is ignored`() throws {
    let files = try Self.files(20)
    let whole = try #require(WriteAheadLog(files.log)?.applied(to: files.main))
    #expect(try Self.values(whole).count == 20)
    for (missing, rows) in [(1, 19), (536, 19), (537, 18)] {
      let cut = try #require(WriteAheadLog(files.log.dropLast(missing)))
      #expect(try Self.values(try #require(cut.applied(to: files.main))) == Array(0..<Int64(rows)))
    }
    var damaged = files.log
    damaged[damaged.count - 1] ^= 1
    let log = try #require(WriteAheadLog(damaged))
    #expect(try Self.values(try #require(log.applied(to: files.main))) == Array(0..<19))
  }

  @Test func `Write-ahead log: a malformed log and a different database's log are refused`() throws
  {
    let files = try Self.files(3)
    #expect(WriteAheadLog([]) == nil)
    #expect(WriteAheadLog(Array(repeating: 0, count: 100)) == nil)
    var header = files.log
    header[24] ^= 1
    #expect(WriteAheadLog(header) == nil)
    let other = try Self.files(3, pageBytes: 1024)
    #expect(WriteAheadLog(other.log)?.applied(to: files.main) == nil)
  }

  @Test func `Database contents: checks of a hostile schema are not evaluated`() throws {
    let folder = try Folder()
    let path = folder.path("hostile")
    let demand = "CHECK (length(hex(zeroblob(400000000))) > value)"
    try Connection(.file(path, .readWriteCreate)).execute(
      """
      PRAGMA ignore_check_constraints = ON;
      CREATE TABLE kept (value INTEGER \(demand)); INSERT INTO kept VALUES (1), (2), (3);
      """)
    let connection = try Connection(contents: try Self.bytes(path))
    #expect(try connection.damage() == nil)
    #expect(try keptCount(connection) == 3)
    #expect(throws: SQLiteError.self) {
      var statement = try connection.prepare("SELECT zeroblob(100000000)")
      _ = try statement.step()
    }
  }

  @Test func `Database contents: writes and damaged files are refused`() throws {
    let folder = try Folder()
    let path = folder.path("plain")
    try Connection(.file(path, .readWriteCreate)).execute(
      "CREATE TABLE kept (value INTEGER); INSERT INTO kept VALUES (1)")
    let connection = try Connection(contents: try Self.bytes(path))
    #expect(try keptCount(connection) == 1)
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM kept") }
    #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA user_version = 3") }
    var bytes = try Self.bytes(path)
    #expect(throws: SQLiteError.self) { try Connection(contents: bytes.dropLast()) }
    bytes[4096 + 8] = 0x77
    #expect(try Connection(contents: bytes).damage() != nil)
    bytes[4096] = 0x77
    #expect(throws: SQLiteError(code: 11, message: "page 2 belongs to no tree")) {
      try Connection(contents: bytes)
    }
    #expect(throws: SQLiteError.self) { try Connection(contents: [1, 2, 3]).damage() }
    #expect(throws: SQLiteError.self) { try Connection(contents: []).damage() }
  }
}
