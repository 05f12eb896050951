import SQLite
import Testing

/// B-trees of foreign files, which SQLite must not traverse.
struct TreeSurveyTests {
  private func refusal(_ pages: HostilePages) -> String? {
    do throws(SQLiteError) {
      _ = try Connection(contents: pages.bytes)
      return nil
    } catch {
      return error.primary == .corrupt ? error.message : "\(error)"
    }
  }

  @Test func `B-tree: a tree of 125,000 levels is refused, in the schema and in a table`() throws {
    var schema = try HostilePages()
    schema.chain(from: 1, levels: 125_000)
    #expect(refusal(schema) == "page 22 is more than 20 levels deep in its tree")
    var table = try HostilePages()
    table.chain(from: table.root, levels: 125_000)
    #expect(refusal(table) == "page 22 is more than 20 levels deep in its tree")
  }

  @Test func `B-tree: a tree with a cycle or a shared page is refused`() throws {
    var circle = try HostilePages()
    circle.makeInterior(circle.root, children: [circle.root])
    #expect(refusal(circle) == "page 2 is used twice")
    var diamond = try HostilePages()
    let leaf = diamond.addLeaf()
    diamond.makeInterior(diamond.root, children: [leaf, leaf])
    #expect(refusal(diamond) == "page 3 is used twice")
    var meeting = try HostilePages()
    meeting.makeInterior(meeting.root, children: [1])
    #expect(refusal(meeting) == "page 1 is used twice")
  }

  @Test func `B-tree: pages outside the file or of the wrong type are refused`() throws {
    var outside = try HostilePages()
    outside.makeInterior(outside.root, children: [70_000])
    #expect(refusal(outside) == "there is no page 70000")
    var none = try HostilePages()
    none.makeInterior(none.root, children: [0])
    #expect(refusal(none) == "there is no page 0")
    var other = try HostilePages()
    other.bytes[(other.root - 1) * HostilePages.size] = 7
    #expect(refusal(other) == "page 2 belongs to no tree")
  }

  @Test func `B-tree: trees written by SQLite are accepted at any depth`() throws {
    let folder = try Folder()
    let path = folder.path("deep")
    let connection = try Connection(.file(path, .readWriteCreate))
    try connection.execute(
      """
      PRAGMA page_size = 512; CREATE TABLE kept (value INTEGER PRIMARY KEY, words TEXT) STRICT;
      CREATE TABLE keys (words TEXT PRIMARY KEY) WITHOUT ROWID; CREATE INDEX found ON kept (words);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO kept SELECT i, 'word ' || i FROM n; INSERT INTO keys SELECT words FROM kept;
      DELETE FROM kept WHERE value % 3 = 0;
      """)
    let copy = try Connection(contents: HostilePages.read(path))
    #expect(try copy.damage() == nil)
  }
}
