import Foundation
import Interchange
import SQLite

/// Creates stores in the form of Core Data, with its own tables and one table for each entity.
///
/// The form follows public descriptions of such stores. None was created by an Apple device.
struct SyntheticStore {
  /// The two files of a store in use: the database and its log.
  struct Files {
    var main: [UInt8]
    var log: [UInt8]

    var settings: ForeignSettings {
      var settings = ForeignSettings()
      settings.writeAheadLog = log
      return settings
    }
  }

  static let id = "6F0C9A7E-3B1D-4C52-9E0A-1B2C3D4E5F60"

  /// The entity names in the order of their numbers.
  var entities: [String]
  /// The SQL that creates the tables.
  var tables: String
  /// The SQL that fills the tables.
  var rows: String

  private static let own = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    """

  var script: String {
    let names = entities.enumerated().map { "(\($0 + 1), '\($1)', 0, 0)" }.joined(separator: ", ")
    return """
      \(Self.own) \(tables)
      INSERT INTO Z_METADATA VALUES (1, '\(Self.id)', x'62706C697374');
      INSERT INTO Z_PRIMARYKEY VALUES \(names);
      """
  }

  /// Writes the store and leaves its rows in the log.
  func files() throws -> Files {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "Model.sqlite").path
    let connection = try Connection(.file(path, .readWriteCreate))
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
    try connection.execute(script)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if !rows.isEmpty { try connection.execute(rows) }
    return Files(
      main: Array(try Data(contentsOf: URL(filePath: path))),
      log: Array(try Data(contentsOf: URL(filePath: path + "-wal"))))
  }

  /// The store in one file, as its program leaves it after a clean exit.
  func closed() throws -> [UInt8] {
    let files = try files()
    return WriteAheadLog(files.log)?.applied(to: files.main)
      ?? WriteAheadLog.withoutLog(files.main)
  }

  func read(_ settings: ForeignSettings = ForeignSettings()) throws -> ForeignFile {
    try FileFormat.coreData.read(try closed(), settings)
  }
}

extension SyntheticStore {
  /// An instant in seconds since 2001.
  private static func apple(_ unix: Int64) -> String { "\(Double(unix) - 978_307_200)" }

  static let birthdayTracker = SyntheticStore(
    entities: ["Birthday"],
    tables: """
      CREATE TABLE ZBIRTHDAY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBIRTHDATE TIMESTAMP, \
      ZBIRTHDAYID VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR );
      """,
    // Births at 1815-12-10 12:00 and 1952-02-29 23:30, and rows without a date, without a last name, and without
    // either.
    rows: """
      INSERT INTO ZBIRTHDAY VALUES
        (1, 1, 1, \(apple(-4_861_684_800)), '11111111-AAAA-4BBB-8CCC-DDDDDDDDDDDD', 'Ada', 'Lovelace'),
        (2, 1, 1, \(apple(-562_897_800)), '22222222-AAAA-4BBB-8CCC-DDDDDDDDDDDD', 'Leap', 'Larry'),
        (3, 1, 1, NULL, '33333333-AAAA-4BBB-8CCC-DDDDDDDDDDDD', 'Grace', 'Hopper'),
        (4, 1, 1, \(apple(0)), '44444444-AAAA-4BBB-8CCC-DDDDDDDDDDDD', '😀 Zoë', NULL),
        (5, 1, 1, NULL, '55555555-AAAA-4BBB-8CCC-DDDDDDDDDDDD', NULL, NULL);
      """)

  static let todo = SyntheticStore(
    entities: ["Category", "Item"],
    tables: """
      CREATE TABLE ZCATEGORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOUR VARCHAR, ZNAME VARCHAR );
      CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDONE INTEGER, \
      ZPARENTCATEGORY INTEGER, ZTITLE VARCHAR );
      CREATE INDEX ZITEM_ZPARENTCATEGORY_INDEX ON ZITEM (ZPARENTCATEGORY);
      """,
    rows: """
      INSERT INTO ZCATEGORY VALUES (1, 1, 3, '#1D9BF6', 'Home'), (2, 1, 1, 'hot pink', 'Work'), (3, 1, 1, NULL, '  ');
      INSERT INTO ZITEM VALUES (1, 2, 1, 0, 1, 'Find Mike'), (2, 2, 1, 1, 1, 'Buy Eggos'),
        (3, 2, 1, 0, 2, 'Destroy Demogorgon'), (4, 2, 1, 0, NULL, 'Nowhere'), (5, 2, 1, 0, 3, 'Lost'), (6, 2, 1, 0, 1, NULL);
      """)

  static let done = SyntheticStore(
    entities: ["Item"],
    tables: """
      CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDONE INTEGER, \
      ZCREATEDAT TIMESTAMP, ZNAME VARCHAR );
      """,
    rows: """
      INSERT INTO ZITEM VALUES (1, 1, 1, 0, \(apple(1_420_070_400)).25, 'Second'),
        (2, 1, 4, 1, \(apple(1_388_534_400)), 'First'), (3, 1, 1, 0, NULL, 'Timeless');
      """.replacing(".0.25", with: ".25"))

  static let toDoList = SyntheticStore(
    entities: ["ToDoItem"],
    tables: """
      CREATE TABLE ZTODOITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISCOMPLETE INTEGER, \
      ZPRIORITYNUM INTEGER, ZNAME VARCHAR, ZID BLOB );
      """,
    rows: """
      INSERT INTO ZTODOITEM VALUES (1, 1, 1, 0, 2, 'High one', x'00112233445566778899AABBCCDDEEFF'),
        (2, 1, 1, 1, 0, 'Low one', x'10112233445566778899AABBCCDDEEFF'), (3, 1, 1, 0, 1, 'Normal one', NULL),
        (4, 1, 1, 0, 7, 'Odd one', x'CAFE'), (5, 1, 1, 0, 1, '   ', NULL);
      """)

  static let hardChoice = SyntheticStore(
    entities: ["Choice", "Question"],
    tables: """
      CREATE TABLE ZCHOICE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWEIGHT INTEGER, \
      ZQUESTION INTEGER, ZNAME VARCHAR );
      CREATE TABLE ZQUESTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCONTENT VARCHAR );
      CREATE INDEX ZCHOICE_ZQUESTION_INDEX ON ZCHOICE (ZQUESTION);
      """,
    rows: """
      INSERT INTO ZQUESTION VALUES (1, 2, 1, 'Lunch?'), (2, 2, 1, 'Stay or go?');
      INSERT INTO ZCHOICE VALUES (1, 1, 1, 3, 1, 'Noodles'), (2, 1, 1, 0, 1, 'Salad'), (3, 1, 1, -2, 1, 'Toast'),
        (4, 1, 1, NULL, 2, 'Stay'), (5, 1, 1, 1, 9, 'Orphan');
      """)
}
