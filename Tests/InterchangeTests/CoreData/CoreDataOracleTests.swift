import Foundation
import Interchange
import Testing

/// Stores written by Python's SQLite and left in use.
struct CoreDataOracleTests {
  private static let hasPython = Oracle.has("sqlite3")

  /// Exits without closing the database, so its log remains.
  private static let script = """
    import os, sqlite3, sys
    path, tables, rows = sys.argv[1:]
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA page_size = 4096")
    store.execute("PRAGMA journal_mode = WAL")
    store.executescript(tables)
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.executescript(rows)
    os._exit(0)
    """

  private static let all: [SyntheticStore] = [
    .birthdayTracker, .todo, .done, .toDoList, .hardChoice,
  ]

  @Test(.enabled(if: hasPython, "python3 is not installed"), arguments: all.indices)
  func `Core Data: a store in use is read and its files stay unchanged`(
    place: Int
  ) throws {
    let store = Self.all[place]
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "Model.sqlite").path
    _ = try Oracle.run(Self.script, path, store.script, store.rows)
    let log = Array(try Data(contentsOf: URL(filePath: path + "-wal")))
    #expect(!log.isEmpty)
    var settings = ForeignSettings()
    settings.writeAheadLog = log
    let main = Array(try Data(contentsOf: URL(filePath: path)))
    let file = try FileFormat.coreData.read(main, settings)
    let expected = try store.read()
    #expect(file.records == expected.records)
    #expect(file.faults == expected.faults)
    #expect(Array(try Data(contentsOf: URL(filePath: path))) == main)
  }
}
