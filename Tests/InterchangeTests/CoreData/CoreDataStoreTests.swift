import Domain
import Interchange
import SQLite
import TestDice
import Testing

struct CoreDataStoreTests {
  private func fault(_ bytes: [UInt8], log: [UInt8]? = nil) -> ForeignFault? {
    var settings = ForeignSettings()
    settings.writeAheadLog = log
    do throws(ForeignFault) {
      _ = try FileFormat.coreData.read(bytes, settings)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Core Data: a store whose log is missing is refused with that reason`() throws {
    var store = SyntheticStore.todo
    (store.rows, store.tables) = ("", "")
    let files = try store.files()
    #expect(fault(files.main, log: files.log) == .notOfFormat(.coreData))
    let whole = try SyntheticStore.todo.files()
    // Only an empty first page has reached the file.
    let empty = try Self.barely(whole.main)
    #expect(fault(empty) == Self.allInLog)
    #expect(fault(whole.main) == Self.allInLog)
  }

  private static let allInLog = ForeignFault.broken(
    "it is empty; its content may be in the file '…-wal' that belongs next to it")

  /// A database in use that has only an empty first page.
  private static func barely(_ like: [UInt8]) throws -> [UInt8] {
    var page = Array(like.prefix(4096))
    page.replaceSubrange(100..<108, with: [13, 0, 0, 0, 0, 0x10, 0, 0])
    page.replaceSubrange(28..<32, with: [0, 0, 0, 1])
    page.replaceSubrange(36..<40, with: [0, 0, 0, 0])
    for place in 108..<4096 { page[place] = 0 }
    return page
  }

  @Test func `Core Data: files that are not a store are refused`() throws {
    #expect(fault(Array("SQLite format 2".utf8)) == .notOfFormat(.coreData))
    #expect(fault([]) == .notOfFormat(.coreData))
    var other = SyntheticStore.todo
    (other.entities, other.tables) = (
      ["Cat"], "CREATE TABLE ZCAT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZLIVES INTEGER);"
    )
    other.rows = "INSERT INTO ZCAT VALUES (1, 1, 9)"
    #expect(fault(try other.closed()) == .notOfFormat(.coreData))
    let files = try SyntheticStore.todo.files()
    var strange = files.log
    // A different page size, so the checksums no longer match.
    strange[8...11] = [0, 0, 2, 0]
    #expect(fault(files.main, log: strange) == Self.allInLog)
  }

  @Test func `Core Data: alternative names of tables and columns are recognised`() throws {
    let store = SyntheticStore(
      entities: ["Task", "TaskList"],
      tables: """
        CREATE TABLE ZTASK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZISCOMPLETED INTEGER, ZLIST INTEGER, \
        ZDATECREATED TIMESTAMP, ZPRIORITY INTEGER, ZTEXT VARCHAR, ZICON BLOB, ZPLACE VARCHAR );
        CREATE TABLE ZTASKLIST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZCOLOR VARCHAR, ZTITLE VARCHAR );
        """,
      rows: """
        INSERT INTO ZTASKLIST VALUES (7, 2, '00FF7F', 'Green');
        INSERT INTO ZTASK VALUES (1, 1, 1, 7, 0.0, 2, 'Mow', zeroblob(5000), 'Garden');
        """)
    let file = try store.read()
    var book = ForeignBook()
    book.take(file)
    let list = try #require(book.document("Green"))
    #expect(
      book.shownWithoutTimes == [
        ##"{"kind":"list","name":"Green","colour":"#00ff7f"}"##,
        #"{"kind":"todo","title":"Mow","list":"\#(list.id.uuid)","done":true,"priority":2}"#,
      ])
    #expect(
      file.notes == [
        .row("ZTASK", 1): [.leftOut("ZICON", bytes: 5000)],
        .path("ZTASK"): [.notActedOn("ZICON"), .notActedOn("ZPLACE")],
      ])
  }

  @Test func `Core Data: a row with a value of the wrong type is skipped`() throws {
    var store = SyntheticStore.todo
    store.rows = """
      INSERT INTO ZCATEGORY VALUES (1, 1, 1, NULL, 'Home');
      INSERT INTO ZITEM VALUES (1, 2, 1, 'perhaps', 1, 'a'), (2, 2, 1, 0, 'x', 'b'), (3, 2, 1, 0, 1, x'00FF'),
        (4, 2, 1, 'YES', 1.0, 5), (5, 2, 1, 9, NULL, 'e');
      """
    let file = try store.read()
    #expect(
      file.faults == [
        .row("ZITEM", 1): .unreadable(field: "ZDONE", "perhaps"),
        .row("ZITEM", 2): .unreadable(field: "ZPARENTCATEGORY", "x"),
        .row("ZITEM", 3): .unreadable(field: "ZTITLE", "00ff"),
        .row("ZITEM", 5): .unreadable(field: "ZDONE", "9"),
      ])
    var book = ForeignBook()
    book.take(file)
    #expect(book.document("5").flatMap { Todo($0) }?.isDone == true)
  }

  @Test func `Core Data: 150 to-dos keep their check marks`() throws {
    var store = SyntheticStore.todo
    store.rows =
      "INSERT INTO ZCATEGORY VALUES (1, 1, 1, NULL, 'Home');"
      + (1...150).map {
        "INSERT INTO ZITEM VALUES (\($0), 2, 1, \($0 % 3 == 0 ? 1 : 0), 1, 'Item \($0)');"
      }.joined()
    let file = try store.read()
    var book = ForeignBook()
    book.take(file)
    let done = book.shown.filter { $0.contains(#""done":true"#) }
    #expect(done.count == 50)
    #expect(done.allSatisfy { $0.contains("Item") })
  }

  @Test func `Core Data: a view in place of a table is ignored`() throws {
    let views = SyntheticStore(
      entities: ["Item"],
      tables: """
        CREATE TABLE hidden (done, title);
        CREATE VIEW ZITEM AS SELECT 1 AS Z_PK, 1 AS Z_ENT, 0 AS ZDONE, 'x' AS ZTITLE;
        """, rows: "")
    #expect(fault(try views.closed()) == .notOfFormat(.coreData))
  }

  @Test func `Core Data: a damaged store is read or refused without a crash`() throws {
    let whole = try SyntheticStore.todo.closed()
    let files = try SyntheticStore.hardChoice.files()
    var dice = Dice(seed: 11)
    var refused = 0
    for round in 0..<300 {
      var bytes = round.isMultiple(of: 2) ? whole : files.main
      for _ in 0...dice.number(8) { bytes[dice.number(bytes.count)] = UInt8(dice.number(256)) }
      var log = files.log
      log[dice.number(log.count)] ^= UInt8(1 + dice.number(255))
      if fault(bytes, log: round.isMultiple(of: 2) ? nil : log) != nil { refused += 1 }
    }
    #expect((10..<300).contains(refused))
    for length in [1, 99, 4095, 4096, whole.count - 1] {
      #expect(fault(Array(whole.prefix(length))) != nil, "\(length)")
    }
  }
}
