import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// Events after a hole also reach other devices through a directory.
struct HoleOnStickTests {
  private static let stick = Path("/stick")
  private static let peer = PeerAddress.directory(stick)
  private let one: Desk
  private let other: Desk
  /// The only file of the log, and its bytes before an event in it was lost.
  private let path: Path
  private let whole: [UInt8]

  /// A book of six events, one of which is lost everywhere.
  init() throws {
    (one, other) = (try Desk(seed: 641), try Desk(seed: 642))
    let book = try one.found()
    for number in 0..<5 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    let file = try #require(
      one.simulated.disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    (path, whole) = (file.key, file.value)
    one.simulated.disk.rot(path, at: whole.count / 2, flipping: 4)
  }

  private func join() throws -> (book: Book, receipt: Receipt) {
    try carry(Self.stick, from: one, to: other)
    return try BookFactory.join(
      at: Desk.folder, from: Self.peer, on: other.machine, deviceName: "phone", view: .memory,
      confirm: { _ in true })
  }

  private func carry(_ folder: Path, from one: Desk, to other: Desk) throws {
    for path in one.simulated.disk.files.keys where path.string.hasPrefix(folder.string + "/") {
      try other.machine.disk.makeDirectories(path.parent)
      let bytes = try one.machine.disk.contents(of: path, limit: 1 << 20)
      try other.machine.disk.replace(path, with: bytes)
    }
  }

  /// The files on the stick that record lost events.
  private func words(on desk: Desk) -> [String] {
    desk.simulated.disk.files.keys.filter { $0.string.hasPrefix("/stick/") }.map(\.name)
      .filter { $0.hasSuffix(".lost") }
  }

  @Test func `Hole: events after it and the loss reach a device that joins by folder`() throws {
    let book = try one.open()
    let lost = try book.verifier.acceptLoss().loss.gaps
    #expect(lost.map { $0.range.count } == [1])
    _ = try book.replicator.sync(with: Self.peer)
    let (second, receipt) = try join()
    #expect(receipt.problems == [])
    #expect(receipt.received.map(\.events) == [5])
    #expect(try second.losses.gaps() == lost)
    let shown = try second.view().lists.lists().map(\.name)
    #expect(try shown == book.view().lists.lists().map(\.name))
    #expect(try second.view().lists.lists().count == 4)
    // Later events are transferred as usual.
    _ = try book.commands.perform(.addList(name: "later", colour: nil))
    #expect(try book.replicator.sync(with: Self.peer).sent.map(\.events) == [1])
    try carry(Self.stick, from: one, to: other)
    let next = try second.replicator.sync(with: Self.peer)
    #expect(next.problems == [])
    #expect(next.received.map(\.events) == [1])
    #expect(words(on: one).count == 1)
  }

  @Test func `Hole: events after a file that is still missing wait`() throws {
    _ = try one.open().replicator.sync(with: Self.peer)
    for name in words(on: one) {
      let file = try #require(one.simulated.disk.files.keys.first { $0.name == name })
      try one.machine.disk.remove(file)
    }
    let (second, receipt) = try join()
    #expect(receipt.problems.count == 1)
    #expect(try second.losses.gaps() == [])
    #expect(try second.view().lists.lists().count < 4)
  }

  @Test func `Hole: a restored event reaches other devices, and its loss file is removed`() throws {
    _ = try one.open().replicator.sync(with: Self.peer)
    let (second, _) = try join()
    #expect(try second.losses.gaps().count == 1)
    try one.machine.disk.replace(path, with: whole)
    let book = try one.open()
    #expect(try book.verifier.verify().isWhole)
    _ = try book.replicator.sync(with: Self.peer)
    #expect(words(on: one) == [])
    try carry(Self.stick, from: one, to: other)
    let receipt = try second.replicator.sync(with: Self.peer)
    #expect(receipt.problems == [])
    #expect(receipt.healed.map(\.events) == [1])
    #expect(try second.losses.gaps() == [])
    #expect(try second.view().lists.lists().count == 5)
  }
}
