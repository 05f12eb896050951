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

/// A known loss stays known, whatever happens next.
struct LossTests {
  /// A book in its own folder, from which a test can remove files.
  private final class Desk {
    let folder: Path
    let machine: Machine

    init(seed: UInt64) {
      let simulated = SimulatedMachine(seed: seed)
      machine = Machine(
        disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
        network: simulated.network)
      folder = Path(FileManager.default.temporaryDirectory.appending(path: "loss-\(UUID())").path())
    }

    deinit {
      // If this fails, only a temporary folder remains.
      try? FileManager.default.removeItem(atPath: folder.string)
    }

    var path: Path { folder / "book" }
    var copy: Path { path / "view-before-loss.sqlite" }
    var hasCopy: Bool { get throws { try machine.disk.status(copy) != nil } }

    func open() throws -> Book {
      try Book(at: path, on: machine, witness: folder / "witness")
    }

    /// Founds the book with three lists and writes a bundle of the first two.
    func found() throws -> UniqueID {
      let book = try BookFactory.create(
        at: path, on: machine, deviceName: "laptop", witness: folder / "witness")
      for name in ["one", "two", "three"] {
        if name == "three" { _ = try book.replicator.writeBundle(to: folder / "bundle") }
        _ = try book.commands.perform(.addList(name: name, colour: nil))
      }
      return try #require(book.file.writers.values.first)
    }

    func add(_ name: String) throws {
      _ = try open().commands.perform(.addList(name: name, colour: nil))
    }
    func lists() throws -> [String] { try open().view().lists.lists().compactMap(\.name).sorted() }
    func files(_ name: String) -> URL { URL(filePath: "\(path.string)/\(name)") }

    func remove(_ names: String...) throws {
      for name in names { try FileManager.default.removeItem(at: files(name)) }
    }

    func removeView() throws {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(at: files("view.sqlite" + suffix))
      }
    }

    /// Copies the logs, so that a test can put them back.
    func backUp(_ name: String = "logs") throws {
      try? FileManager.default.removeItem(atPath: (folder / name).string)
      try FileManager.default.copyItem(at: files(name), to: URL(filePath: (folder / name).string))
    }

    func putBack(_ name: String = "logs") throws {
      try? FileManager.default.removeItem(at: files(name))
      try FileManager.default.copyItem(at: URL(filePath: (folder / name).string), to: files(name))
    }
  }

  private func gap(_ log: UniqueID, _ range: ClosedRange<UInt64>) -> Gap {
    Gap(device: "laptop", log: log, range: range, isBodiless: false)
  }

  /// A way in which a book loses events.
  enum Accident: CaseIterable {
    case logsGone, logsAndViewGone, tailCut, tailCutAndViewGone, olderLogs, olderLogsAndView
  }

  /// Causes an accident, and returns the missing events.
  private func bring(
    _ accident: Accident, on desk: Desk, _ log: UniqueID
  ) throws
    -> ClosedRange<UInt64>
  {
    switch accident {
    case .logsGone, .logsAndViewGone:
      try desk.remove("logs")
      if accident == .logsAndViewGone { try desk.removeView() }
      return 1...4
    case .tailCut, .tailCutAndViewGone:
      let folder = desk.path / "logs" / log.hex
      let name = try #require(try desk.machine.disk.list(folder).max())
      let bytes = try desk.machine.disk.contents(of: folder / name, limit: 1 << 20)
      try desk.machine.disk.replace(folder / name, with: Array(bytes.dropLast(10)))
      if accident == .tailCutAndViewGone { try desk.removeView() }
      return 4...4
    case .olderLogs, .olderLogsAndView:
      try desk.putBack()
      if accident == .olderLogsAndView { try desk.removeView() }
      return 3...4
    }
  }

  @Test(arguments: Accident.allCases)
  func `Loss: its events are reported before and after the next write`(accident: Accident) throws {
    let desk = Desk(seed: 971)
    let book = try BookFactory.create(
      at: desk.path, on: desk.machine, deviceName: "laptop", witness: desk.folder / "witness")
    for name in ["one", "two", "three"] {
      if name == "two" { try desk.backUp() }
      _ = try book.commands.perform(.addList(name: name, colour: nil))
    }
    let log = try #require(book.file.writers.values.first)
    let missing = try bring(accident, on: desk, log)
    #expect(try desk.open().losses.gaps() == [gap(log, missing)])
    #expect(try !desk.open().verifier.verify().isClean)
    try desk.add("four")
    for _ in 1...2 {
      #expect(try desk.open().losses.gaps() == [gap(log, missing)])
      let report = try desk.open().verifier.verify()
      #expect(!report.isClean)
      #expect(report.logs.first { $0.id == log }?.missing == [missing])
    }
    try desk.removeView()
    #expect(try desk.open().losses.gaps() == [gap(log, missing)])
  }

  @Test(arguments: [nil, Accident.logsGone, .tailCut])
  func `Loss: a view with lost events is ahead, and later current`(accident: Accident?) throws {
    let desk = Desk(seed: 982)
    let log = try desk.found()
    if let accident {
      _ = try bring(accident, on: desk, log)
    } else {
      let file = desk.path / "logs" / log.hex / "000000000001.gz"
      var bytes = try desk.machine.disk.contents(of: file, limit: 1 << 20)
      bytes[bytes.count / 2] ^= 0xff
      try desk.machine.disk.replace(file, with: bytes)
    }
    for state in [Finding.ViewState.ahead, .current] {
      #expect(try desk.open().healthCheck.diagnose().findings.contains(.view(state)))
    }
  }

  @Test func `Loss: a write begins a new log when only the view knows an event`() throws {
    let desk = Desk(seed: 981)
    let book = try BookFactory.create(
      at: desk.path, on: desk.machine, deviceName: "laptop", witness: desk.folder / "witness")
    for name in ["one", "two", "three"] {
      if name == "two" { try desk.backUp() }
      _ = try book.commands.perform(.addList(name: name, colour: nil))
    }
    let log = try #require(book.file.writers.values.first)
    try desk.putBack()
    try FileManager.default.removeItem(atPath: (desk.folder / "witness").string)
    try desk.add("four")
    let after = try desk.open()
    #expect(after.file.writers.values.first != log)
    #expect(after.core.store.journal.logs[log]?.sequence == 2)
    #expect(try after.losses.gaps() == [gap(log, 3...4)])
    #expect(try desk.lists() == ["four", "one"])
  }

  @Test func `Loss: none is reported for an event that another process has just written`() throws {
    let desk = Desk(seed: 982)
    _ = try desk.found()
    let reader = try desk.open()
    // Read the logs only once, as a short command does.
    reader.core.store.noticesOthers = false
    _ = try reader.view()
    try desk.add("four")
    #expect(try reader.losses.gaps() == [])
    try desk.add("five")
    #expect(try reader.verifier.verify().isClean)
  }

  @Test func `Loss: it is known when only book.json and the keys remain`() throws {
    let desk = Desk(seed: 979)
    let log = try desk.found()
    try desk.remove("logs", "trust")
    try desk.removeView()
    try FileManager.default.removeItem(atPath: (desk.folder / "witness").string)
    let book = try desk.open()
    // The number of events is unknown. Only the first event is certain.
    #expect(try book.losses.gaps().map(\.range) == [1...1])
    #expect(try book.losses.gaps().map(\.log) == [log])
    #expect(try book.losses.knownLoss().lacksBeginning)
    #expect(try book.deviceList.standing() == .beginningMissing)
    #expect(
      try book.verifier.verify().faults.map(\.kind) == [.noFounder, .shortened(held: 0, known: 1)])
    _ = try book.healer.heal(from: .file(desk.folder / "bundle"))
    #expect(try desk.lists() == ["one", "two"])
    #expect(try desk.open().deviceList.standing() == .admitted)
  }

  @Test func `Loss: events that an older bundle lacks stay missing after a repair`() throws {
    let desk = Desk(seed: 972)
    let log = try desk.found()
    try desk.remove("logs")
    let healing = try desk.open().healer.heal(from: .file(desk.folder / "bundle"))
    #expect(healing.healed == [gap(log, 1...3)])
    #expect(healing.left == [gap(log, 4...4)])
    #expect(!healing.isWhole && !healing.after.isClean)
    #expect(try desk.lists() == ["one", "two"])
    #expect(try desk.open().losses.gaps() == [gap(log, 4...4)])
  }

  @Test func `Loss: the copy of the view has the titles until all events return`() throws {
    let desk = Desk(seed: 973)
    let log = try desk.found()
    try desk.backUp()
    try desk.remove("logs")
    #expect(try desk.lists() == [])
    let book = try desk.open()
    let loss = try book.losses.loss(in: try book.verifier.verify())
    #expect(loss.gaps == [gap(log, 1...4)])
    #expect(loss.titles == ["one", "two", "three"])
    #expect(try desk.hasCopy)
    try desk.putBack()
    #expect(try desk.open().verifier.verify().isWhole)
    #expect(try desk.open().losses.gaps() == [])
    #expect(try desk.lists() == ["one", "three", "two"])
    #expect(try !desk.hasCopy)
  }

  @Test func `Loss: a hole in the middle keeps a copy of the view as well`() throws {
    let desk = Desk(seed: 974)
    let book = try BookFactory.create(at: desk.path, on: desk.machine, deviceName: "laptop")
    _ = try book.commands.perform(.addList(name: "one", colour: nil))
    _ = try book.healer.compact()
    for name in ["two", "three"] {
      _ = try book.commands.perform(.addList(name: name, colour: nil))
    }
    let log = try #require(book.file.writers.values.first)
    let sealed = try #require(
      try desk.machine.disk.list(desk.path / "logs" / log.hex).first { $0.contains("-") })
    try desk.remove("logs/\(log.hex)/\(sealed)")
    #expect(try desk.lists() == ["three", "two"])
    let hurt = try desk.open()
    #expect(try hurt.losses.loss(in: try hurt.verifier.verify()).titles == ["one"])
    #expect(try desk.open().losses.gaps() == [gap(log, 1...2)])
    #expect(try desk.open().verifier.acceptLoss().after.isClean)
    #expect(try desk.open().losses.gaps() == [])
  }

  @Test func `Accepted loss: another device's frames in the log's file no longer count as a fault`()
    throws
  {
    let (desk, other) = (Desk(seed: 983), Desk(seed: 984))
    let (log, foreign) = (try desk.found(), try other.found())
    let file = desk.path / "logs" / log.hex / "000000000001.gz"
    let theirs = try other.machine.disk.contents(
      of: other.path / "logs" / foreign.hex / "000000000001.gz", limit: 1 << 20)
    try desk.machine.disk.replace(file, with: theirs)
    let (loss, after) = try desk.open().verifier.acceptLoss()
    #expect(loss.gaps == [gap(log, 1...4)])
    #expect(after.isClean)
    try desk.add("four")
    #expect(try desk.open().verifier.verify().isClean)
    #expect(try desk.lists() == ["four"])
  }

  @Test func `Accepted loss: it is not a fault until the events return and are lost again`() throws
  {
    let desk = Desk(seed: 975)
    let log = try desk.found()
    try desk.backUp()
    try desk.remove("logs")
    let (loss, after) = try desk.open().verifier.acceptLoss()
    #expect(loss.gaps == [gap(log, 1...4)])
    #expect(loss.titles == ["one", "two", "three"])
    #expect(after.isClean && after.accepted == 4)
    #expect(try desk.hasCopy)
    try desk.add("four")
    #expect(try desk.open().losses.gaps() == [])
    #expect(try desk.open().verifier.verify().isClean)
    #expect(
      try desk.open().healthCheck.diagnose().findings.contains(.holes(events: 0, accepted: 4)))
    #expect(try desk.open().statusReader.status().missing.isEmpty)
    try desk.machine.disk.makeDirectories(desk.folder / "stick")
    _ = try desk.open().replicator.sync(with: .directory(desk.folder / "stick"))
    #expect(try desk.hasCopy)
    let second = try #require(try desk.open().file.writers.values.first)
    try FileManager.default.copyItem(
      atPath: (desk.folder / "logs" / log.hex).string, toPath: desk.files("logs/\(log.hex)").path())
    #expect(try desk.open().verifier.verify().accepted == 0)
    #expect(try !desk.hasCopy)
    #expect(try desk.lists() == ["four", "one", "three", "two"])
    try desk.remove("logs/\(log.hex)")
    #expect(second != log)
    #expect(try desk.open().losses.gaps() == [gap(log, 1...4)])
  }

  @Test func `Loss: the copies of the view keep the titles of a second loss too`() throws {
    let desk = Desk(seed: 978)
    let log = try desk.found()
    try desk.remove("logs")
    #expect(try desk.lists() == [])
    try desk.add("four")
    let second = try #require(try desk.open().file.writers.values.first)
    try desk.backUp()
    try desk.remove("logs/\(second.hex)")
    #expect(try desk.lists() == [])
    let book = try desk.open()
    let loss = try book.losses.loss(in: try book.verifier.verify())
    #expect(loss.titles.sorted() == ["four", "one", "three", "two"])
    #expect(Set(loss.gaps) == [gap(log, 1...4), gap(second, 1...2)])
  }

  @Test func `Loss: a loss is detected even if logs, view and witness are missing`() throws {
    let desk = Desk(seed: 979)
    _ = try desk.found()
    try desk.remove("logs")
    try desk.removeView()
    let book = try Book(at: desk.path, on: desk.machine)
    #expect(try !book.verifier.verify().isClean)
    #expect(try !book.losses.gaps().isEmpty)
  }

  @Test func `Loss: a torn witness reports no loss`() throws {
    let desk = Desk(seed: 977)
    let log = try desk.found()
    let witness = desk.folder / "witness" / log.hex
    let disk = desk.machine.disk
    let before = try disk.contents(of: witness, limit: 4096)
    try desk.add("four")
    let after = try disk.contents(of: witness, limit: 4096)
    #expect(before.count == after.count && before != after)
    for place in 1..<before.count {
      try disk.replace(witness, with: Array(after[..<place] + before[place...]))
      #expect(try desk.open().losses.gaps() == [], "torn at \(place)")
    }
    #expect(try desk.open().verifier.verify().isWhole)
  }

  @Test func `Loss: erasing a record removes the copy of the view`() throws {
    let desk = Desk(seed: 976)
    _ = try desk.found()
    try desk.add("secret")
    try desk.backUp()
    try desk.add("last")
    let secret = try #require(try desk.open().view().lists.lists().first { $0.name == "secret" })
    try desk.putBack()
    #expect(try desk.lists() == ["one", "secret", "three", "two"])
    #expect(try desk.hasCopy)
    #expect(try desk.open().eraser.erase(secret.head.id).removed == [desk.copy])
    #expect(try !desk.hasCopy)
    #expect(try desk.open().losses.gaps().map(\.range) == [6...6])
  }
}
