import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Books written by a different version.
struct OtherVersionTests {
  private static func withFormat(_ format: Int, _ desk: Desk) throws {
    let path = Desk.folder / "book.json"
    let text = String(
      decoding: try desk.machine.disk.contents(of: path, limit: 4_096), as: UTF8.self)
    try #require(text.contains(#""format": 1"#))
    let changed = text.replacing(#""format": 1"#, with: #""format": \#(format)"#)
    try desk.machine.disk.replace(path, with: Array(changed.utf8))
  }

  @Test(arguments: [0, 2])
  func `Other version: a book of a different format is refused and left unchanged`(
    format: Int
  ) throws {
    let desk = try Desk(seed: 801)
    _ = try desk.found().commands.perform(.addList(name: "Home", colour: nil))
    try Self.withFormat(format, desk)
    let before = desk.simulated.disk.files
    let error = #expect(throws: DaybookError.self) { _ = try desk.open() }
    guard case .notABook(_, .otherFormat(Int64(format))) = error else {
      Issue.record("\(String(describing: error)) was thrown")
      return
    }
    #expect(desk.simulated.disk.files == before)
  }

  @Test func `Other version: a book with newer frames can be read and is left unchanged`() throws {
    let desk = try Desk(seed: 802)
    let log = try #require(try desk.found().core.store.journal.logs.keys.first)
    _ = try desk.open().commands.perform(.addList(name: "Home", colour: nil))
    let path = Desk.folder / "logs" / log.hex / "000000000001.gz"
    let disk = desk.machine.disk
    let whole = try disk.contents(of: path, limit: 1 << 20)
    try disk.replace(path, with: whole + Self.newerFrame)
    let before = desk.simulated.disk.files
    let book = try desk.open()
    #expect(try book.view().lists.lists().map(\.name) == ["Home"])
    Self.expectNewer(log) { _ = try book.commands.perform(.addList(name: "Work", colour: nil)) }
    Self.expectNewer(log) { _ = try book.replicator.sync(with: .directory(Path("/stick"))) }
    let after = desk.simulated.disk.files.filter { $0.key != book.layout.lock }
    #expect(after == before.filter { $0.key != book.layout.lock })
  }

  @Test func `Other version: verification reports a newer frame that stands in place of events`()
    throws
  {
    let desk = try Desk(seed: 803)
    let log = try #require(try desk.found().core.store.journal.logs.keys.first)
    for name in ["Home", "Work"] {
      _ = try desk.open().commands.perform(.addList(name: name, colour: nil))
    }
    let folder = Desk.folder / "logs" / log.hex
    let disk = desk.machine.disk
    let whole = try disk.contents(of: folder / "000000000001.gz", limit: 1 << 20)
    let starts = whole.indices.filter { whole[$0...].starts(with: Self.newerFrame.prefix(10)) }
    let end = try #require(try desk.open().core.store.journal.logs[log]?.sequence)
    // The frame before the last one is replaced in a sealed file, where opening the book finds no lost events.
    try #require(starts.count > 2)
    let bytes =
      whole[..<starts[starts.count - 2]] + Self.newerFrame + whole[starts[starts.count - 1]...]
    try disk.remove(folder / "000000000001.gz")
    let number = String(end)
    let last = String(repeating: "0", count: 12 - number.count) + number
    try disk.replace(folder / "000000000001-\(last).gz", with: Array(bytes))
    for _ in 1...2 {
      let faults = try desk.open().verifier.verify().faults
      #expect(faults.contains { $0.kind == .newer(version: 2, count: Self.newerFrame.count) })
      #expect(faults.contains { if case .missing = $0.kind { true } else { false } })
    }
    Self.expectNewer(log) {
      _ = try desk.open().commands.perform(.addList(name: "Shop", colour: nil))
    }
  }

  private static func expectNewer(_ log: UniqueID, _ body: () throws -> Void) {
    let error = #expect(throws: DaybookError.self) { try body() }
    guard case .journal(.newer(log, version: 2)) = error else {
      Issue.record("\(String(describing: error)) was thrown")
      return
    }
  }

  /// The test vector of version 2 in the protocol.
  private static let newerFrame =
    Hex.decode(
      "1f8b08060000000000ff1d00444219000275000000020000000000000001000000d938b7593e6cee6f196801"
        + "3d00c2ffa3000002582000000000000000000000000000000000000000000000000000000000000000000381"
        + "5000000000000000000000000000000000058202017e0735f33d000000") ?? []
}
