import Bytes
import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// A log without its last file looks complete.
///
/// Other records of the log reveal the loss.
struct ShortenedLogTests {
  /// Two machines that have synced, each with a sealed file and a tail of each log.
  ///
  /// Their last commands follow each other, so each has seen the other's.
  private func pair(_ seed: UInt64) throws -> (office: Office, one: Book, two: Book) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    for (book, name) in [(one, "a"), (two, "b"), (one, "c"), (two, "d")] {
      _ = try book.replicator.sync(with: Office.directory)
      _ = try book.commands.perform(.addList(name: name, colour: nil))
      if name < "c" { _ = try book.healer.compact() }
      _ = try book.replicator.sync(with: Office.directory)
    }
    _ = try one.replicator.sync(with: Office.directory)
    return (office, one, two)
  }

  /// Removes all files of a log from a machine's disk, or only the tail, and returns its ends.
  private func shorten(
    _ log: UniqueID, of place: Office.Place, wholly: Bool
  ) throws -> (held: UInt64, known: UInt64) {
    let known = try #require(try place.open().core.store.journal.logs[log]?.sequence)
    let folder = Office.folder / "logs" / log.hex
    for name in try place.machine.disk.list(folder) where wholly || !name.contains("-") {
      try place.machine.disk.remove(folder / name)
    }
    return (try place.open().core.store.journal.logs[log]?.sequence ?? 0, known)
  }

  private func fault(_ log: UniqueID, held: UInt64, known: UInt64) -> Fault {
    Fault(file: "logs/\(log.hex)", offset: 0, kind: .shortened(held: held, known: known))
  }

  @Test(arguments: [false, true])
  func `Shortened log: seen references reveal missing events until a sync restores them`(
    wholly: Bool
  ) throws {
    let (office, one, two) = try pair(961)
    let ends = one.core.store.journal.logs
    let digest = try one.statusReader.digest()
    let log = try #require(two.writer)
    // The log of the other machine. This device's own log has seen all of its events except the last.
    let (held, known) = try shorten(log, of: office.places[0], wholly: wholly)
    #expect(known == ends[log]?.sequence && held < known - 1)
    let hurt = try office.places[0].open()
    let report = try hurt.verifier.verify()
    #expect(report.faults == [fault(log, held: held, known: known - 1)])
    #expect(
      report.logs.first { $0.id == log }?.missing == [held + 1...known - 1])
    let findings = try hurt.healthCheck.diagnose().findings
    #expect(findings.contains(.holes(events: known - 1 - held)))
    _ = try hurt.replicator.sync(with: Office.directory)
    #expect(try hurt.verifier.verify().isWhole)
    #expect(hurt.core.store.journal.logs == ends)
    #expect(try hurt.statusReader.digest() == digest)
  }

  @Test func `Shortened log: what others have seen reveals that the device's own log is short`()
    throws
  {
    let (office, one, _) = try pair(962)
    let own = try #require(one.writer)
    let (held, known) = try shorten(own, of: office.places[0], wholly: false)
    let hurt = try office.places[0].open()
    #expect(try hurt.verifier.verify().faults == [fault(own, held: held, known: known)])
    let receipt = try hurt.replicator.sync(with: Office.directory)
    #expect(receipt.received.map(\.events) == [known - held])
    #expect(try hurt.verifier.verify().isWhole)
  }

  @Test func `Shortened log: events that only a third device has seen do not count as lost`() throws
  {
    let (office, one, two) = try pair(963)
    let log = try #require(two.writer)
    let three = try office.join("three")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    _ = try two.commands.perform(.addList(name: "e", colour: nil))
    for book in [two, three] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try three.commands.perform(.addList(name: "f", colour: nil))
    _ = try three.replicator.sync(with: Office.directory)
    let newest = try #require(
      office.stick.files.keys.filter { $0.parent.name == log.hex }.max { $0.name < $1.name })
    try office.stick.remove(newest)
    _ = try one.replicator.sync(with: Office.directory)
    #expect(try one.view().lists.lists().compactMap(\.name).sorted() == ["a", "b", "c", "d", "f"])
    #expect(try one.verifier.verify().isWhole)
  }

  // MARK: The read model

  @Test(arguments: [false, true])
  func `Shortened log: the position of the read model reveals that a log is short`(
    isReadBefore: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "short-\(UUID())")
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulated = SimulatedMachine(seed: 964)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let path = Path(folder.path()) / "book"
    let book = try BookFactory.create(at: path, on: machine, deviceName: "one")
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    _ = try book.healer.compact()
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    let log = try #require(book.writer)
    let known = try #require(book.core.store.journal.logs[log]?.sequence)
    let tail = path / "logs" / log.hex / "00000000000\(known).gz"
    let bytes = try machine.disk.contents(of: tail, limit: 1 << 20)
    try machine.disk.remove(tail)
    if isReadBefore {
      #expect(try Book(at: path, on: machine).view().lists.lists().compactMap(\.name) == ["Home"])
    }
    let hurt = try Book(at: path, on: machine)
    for _ in 1...2 {
      #expect(try hurt.verifier.verify().faults == [fault(log, held: known - 1, known: known)])
    }
    try machine.disk.replace(tail, with: bytes)
    #expect(try Book(at: path, on: machine).verifier.verify().isWhole)
  }
}

extension Book {
  /// The log that its machine writes.
  fileprivate var writer: UniqueID? { file.writers.values.first }
}
