import Foundation
import Testing

@testable import SQLite

struct FrameGatheringTests {
  @Test func `Frame gathering: frames wait for the header of the last frame`() {
    var gathering = FrameGathering()
    #expect(gathering.add([UInt8](repeating: 1, count: 32).span, at: 0) == .refused)
    #expect(gathering.add(header(pages: 0).span, at: 32) == .gathered)
    #expect(gathering.add([7, 7, 7, 7].span, at: 56) == .gathered)
    #expect(gathering.add(header(pages: 3).span, at: 60) == .gatheredAsLast)
    #expect(gathering.start == 32)
    #expect(gathering.bytes == header(pages: 0) + [7, 7, 7, 7] + header(pages: 3))
    gathering.clear()
    // The page itself shows SQLite that everything has been written.
    #expect(gathering.add([8, 8, 8, 8].span, at: 84) == .refused)
  }

  @Test func `Frame gathering: only writes directly after the previous write are gathered`() {
    var gathering = FrameGathering()
    #expect(gathering.add(header(pages: 0).span, at: 32) == .refused)
    #expect(gathering.add([7].span, at: 56) == .refused)
    #expect(gathering.add(header(pages: 0).span, at: 57) == .gathered)
    #expect(gathering.add(header(pages: 0).span, at: 32) == .refused)
    #expect(gathering.bytes == header(pages: 0))
  }

  @Test func `Frame gathering: a large transaction is gathered in parts`() {
    var gathering = FrameGathering()
    let page = [UInt8](repeating: 5, count: 16 << 10)
    #expect(gathering.add(page.span, at: 0) == .refused)
    #expect(gathering.add(header(pages: 0).span, at: 16_384) == .gathered)
    var offset: Int64 = 16_408
    for _ in 0..<3 {
      #expect(gathering.add(page.span, at: offset) == .gathered)
      offset += 16_384
    }
    #expect(gathering.add(page.span, at: offset) == .gatheredAsLast)
  }

  @Test func `Frame gathering: each commit is in the files when it returns`() throws {
    let folder = try Folder()
    let writer = try Connection(.file(folder.path("view"), .readWriteCreate))
    // With such a small cache, SQLite writes pages to the log before their transaction ends, and writes some of them
    // again.
    try writer.execute(
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 100;
      CREATE TABLE kept (value INTEGER PRIMARY KEY, filling BLOB) STRICT
      """)
    let reader = try Connection(.file(folder.path("view"), .readOnly))
    var expected: Int64 = 0
    for round in 1...40 {
      let rows = Int64(round * round % 97)
      try? writer.transaction {
        try writer.execute(
          """
          WITH RECURSIVE number (n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows))
          INSERT INTO kept (filling) SELECT randomblob(100) FROM number;
          UPDATE kept SET filling = randomblob(120) WHERE value % 7 = \(round % 7)
          """)
        if round % 5 == 0 { throw ConnectionTests.Refusal() }
        expected += max(rows, 1)
      }
      #expect(try keptCount(reader) == expected)
      // The files that a power cut between two processes would leave.
      let copy = folder.path("copy \(round)")
      for suffix in ["", "-wal"] {
        let view = folder.path("view") + suffix
        try FileManager.default.copyItem(atPath: view, toPath: copy + suffix)
      }
      let recovered = try Connection(.file(copy, .readWriteCreate))
      #expect(try keptCount(recovered) == expected)
      #expect(try isWhole(recovered))
    }
    #expect(expected == 1_617)
  }

  private func header(pages: UInt8) -> [UInt8] {
    [9, 9, 9, 9, 0, 0, 0, pages] + [UInt8](repeating: 9, count: 16)
  }

  private func isWhole(_ connection: Connection) throws -> Bool {
    var check = try connection.prepare("PRAGMA integrity_check")
    _ = try check.step()
    return check.text(0) == "ok"
  }
}
