import Bytes
import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

/// Files that a command need not read.
@Suite final class RecallTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "recall-\(UUID())")

  deinit {
    // If this fails, only a temporary folder remains.
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `Recall: a command reads the end of another device's log only after its file changed`()
    throws
  {
    let simulated = SimulatedMachine(seed: 2_701)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "stick"), withIntermediateDirectories: true)
    let (home, stick) = (Path(folder.path), PeerAddress.directory(Path(folder.path) / "stick"))
    let one = try BookFactory.create(at: home / "one", on: machine, deviceName: "one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: stick)
    let (two, _) = try BookFactory.join(
      at: home / "two", from: stick, on: machine, deviceName: "two", confirm: { _ in true })
    _ = try one.replicator.sync(with: stick, admission: .always)
    _ = try two.replicator.sync(with: stick)

    let log = try #require(one.file.writers.values.first)
    let files = home / "two" / "logs" / log.hex
    let file = files / (try #require(try machine.disk.list(files).last))
    let (then, later) = (Date(timeIntervalSince1970: 1e9), Date(timeIntervalSince1970: 2e9))
    // The first command names the events that it has seen, so the file is made durable.
    _ = try two.commands.perform(.addList(name: "Work", colour: nil))
    try date(file, then)
    _ = try two.commands.perform(.addList(name: "Play", colour: nil))
    let ends = two.core.store.journal.logs
    var bytes = try machine.disk.contents(of: file, limit: 1 << 20)
    bytes[bytes.count - 20] ^= 255
    try machine.disk.replace(file, with: bytes)

    try date(file, then)
    _ = try two.commands.perform(.addList(name: "Club", colour: nil))
    #expect(two.core.store.journal.logs[log] == ends[log])
    try date(file, later)
    _ = try two.commands.perform(.addList(name: "Pub", colour: nil))
    #expect(two.core.store.journal.logs[log] != ends[log])
  }

  private func date(_ file: Path, _ date: Date) throws {
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.string)
  }
}
