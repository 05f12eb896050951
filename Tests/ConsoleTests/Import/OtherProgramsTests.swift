import Console
import Foundation
import Phrasing
import Platform
import SQLite
import Testing

/// Files of other programs: stores, property lists and task files.
struct OtherProgramsTests {
  private func stage(_ files: [String: [UInt8]]) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      try stage.disk.replace(Path("/home/ada/\(name)"), with: bytes)
    }
    return stage
  }

  private func stage(_ text: String, as name: String) throws -> Stage {
    try stage([name: Array(text.utf8)])
  }

  private static let tables = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE ZCATEGORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDONE INTEGER, \
    ZPARENTCATEGORY INTEGER, ZTITLE VARCHAR );
    INSERT INTO Z_METADATA VALUES (1, '6F0C9A7E-3B1D-4C52-9E0A-1B2C3D4E5F60', NULL);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Category', 0, 0), (2, 'Item', 0, 0);
    """

  private static let rows = """
    INSERT INTO ZCATEGORY VALUES (1, 1, 1, 'Home');
    INSERT INTO ZITEM VALUES (1, 2, 1, 0, 1, 'Find Mike'), (2, 2, 1, 1, 1, 'Buy Eggos'), (3, 2, 1, 0, NULL, 'Nowhere');
    """

  /// The files of a store in use, with its rows in the log.
  private static func store() throws -> [String: [UInt8]] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // An error is ignored: the system cleans up temporary folders.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "DataModel.sqlite").path
    let connection = try Connection(.file(path, .readWriteCreate))
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(tables)")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE); \(rows)")
    return [
      "DataModel.sqlite": Array(try Data(contentsOf: URL(filePath: path))),
      "DataModel.sqlite-wal": Array(try Data(contentsOf: URL(filePath: path + "-wal"))),
    ]
  }

  @Test func `Other programs: a store is imported with its log and stays unchanged`() throws {
    let files = try Self.store()
    let stage = try stage(files)
    #expect(
      stage.run("import", "DataModel.sqlite", "--dry-run").output == """
        new  list  Home
        new  todo  Find Mike  Home
        new  todo  Buy Eggos  Home, done
        new  todo  Nowhere    Inbox
        Read as a Core Data store: 4 new, 1 new list. Nothing was written.

        """)
    #expect(
      stage.run("import", "DataModel.sqlite").output
        == "Read 4 records as a Core Data store: added 4, made 1 list. To undo this import, run 'daybook undo'.\n"
    )
    #expect(stage.answer("list", "todos", "--list", "Home", "--all").contains("[x]  Buy Eggos"))
    #expect(
      stage.answer("import", "DataModel.sqlite")
        == "Nothing to import: this file has already been imported.\n")
    _ = stage.answer("undo")
    #expect(stage.run("list", "todos").output == "")
    #expect(try stage.disk.list(Path("/home/ada")) == [".local"] + files.keys.sorted())
    for (name, bytes) in files {
      #expect(try stage.disk.contents(of: Path("/home/ada/\(name)"), limit: 1 << 20) == bytes)
    }
  }

  @Test func `Other programs: a dry run shows the list, priority, state and weight`() throws {
    let stage = Stage(
      input: "kind,title,priority,done,list,question,choice,weight\n"
        + "todo,Mop,high,yes,Home,,,\ntodo,Dig,low,no,,,,\nquestion,,,,,Lunch?,,\n"
        + "choice,,,,,Lunch?,Soup,3\n")
    #expect(
      stage.run("import", "-", "--format", "csv", "-n").output.hasPrefix(
        """
        new  todo      Mop     Home, high priority, done
        new  todo      Dig     low priority
        new  question  Lunch?
        new  choice    Soup    Lunch?, weight 3

        """))
  }

  @Test func `Other programs: a store without its log is refused and nothing is written`() throws {
    var files = try Self.store()
    files["DataModel.sqlite-wal"] = nil
    let stage = try stage(files)
    let outcome = stage.run("import", "DataModel.sqlite")
    #expect(outcome.code == .refused)
    #expect(
      outcome.error
        == "daybook: DataModel.sqlite cannot be imported: it is empty; its content may be in the file '…-wal' that "
        + "belongs next to it.\n")
    #expect(try stage.disk.list(Path("/home/ada")) == ["DataModel.sqlite"])
  }

  @Test func `Other programs: property lists are imported, and hostile ones are refused`() throws {
    func item(_ title: String, _ isDone: Bool) -> String {
      let name = title.isEmpty ? "" : "<key>title</key><string>\(title)</string>"
      return "<dict>\(name)<key>done</key><\(isDone)/></dict>"
    }
    let items = item("Find Mike", true) + item("Buy Eggos", false) + item("", false)
    let stage = try stage("<plist><array>\(items)</array></plist>", as: "Items.plist")
    let outcome = stage.run("import", "Items.plist")
    #expect(
      outcome.output
        == "Read 3 records as a property list: added 2, made 1 list, skipped 1. To undo this import, run 'daybook undo'.\n"
    )
    #expect(outcome.error.hasSuffix("daybook: [2] skipped: title is missing.\n"))
    #expect(stage.answer("list", "lists").contains("Items  1 of 2 open"))
    // The list is named after the file, so importing the same contents under two names creates two lists.
    let source = try stage.disk.contents(of: Path("/home/ada/Items.plist"), limit: 1 << 10)
    try stage.disk.replace(Path("/home/ada/Work.plist"), with: source)
    #expect(stage.run("import", "Work.plist").output.contains("added 2, made 1 list"))
    #expect(stage.answer("list", "lists").contains("Work   1 of 2 open"))
    #expect(stage.run("import", "Items.plist").output.contains("has already been imported"))
    try stage.disk.replace(Path("/home/ada/other.txt"), with: Array("Mop +Work\n".utf8))
    try stage.disk.replace(Path("/home/ada/todo.txt"), with: Array("Mop +Work\n".utf8))
    #expect(stage.run("import", "todo.txt").output.contains("added 1"))
    #expect(
      stage.run("import", "other.txt", "--format", "todo.txt").output
        .contains("has already been imported"))
    let deep = "<plist>" + String(repeating: "<array>", count: 200_000)
    try stage.disk.replace(Path("/home/ada/deep.plist"), with: Array(deep.utf8))
    #expect(
      stage.run("import", "deep.plist").error
        == "daybook: deep.plist cannot be imported: it is nested more than 64 levels deep, which "
        + "exceeds the limit; split it, and import the parts.\n")
  }

  private static let tasks = [
    ("todo.txt", "(A) 2026-11-18 Call Mom +Family @phone due:2026-11-22\n"),
    (
      "tasks.json",
      """
      [{"uuid":"00000000-0000-4000-8000-000000000001","status":"pending","entry":"20261118T080000Z",
      "description":"Call Mom","project":"Family","priority":"H","tags":["phone"],"due":"20261122T080000Z"}]

      """
    ), ("lists.md", "# Family\n\n- [ ] Call Mom\n"),
  ]

  @Test(arguments: tasks)
  func `Other programs: task files survive import and export`(name: String, text: String) throws {
    let stage = try stage(text, as: name)
    #expect(stage.run("import", name).output.contains(": added 1, made 1 list."))
    let shown = stage.answer("list", "todos")
    #expect(shown.contains("Call Mom  Family"))
    #expect(shown.contains("2026-11-22") == (name != "lists.md"))
    _ = stage.answer("export", "-o", "out-" + name)
    #expect(stage.answer("import", "out-" + name).contains("1 unchanged"))
    // The book and the file now have different changes.
    _ = stage.answer("edit", "mom", "--title", "Call Dad")
    let path = Path("/home/ada/out-\(name)")
    let written = String(
      decoding: try stage.disk.contents(of: path, limit: 1 << 20), as: UTF8.self)
    let later = written.replacing("- [ ]", with: "- [x]").replacing("(A)", with: "x 2026-11-20")
      .replacing("\"pending\"", with: "\"completed\"")
    try stage.disk.replace(path, with: Array(later.utf8))
    #expect(stage.answer("import", "out-" + name).contains(": edited 1."))
    #expect(stage.answer("list", "todos", "--all").contains("Call Dad  Family"))
    #expect(stage.answer("list", "todos", "--done").contains("[x]"))
  }

  @Test func `Other programs: an open date without its recurring task is imported and named`()
    throws
  {
    let task =
      #"{"uuid":"00000000-0000-0000-0000-00000000000b","description":"Pay rent","status":"pending","#
      + #""due":"20261208T000000Z","recur":"monthly","entry":"20261101T100000Z","imask":3,"#
      + #""parent":"00000000-0000-0000-0000-0000000000ff"}"#
    let stage = try stage("[" + task + "]", as: "t.json")
    let told = stage.run("import", "t.json", "--strict")
    #expect(told.code == .done)
    #expect(
      told.error.hasSuffix(
        """
        daybook: [0]: it is a single date of a recurring task that the file does not contain; unless the book \
        already has that task, this date becomes a to-do that does not repeat.

        """))
    #expect(
      told.output == """
        Read 1 record as Taskwarrior's JSON: added 1. To undo this import, run 'daybook undo'.

        """)
    #expect(stage.answer("list", "todos").contains("Pay rent"))
  }
}
