import Domain
import Interchange
import Testing

/// Stores that expand from a few bytes to many, or that would make SQLite run code.
struct HostileStoreTests {
  /// A store with one table of to-dos and the given number of rows.
  private func store(
    rows: Int, _ columns: String = "", then more: String = "", owned: String = ""
  ) throws -> [UInt8] {
    var store = SyntheticStore(
      entities: ["ToDo"],
      tables: """
        CREATE TABLE ZTODO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZDONE INTEGER \
        \(columns));
        """,
      rows: """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO ZTODO (Z_PK, Z_ENT, ZTITLE, ZDONE) SELECT i, 1, 't' || i, 0 FROM n; \(more)
        """)
    store.entities += owned.isEmpty ? [] : [owned]
    return try store.closed()
  }

  private func fault(_ bytes: [UInt8]) -> ForeignFault? {
    do throws(ForeignFault) {
      _ = try FileFormat.coreData.read(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func add(_ column: String, _ value: String) -> String {
    "ALTER TABLE ZTODO ADD COLUMN \(column) VARCHAR DEFAULT \(value);"
  }

  private func unpacksTooMuch(_ bytes: [UInt8]) -> ForeignFault {
    .unpacksTooMuch("what ZTODO holds", limit: 32 << 20 + 8 * bytes.count)
  }

  @Test func `Hostile store: default values that expand beyond the limit are refused`() throws {
    let long = "'" + String(repeating: "a", count: 500_000) + "'"
    let blob = "x'" + String(repeating: "00", count: 250_000) + "'"
    let numbers = (0..<240).map { add("ZN\($0)", "7") }.joined()
    for (rows, more) in [
      // The text is in the note, in a column without a meaning, in a blob, and in a great many numbers.
      (1000, add("ZNOTE", long)), (1000, add("ZOTHER", long)), (1000, add("ZOTHER", blob)),
      (20_000, numbers),
    ] {
      let bytes = try store(rows: rows, then: more)
      #expect(fault(bytes) == unpacksTooMuch(bytes))
    }
    let few = try FileFormat.coreData.read(store(rows: 1000, then: add("ZPRIORITY", "2")))
    #expect(few.records.count { $0.fields[Field.Todo.priority] == .value(.integer(2)) } == 1000)
  }

  @Test func `Hostile store: a value above the limit is left out, and the rest is read`() throws {
    let limit = ForeignSettings.Limits().fieldBytes
    let bytes = try store(
      rows: 2, ", ZNOTE VARCHAR, ZDATA BLOB",
      then: """
        UPDATE ZTODO SET ZNOTE = printf('%.*c', \(limit + 1), 'x') WHERE Z_PK = 1;
        UPDATE ZTODO SET ZDATA = zeroblob(\(limit + 1)) WHERE Z_PK = 2;
        """)
    let file = try FileFormat.coreData.read(bytes)
    #expect(
      file.skipped == [
        .init(place: .row("ZTODO", 1), fault: .tooLarge("ZNOTE", limit: limit))
      ])
    #expect(file.records.map(\.place) == [.row("ZTODO", 2)])
    #expect(
      file.remarks.map(\.note) == [.leftOut("ZDATA", bytes: limit + 1), .notActedOn("ZDATA")])
  }

  @Test func `Hostile store: a computed column is refused`() throws {
    for kind in ["VIRTUAL", "STORED"] {
      let computed = ", ZLONG VARCHAR NOT NULL GENERATED ALWAYS AS (hex(zeroblob(1000000))) \(kind)"
      let bytes = try store(rows: 2, computed)
      #expect(
        fault(bytes) == .unsupported("the table ZTODO, in which SQLite would compute a column,"))
    }
  }

  @Test func `Hostile store: views, virtual tables and triggers are ignored`() throws {
    let others = """
      CREATE VIEW ZBIRTHDAY AS SELECT Z_PK, Z_ENT, ZTITLE AS ZFIRSTNAME, 0.0 AS ZBIRTHDATE FROM ZTODO;
      CREATE TRIGGER t AFTER INSERT ON ZTODO BEGIN SELECT 1; END;
      CREATE VIRTUAL TABLE ZPLACE USING rtree (id, minX, maxX);
      """
    let file = try FileFormat.coreData.read(store(rows: 2, then: others, owned: "Birthday"))
    #expect(file.records.map(\.kind) == [.todo, .todo])
  }

  @Test
  func `Hostile store: overlong entity names are ignored, and an overlong store id is refused`()
    throws
  {
    let long = "printf('%.*c', 5000000, 'x')"
    let bytes = try store(
      rows: 2, then: "INSERT INTO Z_PRIMARYKEY SELECT Z_PK + 10, \(long), 0, 0 FROM ZTODO;")
    #expect(try FileFormat.coreData.read(bytes).records.count == 2)
    let nameless = try store(rows: 2, then: "UPDATE Z_METADATA SET Z_UUID = \(long)")
    #expect(fault(nameless) == .notOfFormat(.coreData))
  }

  @Test func `Hostile store: rows are read in key order, even without an index`() throws {
    var store = SyntheticStore.done
    store.tables = store.tables.replacing("Z_PK INTEGER PRIMARY KEY", with: "Z_PK INTEGER")
    store.rows =
      "INSERT INTO ZITEM (Z_PK, Z_ENT, ZDONE, ZNAME) VALUES (3, 1, 0, 'c'), (1, 1, 0, 'a')"
    #expect(try store.read().records.map(\.place) == [.row("ZITEM", 1), .row("ZITEM", 3)])
  }
}
