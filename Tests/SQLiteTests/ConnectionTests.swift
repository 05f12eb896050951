import Foundation
import SQLite
import Testing

struct ConnectionTests {
  struct Refusal: Error, Hashable {}

  @Test func `Connection: a committed transaction is visible to the next connection`() throws {
    let folder = try Folder()
    let place = Connection.Place.file(folder.path("view"), .readWriteCreate)
    do {
      let connection = try Connection(place)
      try connection.execute("CREATE TABLE kept (value INTEGER) STRICT")
      let answer = try connection.transaction {
        try connection.execute("INSERT INTO kept VALUES (1), (2)")
        return "done"
      }
      #expect(answer == "done")
    }
    let again = try Connection(.file(folder.path("view"), .readOnly))
    #expect(try keptCount(again) == 2)
  }

  @Test(arguments: ["view", "view-journal", "view-wal"])
  func `Connection: a pipe instead of a file is refused without waiting`(
    name: String
  ) throws {
    let folder = try Folder()
    do {
      let connection = try Connection(.file(folder.path("view"), .readWriteCreate))
      let mode = name == "view-wal" ? "WAL" : "DELETE"
      try connection.execute(
        "PRAGMA journal_mode = \(mode); CREATE TABLE kept (value INTEGER) STRICT")
    }
    let pipe = folder.path(name)
    try? FileManager.default.removeItem(atPath: pipe)
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // A reader that waits for a writer is released.
    let freeing = Task.detached {
      for _ in 0..<40 where !Task.isCancelled {
        let end = unsafe open(pipe, O_WRONLY | O_NONBLOCK)
        if end >= 0 { close(end) }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    let refusal = #expect(throws: SQLiteError.self) {
      _ = try keptCount(try Connection(.file(folder.path("view"), .readWriteCreate)))
    }
    #expect(refusal?.primary == .cannotOpen)
    freeing.cancel()
  }

  @Test func `Connection: on close, a short log stays and a longer one is checkpointed`()
    throws
  {
    let folder = try Folder()
    let (file, log) = (folder.path("view"), folder.path("view-wal"))
    func open() throws -> Connection {
      let connection = try Connection(.file(file, .readWriteCreate))
      connection.leftLogBytes = 64 << 10
      return connection
    }
    func bytes(_ path: String) throws -> Int? {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try Data(contentsOf: URL(fileURLWithPath: path)).count
    }
    do {
      let first = try open()
      try first.execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE kept (value INTEGER) STRICT; INSERT INTO kept VALUES (1);
        """)
    }
    let before = try #require(try bytes(file))
    #expect(try #require(try bytes(log)) > 4_096)
    #expect(try keptCount(try Connection(.file(file, .readOnly))) == 1)
    do {
      let second = try open()
      #expect(try keptCount(second) == 1)
      try second.execute("INSERT INTO kept VALUES (2)")
    }
    #expect(try bytes(file) == before)
    do {
      let third = try open()
      for number in 3...20 { try third.execute("INSERT INTO kept VALUES (\(number))") }
    }
    #expect(try bytes(log) == 0)
    #expect(try #require(try bytes(file)) > before)
    #expect(try keptCount(try open()) == 20)
  }

  @Test func `Transaction: a transaction that throws changes nothing`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value INTEGER) STRICT")
    #expect(throws: Refusal()) {
      try connection.transaction {
        try connection.execute("INSERT INTO kept VALUES (1)")
        throw Refusal()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try keptCount(connection) == 0)
    try connection.transaction { try connection.execute("INSERT INTO kept VALUES (1)") }
    #expect(try keptCount(connection) == 1)
  }

  @Test func `Transaction: a transaction that cannot commit changes nothing`() throws {
    let connection = try Connection(.memory)
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE owner (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE kept (owner INTEGER REFERENCES owner DEFERRABLE INITIALLY DEFERRED) STRICT;
      """)
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction { try connection.execute("INSERT INTO kept VALUES (9)") }
    }
    #expect(
      error
        == SQLiteError(code: 787, message: "FOREIGN KEY constraint failed", sql: "COMMIT"))
    #expect(!connection.isInTransaction)
    #expect(try keptCount(connection) == 0)
  }

  @Test func `Transaction: errors are converted to the caller's type`() throws {
    enum Fault: Error, Hashable { case database(SQLiteError.Primary), refused }
    let connection = try Connection(.memory)
    func attempt() throws(Fault) {
      try connection.transaction(failingAs: { Fault.database($0.primary) }) { () throws(Fault) in
        throw .refused
      }
    }
    #expect(throws: Fault.refused) { try attempt() }
    try connection.execute("BEGIN")
    #expect(throws: Fault.database(.other)) { try attempt() }
    #expect(connection.isInTransaction)
  }

  @Test func `Snapshot: it shows one state while another connection writes`() throws {
    let folder = try Folder()
    let writer = try Connection(.file(folder.path("view"), .readWriteCreate))
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("CREATE TABLE kept (value INTEGER) STRICT")
    let reader = try Connection(.file(folder.path("view"), .readOnly))
    let counts = try reader.snapshot(failingAs: { $0 as any Error }) {
      let before = try keptCount(reader)
      try writer.transaction { try writer.execute("INSERT INTO kept VALUES (1)") }
      // A snapshot within another snapshot is part of it.
      let after = try reader.snapshot(failingAs: { $0 as any Error }) { try keptCount(reader) }
      return [before, after]
    }
    #expect(counts == [0, 0])
    #expect(!reader.isInTransaction)
    #expect(try keptCount(reader) == 1)
  }

  @Test func `Transaction: an owner's statements take part in it`() throws {
    struct Owner: ~Copyable {
      let connection: Connection
      var insert: Statement

      mutating func add(_ values: [Int64]) throws {
        let connection = connection
        try connection.transaction {
          for value in values { try insert.run(.integer(value)) }
        }
      }
    }
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE kept (value INTEGER UNIQUE) STRICT")
    var owner = Owner(
      connection: connection, insert: try connection.prepare("INSERT INTO kept VALUES (?)"))
    try owner.add([1, 2])
    #expect(throws: SQLiteError.self) { try owner.add([3, 3]) }
    #expect(try keptCount(connection) == 2)
  }
}
