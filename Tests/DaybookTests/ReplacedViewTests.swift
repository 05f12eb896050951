import Domain
import Foundation
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Synchronization
import Testing

@testable import Daybook

/// Read models that one process replaces while others use them.
///
/// Each test has its own folder, which is removed with the suite's instance.
@Suite final class ReplacedViewTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "view-\(UUID())")
  private var path: Path { Path(folder.path()) }

  deinit {
    // If this fails, only a temporary folder remains.
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `Replaced view: nothing can be created while the file is replaced`() throws {
    let simulated = SimulatedMachine(seed: 2302)
    func machine(_ disk: any Disk) -> Machine {
      Machine(
        disk: disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
        network: simulated.network)
    }
    let other = machine(PosixDisk())
    let met = Findings()
    let view = (path / "view.sqlite").string
    let disk = GapDisk {
      // The old file and its companions are gone, and the new file has no name yet.
      let files = ReadModelFiles(machine: other)
      let opened = Result { () throws(DaybookError) in try files.open(.file(view)) }
      let found = Result { () throws(DaybookError) in
        try files.existing(at: view) == nil
      }
      met.texts.withLock { $0 += ["\(opened.map { _ in () })", "\(found)"] }
    }
    let book = try BookFactory.create(at: path, on: other, deviceName: "desk")
    _ = try book.commands.perform(.addList(name: "first", colour: nil))
    try Book(at: path, on: machine(disk)).core.projector.rebuild()
    #expect(
      met.texts.withLock { $0 } == [
        "failure(Daybook.DaybookError.busy(holder: Optional(\"\(getpid())\")))", "success(true)",
      ])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(
      names.filter { $0.hasPrefix("view") }.sorted() == [
        "view.sqlite", "view.sqlite-lock", "view.sqlite-shm", "view.sqlite-wal",
      ])
    #expect(try Self.lists(in: path, on: other) == ["first"])
  }

  @Test func `Replaced view: a process continues with the new file`() throws {
    let first = try BookFactory.create(at: path, on: .system, deviceName: "desk")
    _ = try first.commands.perform(.addList(name: "first", colour: nil))
    let model = try first.view()
    #expect(!model.isReplaced)
    try Book(at: path, on: .system).core.projector.rebuild()
    #expect(model.isReplaced)
    let now = try first.view()
    #expect(!now.isReplaced)
    #expect(try now.lists.lists().compactMap(\.name) == ["first"])
    _ = try first.commands.perform(.addList(name: "second", colour: nil))
    #expect(try Self.lists(in: path, on: .system) == ["first", "second"])
  }

  @Test func `Replaced view: events that another process wrote are not lost events`() throws {
    let writer = try BookFactory.create(at: path, on: .system, deviceName: "desk")
    _ = try writer.commands.perform(.addList(name: "first", colour: nil))
    let rebuilder = try Book(at: path, on: .system)
    _ = try writer.commands.perform(.addList(name: "second", colour: nil))
    try rebuilder.core.projector.rebuild()
    #expect(rebuilder.core.store.file.losses.ends.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(!names.contains { $0.hasPrefix("view-before-loss") })
    #expect(try Self.lists(in: path, on: .system) == ["first", "second"])
  }

  @Test func `Replaced view: a file that is built in portions has everything when it is renamed`()
    throws
  {
    let book = try BookFactory.create(at: path, on: .system, deviceName: "desk")
    let names = (10..<50).map { "list \($0)" }
    for name in names { _ = try book.commands.perform(.addList(name: name, colour: nil)) }
    let digest = try book.statusReader.digest()
    book.core.projector.memoryLimit = 7 << 14
    #expect(
      book.core.store.heldEventCount
        > Quota.foldable(within: book.core.projector.memoryLimit).events)
    try book.core.projector.rebuild()
    #expect(try Self.lists(in: path, on: .system) == names)
    #expect(try Book(at: path, on: .system).statusReader.digest() == digest)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(
      files.filter { $0.hasPrefix("view") }.sorted() == [
        "view.sqlite", "view.sqlite-lock", "view.sqlite-shm", "view.sqlite-wal",
      ])
  }

  @Test(arguments: [1, 100])
  func `Replaced view: a view that others change during the check is not called damaged`(
    times: Int
  ) throws {
    let path = path
    let book = try BookFactory.create(at: path, on: .system, deviceName: "desk")
    _ = try book.commands.perform(.addList(name: "first", colour: nil))
    let simulated = SimulatedMachine(seed: 2303)
    let left = Mutex(times)
    let disk = ReadingDisk {
      let isDue = left.withLock { left in
        left -= 1
        return left >= 0
      }
      guard isDue else { return }
      // This process has compared the positions, and now folds the logs.
      _ = try? Book(at: path, on: .system).commands.perform(.addList(name: "other", colour: nil))
    }
    let machine = Machine(
      disk: disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let other = try Book(at: path, on: machine)
    disk.isWatching.withLock { $0 = true }
    let state = try other.healthCheck.diagnose().findings.compactMap { finding in
      if case .view(let state) = finding { state } else { nil }
    }
    #expect(state == [times == 1 ? .current : .unchecked])
    #expect(left.withLock { $0 } < times)
  }

  @Test func `Replaced view: several processes rebuild, write and read at the same time`()
    async throws
  {
    let path = path
    _ = try BookFactory.create(at: path, on: .system, deviceName: "desk")
    let failures = Findings()
    let jobs: [@Sendable (Int) throws -> Void] = [
      { _ in try Book(at: path, on: .system).core.projector.rebuild() },
      { _ in try Book(at: path, on: .system).core.projector.rebuild() },
      { number in
        _ = try Book(at: path, on: .system).commands.perform(
          .addList(name: "list \(number)", colour: nil))
      },
      { _ in
        let model = try Book(at: path, on: .system).view()
        try model.check()
        _ = try model.lists.lists()
      },
    ]
    await withTaskGroup(of: Void.self) { group in
      for job in jobs {
        group.addTask {
          for number in 0..<60 {
            do { try job(number) } catch { failures.texts.withLock { $0.append("\(error)") } }
          }
        }
      }
    }
    #expect(failures.texts.withLock { $0 } == [])
    #expect(try Self.lists(in: path, on: .system) == (0..<60).map { "list \($0)" }.sorted())
    #expect(try Book(at: path, on: .system).core.store.file.losses.ends.isEmpty)
  }

  private static func lists(in path: Path, on machine: Machine) throws -> [String] {
    let model = try Book(at: path, on: machine).view()
    try model.check()
    return try model.lists.lists().compactMap(\.name).sorted()
  }
}

/// What other processes and threads met.
private final class Findings: Sendable {
  let texts = Mutex<[String]>([])
}

/// A disk on which other processes act just before a read model gets its name.
private final class GapDisk: TransparentDisk {
  let wrapped: any Disk = PosixDisk()
  private let inGap: @Sendable () -> Void

  init(_ inGap: @escaping @Sendable () -> Void) { self.inGap = inGap }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    if destination.name == "view.sqlite" { inGap() }
    try wrapped.rename(from, to: destination)
  }
}

/// A disk on which other processes act whenever a log is opened for reading.
private final class ReadingDisk: TransparentDisk {
  let wrapped: any Disk = PosixDisk()
  let isWatching = Mutex(false)
  private let whenRead: @Sendable () -> Void

  init(_ whenRead: @escaping @Sendable () -> Void) { self.whenRead = whenRead }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    if access == .read, path.string.contains("/logs/"), isWatching.withLock({ $0 }) { whenRead() }
    return try wrapped.open(path, access)
  }
}
