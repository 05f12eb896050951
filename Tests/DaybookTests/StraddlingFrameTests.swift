import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// A frame that begins with events in the name of the sealed file before it, which lacks them.
struct StraddlingFrameTests {
  private static let stick = PeerAddress.directory(Path("/stick"))

  /// A log of six events: its sealed file has the first two, is named after four, and is followed by a frame with the
  /// last four.
  private func damaged(_ desk: Desk) throws -> UniqueID {
    let book = try desk.found()
    for (number, isSent) in [true, false, false, false, true].enumerated() {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
      if isSent { _ = try book.replicator.sync(with: Self.stick) }
    }
    let disk = desk.simulated.disk
    let tail = try #require(disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    let sent = try #require(
      disk.files.first {
        $0.key.string.hasPrefix("/stick/") && $0.key.name.hasPrefix("000000000003-")
      })
    #expect(sent.value.frames.map(\.events.count) == [4])
    let kept = tail.value.frames.prefix(2)
    #expect(kept.map(\.lastSequence) == [1, 2])
    let folder = tail.key.parent
    try disk.remove(tail.key)
    try disk.replace(
      folder / "000000000001-000000000004.gz",
      with: Array(tail.value.prefix(kept.map(\.length).reduce(0, +))))
    try disk.replace(folder / "000000000003.gz", with: sent.value)
    return book.replica.hello.replica
  }

  private func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name).sorted()
  }

  @Test func `Straddling frame: its events in the name of the sealed file before it are missing`()
    throws
  {
    let desk = try Desk(seed: 661)
    let log = try damaged(desk)
    let book = try desk.open()
    #expect(try names(book) == ["list 0", "list 3", "list 4"])
    #expect(try book.verifier.verify().logs.flatMap(\.missing) == [3...4])
    let status = try book.statusReader.status()
    #expect(status.missing.map(\.range) == [3...4])
    #expect(status.events == 3)
    let store = book.core.store
    let held = try (1...6).filter { try store.journal.hash(of: log, at: $0) != nil }
    #expect(held == [1, 2, 5, 6])
  }

  @Test func `Straddling frame: a sync restores the events before the end of the sealed file`()
    throws
  {
    let desk = try Desk(seed: 662)
    _ = try damaged(desk)
    #expect(try desk.open().verifier.verify().logs.flatMap(\.missing) == [3...4])
    let book = try desk.open()
    #expect(try book.replicator.sync(with: Self.stick).healed.map(\.events) == [2])
    #expect(try book.verifier.verify().isWhole)
    #expect(try names(book) == (0..<5).map { "list \($0)" })
  }
}
