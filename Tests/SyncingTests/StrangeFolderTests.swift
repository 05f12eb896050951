import Bytes
import Foundation
import Glibc
import Platform
import PosixPlatform
import SimulatedPlatform
import Syncing
import Testing

/// Folders on a real disk with unexpected entries.
struct StrangeFolderTests {
  /// Runs a test with a folder on the real disk, and with a second folder that must stay empty.
  private func trying(
    _ body: (_ folder: Path, _ beside: Path, _ machine: Machine) throws -> Void
  ) throws {
    let home = FileManager.default.temporaryDirectory
      .appendingPathComponent("folder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    // A folder that remains in the temporary directory does no harm.
    defer { try? FileManager.default.removeItem(at: home) }
    let simulated = SimulatedMachine(seed: 9).machine
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let beside = Path(home.path) / "beside"
    for name in ["beside", "stick"] { try machine.disk.makeDirectory(Path(home.path) / name) }
    try body(Path(home.path) / "stick", beside, machine)
    #expect(try machine.disk.list(beside) == [])
  }

  private func push(
    _ holder: MemoryHolder, _ folder: Path, _ machine: Machine
  ) throws
    -> DirectoryReport
  {
    var peer = try DirectoryPeer(at: folder, on: machine)
    return try peer.push(from: holder)
  }

  private func pull(
    _ holder: MemoryHolder, _ folder: Path, _ machine: Machine
  ) throws
    -> DirectoryReport
  {
    var peer = try DirectoryPeer(at: folder, on: machine)
    return try peer.pull(.book, into: holder)
  }

  private static func place(_ log: UniqueID, in folder: Path) -> Path {
    folder / UniqueID.book.hex / log.hex
  }

  @Test func `Foreign folder: links instead of folders are not followed`() throws {
    try trying { folder, beside, machine in
      let disk = machine.disk
      try disk.makeDirectories(folder / UniqueID.book.hex)
      let links = [Self.place(.anna, in: folder), folder / UniqueID.id(0xb1).hex]
      for link in links {
        try FileManager.default.createSymbolicLink(
          atPath: link.string, withDestinationPath: beside.string)
      }
      // Events that cannot be written are reported, and no file is written anywhere else.
      let report = try push(SessionTests.anna(), folder, machine)
      #expect(report.problems == [.notLeft(Self.place(.anna, in: folder), .link)])
      #expect(report.sent == [.cleo: 2])
      let newcomer = MemoryHolder(.bert)
      #expect(try pull(newcomer, folder, machine) == DirectoryReport(received: [.cleo: 2]))
      #expect(try DirectoryPeer(at: folder, on: machine).books() == [.book])
    }
  }

  @Test func `Foreign folder: pipes, folders and links instead of files are skipped`() throws {
    try trying { folder, beside, machine in
      _ = try push(SessionTests.anna(), folder, machine)
      let place = Self.place(.anna, in: folder)
      let names = (1...4).map { number in
        DirectoryName(events: 1...UInt64(90 + number), digest: .id(UInt8(number))).string
      }
      #expect(unsafe mkfifo((place / names[0]).string, 0o600) == 0)
      try machine.disk.makeDirectory(place / names[1])
      try FileManager.default.createSymbolicLink(
        atPath: (place / names[2]).string, withDestinationPath: "/dev/zero")
      try FileManager.default.createSymbolicLink(
        atPath: (place / names[3]).string, withDestinationPath: (beside / "secret").string)
      let newcomer = MemoryHolder(.bert)
      let report = try pull(newcomer, folder, machine)
      #expect(report == DirectoryReport(received: [.anna: 4, .cleo: 2]))
      #expect(try push(newcomer, folder, machine) == DirectoryReport())
    }
  }

  @Test func `Foreign folder: a read-only folder is read, and a push reports the failure`() throws {
    try trying { folder, _, machine in
      _ = try push(SessionTests.anna(), folder, machine)
      let place = Self.place(.anna, in: folder)
      let bert = SessionTests.bert().write(["b4"], to: .bert)
      for path in [place, folder / UniqueID.book.hex] {
        #expect(unsafe chmod(path.string, 0o500) == 0)
      }
      defer {
        for path in [place, folder / UniqueID.book.hex] { _ = unsafe chmod(path.string, 0o700) }
      }
      #expect(try pull(bert, folder, machine).received == [.anna: 2, .cleo: 1])
      // The root user can write despite the permissions.
      guard geteuid() != 0 else { return }
      #expect(try push(bert, folder, machine).problems.count == 1)
    }
  }
}

/// File names that USB sticks and copying programs have changed.
struct StrangeNameTests {
  static let name = DirectoryName(events: 3...17, digest: .id(0xab))
  static let stem = "000000000003-000000000017-ab" + String(repeating: "0", count: 30)

  @Test(arguments: [
    ".gz", ".GZ", " (Anna's conflicted copy 2026-11-20).gz",
    ".sync-conflict-20261120-093000-ABCDEF.gz",
    ".gz~", " (1).gz", ".gz.part", " - Copy.gz",
  ])
  func `File name: a suffix after the digest is accepted`(rest: String) throws {
    for stem in [Self.stem, Self.stem.uppercased()] {
      let name = try #require(DirectoryName(stem + rest))
      #expect(name.events == Self.name.events && name.digest == Self.name.digest)
      #expect(name.string == Self.name.string)
      #expect(name.file == stem + rest)
    }
  }

  @Test(arguments: [
    ".tmp-0011223344556677", "~\(stem).gz", ".\(stem).gz", "\(stem)", "\(stem)0.gz", "\(stem)g.gz",
    "3-17-ab\(String(repeating: "0", count: 30)).gz", "+\(stem.dropFirst()).gz",
    "\(stem.replacing("000000000003", with: "000000000000")).gz",
    "\(stem.replacing("000000000017", with: "000000000002")).gz",
    "\(stem.replacing("000000000017", with: "99999999999999999999")).gz",
    "\(stem).gz" + String(repeating: "x", count: 256), "", "-", "--.gz", "é\(stem).gz",
  ])
  func `File name: a malformed name is refused`(file: String) {
    #expect(DirectoryName(file) == nil)
  }

  /// Renames the files of a log.
  private static func renamed(
    _ tests: DirectoryTests, _ rename: (Path) -> Path
  ) throws {
    for (path, bytes) in tests.machine.disk.files {
      let new = rename(path)
      guard new != path else { continue }
      try tests.machine.disk.makeDirectories(new.parent)
      try tests.machine.disk.replace(new, with: bytes)
      try tests.machine.disk.remove(path)
    }
  }

  @Test func `File name: names in capitals are read`() throws {
    let tests = DirectoryTests()
    _ = try tests.push(SessionTests.anna())
    try Self.renamed(tests) { path in
      DirectoryTests.folder / path.parent.parent.name.uppercased()
        / path.parent.name.uppercased() / path.name.uppercased()
    }
    #expect(try tests.peer().books() == [.book])
    let newcomer = MemoryHolder(.bert)
    #expect(try tests.pull(newcomer) == DirectoryReport(received: [.anna: 4, .cleo: 2]))
  }

  @Test func `Conflict copy: it is read if the original file is damaged`() throws {
    let tests = DirectoryTests()
    _ = try tests.push(SessionTests.anna())
    for (path, bytes) in tests.machine.disk.files {
      let stem = String(path.name.dropLast(3))
      try tests.machine.disk.replace(
        path.parent / "\(stem) (Anna's conflicted copy).gz", with: bytes)
      try tests.machine.disk.replace(path.parent / "\(stem).gz~", with: [1, 2, 3])
      try tests.machine.disk.replace(path, with: Array(bytes.dropLast()))
    }
    let newcomer = MemoryHolder(.bert)
    let report = try tests.pull(newcomer)
    #expect(report.received == [.anna: 4, .cleo: 2])
    // All events are stored, so the damaged file is not reported.
    #expect(report.problems == [])
  }

  @Test func `Conflict copy: a copy with an erased body is removed`() throws {
    let tests = DirectoryTests()
    let holder = MemoryHolder(.anna).write(["a1", "a2", "a3", "a4"], to: .anna)
    _ = try tests.push(holder)
    for (path, bytes) in tests.machine.disk.files {
      let copy = path.parent / path.name.replacing(".gz", with: ".sync-conflict-20261120.gz")
      try tests.machine.disk.replace(copy, with: bytes)
    }
    holder.verdicts = ["a2": .hasBodyToStrip]
    holder.isStripping = true
    _ = try tests.push(holder)
    #expect(tests.machine.disk.files.count == 1)
    for bytes in tests.machine.disk.files.values {
      #expect(bytes[41] == 1)
    }
  }

  @Test func `Full stick: it is read, and a push reports that it is full`() throws {
    let tests = DirectoryTests()
    _ = try tests.push(SessionTests.anna())
    tests.machine.disk.becomeFull(afterBytes: 20)
    let bert = SessionTests.bert()
    #expect(try tests.pull(bert).received == [.anna: 2, .cleo: 1])
    let before = tests.machine.disk.files
    #expect(
      try tests.push(bert).problems == [.notLeft(DirectoryTests.folder, .full)])
    #expect(tests.machine.disk.files == before)
    tests.machine.disk.clearWeather()
    #expect(try tests.push(bert).sent == [.bert: 3])
  }

  @Test func `Directory: small files are merged before there are too many`() throws {
    let tests = DirectoryTests()
    let holder = MemoryHolder(.anna)
    var most = 0
    for number in 1...80 {
      holder.write(["a\(number)"], to: .anna)
      #expect(try tests.push(holder) == DirectoryReport(sent: [.anna: 1]))
      most = max(most, tests.machine.disk.files.count)
    }
    #expect(most == Portion.looseFiles)
    let newcomer = MemoryHolder(.bert)
    _ = try tests.pull(newcomer)
    #expect(newcomer.frontier == holder.frontier)
  }
}
