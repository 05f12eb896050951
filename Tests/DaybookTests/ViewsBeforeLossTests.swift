import Bytes
import Foundation
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// Copies of the view from before a loss, when the maximum number of copies exists.
struct ViewsBeforeLossTests {
  /// A folder that is removed after the test.
  private final class Folder {
    let path = Path(
      FileManager.default.temporaryDirectory.appending(path: "views-\(UUID())").path())

    deinit {
      // If this fails, only a temporary folder remains.
      try? FileManager.default.removeItem(atPath: path.string)
    }
  }

  private let folder = Folder()
  private let machine: Machine
  private var book: Path { folder.path / "book" }
  private var logs: Path { book / "logs" }

  init() {
    let simulated = SimulatedMachine(seed: 985)
    machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
  }

  private func open() throws -> Book {
    try Book(at: book, on: machine, witness: folder.path / "witness")
  }

  /// Makes a book of two lists, with nine copies of its view and a copy of its logs from before the second list.
  private func make() throws {
    let made = try BookFactory.create(
      at: book, on: machine, deviceName: "laptop", witness: folder.path / "witness")
    _ = try made.commands.perform(.addList(name: "one", colour: nil))
    for number in 1...ViewsBeforeLoss.most {
      try made.view().copy(to: made.layout.viewBeforeLoss(number), on: machine)
    }
    try FileManager.default.copyItem(
      atPath: logs.string, toPath: (folder.path / "older").string)
    _ = try made.commands.perform(.addList(name: "two", colour: nil))
  }

  private func loss() throws -> Loss {
    _ = try open().view()
    let book = try open()
    return try book.losses.loss(in: try book.verifier.verify())
  }

  /// Makes a book whose log has two branches: with the lists "lost" and "after it", and with "by the twin".
  private func makeForked() throws -> Book {
    let (twin, stick) = (folder.path / "twin", folder.path / "stick")
    let made = try BookFactory.create(at: book, on: machine, deviceName: "laptop")
    _ = try made.commands.perform(.addList(name: "shared", colour: nil))
    try FileManager.default.copyItem(atPath: book.string, toPath: twin.string)
    for name in ["lost", "after it"] {
      _ = try made.commands.perform(.addList(name: name, colour: nil))
    }
    let other = try Book(at: twin, on: machine, view: .memory)
    _ = try other.commands.perform(.addList(name: "by the twin", colour: nil))
    try machine.disk.makeDirectories(stick)
    _ = try other.replicator.sync(with: .directory(stick))
    _ = try Book(at: book, on: machine).replicator.sync(with: .directory(stick))
    return try Book(at: book, on: machine)
  }

  @Test func `Lost branch: its titles stay in a copy, and those of the other branch are not lost`()
    throws
  {
    let whole = try makeForked()
    let names = try whole.view().lists.lists().compactMap(\.name).sorted()
    #expect(names == ["after it", "by the twin", "lost", "shared"])
    let folders = try machine.disk.list(logs)
    let log = try #require(folders.first.flatMap { UniqueID(hex: $0) })
    try machine.disk.damageFrame(2, inTailOf: log, of: book)
    for _ in 1...2 {
      let hurt = try Book(at: book, on: machine)
      let loss = try hurt.losses.loss(in: try hurt.verifier.verify())
      #expect(loss.gaps.map(\.range) == [3...4])
      #expect(loss.titles == ["lost", "after it"])
    }
    #expect(try Book(at: book, on: machine).verifier.acceptLoss().after.isClean)
    #expect(try Book(at: book, on: machine).verifier.verify().accepted == 2)
    // A sync that does not bring the lost events keeps the copy.
    let empty = folder.path / "empty"
    try machine.disk.makeDirectories(empty)
    _ = try Book(at: book, on: machine).replicator.sync(with: .directory(empty))
    #expect(try machine.disk.status(Layout(folder: book).viewBeforeLoss(1)) != nil)
  }

  @Test func `Lost branch: a record that is held is not lost, although the view does not show it`()
    throws
  {
    let whole = try makeForked()
    let log = try #require(try machine.disk.list(logs).first.flatMap { UniqueID(hex: $0) })
    let copy = try whole.view()
    // The same sequences are missing on one branch and held on the other.
    try machine.disk.damageFrame(2, inTailOf: log, of: book)
    let hurt = try Book(at: book, on: machine)
    var search = LostRecordSearch(
      for: [log: [3...4]], upTo: 9, notIn: try ReadModel(.memory), hurt.core.store.logTree)
    try search.add(copy)
    #expect(search.titles == ["lost", "after it"])
  }

  @Test func `Tenth loss: older views stay, and events without a copy are counted`() throws {
    try make()
    try FileManager.default.removeItem(atPath: logs.string)
    let loss = try loss()
    #expect(loss.gaps.map(\.range) == [1...3])
    #expect(loss.titles == ["one"])
    #expect(loss.uncopied == 1)
  }
}
