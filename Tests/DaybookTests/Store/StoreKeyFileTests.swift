import Daybook
import Foundation
import Platform
import PosixPlatform
import ReadModel
import Sealing
import SimulatedPlatform
import Testing

/// The file with the store keys on a real disk, and its diagnosis.
struct StoreKeyFileTests {
  /// A book with one store key, in a folder that is removed afterwards.
  private final class Desk {
    let folder: Path
    let book: Book

    init(seed: UInt64) throws {
      let simulated = SimulatedMachine(seed: seed)
      let machine = Machine(
        disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
        network: simulated.network)
      folder = Path(FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())").path())
      book = try BookFactory.create(
        at: folder / "book", on: machine, deviceName: "laptop", view: .memory,
        witness: folder / "witness")
      _ = try book.commands.perform(.addList(name: "Home", colour: nil))
      _ = try book.storeKeys.rotate()
    }

    deinit {
      // If this fails, only a temporary folder remains.
      try? FileManager.default.removeItem(atPath: folder.string)
    }

    func mode(of path: Path) throws -> UInt16? { try book.machine.disk.status(path)?.permissions }

    /// Lets every user read a file.
    func open(_ path: Path) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: path.string)
    }

    func findings(tidying: Bool = false) throws -> [Finding] {
      try book.healthCheck.diagnose(tidying: tidying).findings
    }
  }

  @Test func `Store keys: only the owner can read the file`() throws {
    let desk = try Desk(seed: 944)
    let path = desk.book.layout.storeKeys(of: desk.book.id)
    #expect(try desk.mode(of: path) == 0o600)
    try desk.open(path)
    _ = try desk.book.storeKeys.rotate()
    #expect(try desk.mode(of: path) == 0o600)
  }

  @Test func `Diagnosis: a link in place of a key is reported, because tidying cannot restrict it`()
    throws
  {
    let desk = try Desk(seed: 946)
    let path = desk.book.layout.storeKeys(of: desk.book.id)
    let target = desk.book.layout.folder.parent / "key"
    let files = FileManager.default
    try files.moveItem(atPath: path.string, toPath: target.string)
    try files.createSymbolicLink(atPath: path.string, withDestinationPath: target.string)
    let links = Finding.permissions([], links: [path])
    #expect(links.verdict == .problem)
    #expect(try desk.findings().contains(links))
    #expect(try desk.findings(tidying: true).contains(links))
    try files.removeItem(atPath: path.string)
    try files.moveItem(atPath: target.string, toPath: path.string)
    #expect(try desk.findings().contains(.permissions([])))
  }

  @Test func `Diagnosis: keys that others can read are reported, and tidying restricts them`()
    throws
  {
    let desk = try Desk(seed: 945)
    let ring = try desk.book.storeKeys.ring()
    let keys = desk.book.layout.keys
    let paths = try desk.book.machine.disk.list(keys).map { keys / $0 }
    #expect(paths.contains(desk.book.layout.storeKeys(of: desk.book.id)) && paths.count > 1)
    for path in paths { try desk.open(path) }
    #expect(try desk.findings().contains(.permissions(paths)))
    let tidied = try desk.book.healthCheck.diagnose(tidying: true)
    #expect(tidied.restricted == paths)
    #expect(tidied.findings.contains(.permissions([])))
    #expect(tidied.findings.contains(.storeKeys(.usable(1))))
    #expect(try paths.map(desk.mode) == paths.map { _ in 0o600 })
    #expect(try desk.book.storeKeys.ring() == ring)
    #expect(try desk.book.healthCheck.keyState() == .usable)
  }

  @Test func `Diagnosis: a damaged file of store keys is a problem`() throws {
    let desk = try Desk(seed: 946)
    let path = desk.book.layout.storeKeys(of: desk.book.id)
    try desk.book.machine.disk.replace(path, with: [0x81, 0x02])
    let finding = Finding.storeKeys(.damaged(path, .version(2)))
    #expect(try desk.findings(tidying: true).contains(finding))
    #expect(finding.verdict == .problem)
    #expect(
      try desk.book.machine.disk.contents(of: path, limit: KeyRing.byteLimit) == [0x81, 0x02])
  }
}
