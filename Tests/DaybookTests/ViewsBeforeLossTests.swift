import Foundation
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing

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

  @Test func `Tenth loss: older views stay, and events without a copy are counted`() throws {
    try make()
    try FileManager.default.removeItem(atPath: logs.string)
    let loss = try loss()
    #expect(loss.gaps.map(\.range) == [1...3])
    #expect(loss.titles == ["one"])
    #expect(loss.uncopied == 1)
  }
}
