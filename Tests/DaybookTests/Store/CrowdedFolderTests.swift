import Daybook
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

/// Folders with more entries than are read.
struct CrowdedFolderTests {
  private static let folder = Path("/stick")

  private func error(of body: () throws -> Void) -> SyncError? {
    let error = #expect(throws: DaybookError.self) { try body() }
    guard case .sync(let fault)? = error else { return nil }
    return fault
  }

  @Test func `Crowded folder: it is not taken for one without books, nor for one with a store`()
    throws
  {
    let simulated = SimulatedMachine(seed: 950)
    try simulated.disk.makeDirectories(Self.folder)
    let machine = Machine(
      disk: CrowdedDisk(simulated.disk, at: Self.folder), timekeeper: simulated.timekeeper,
      dice: simulated.dice, network: simulated.network)
    let book = try BookFactory.create(
      at: Path("/book"), on: machine, deviceName: "laptop", view: .memory)
    let peer = PeerAddress.directory(Self.folder)
    let errors = [
      error { _ = try book.replicator.discovered(peer) },
      error { _ = try book.replicator.sync(with: peer) },
      error {
        _ = try SealedPeerFounder(book.replicator).add(
          "stick", in: .folder(Self.folder), forcing: true)
      },
      error {
        _ = try BookFactory.join(
          at: Path("/other"), from: peer, on: machine, deviceName: "phone", view: .memory
        ) { _ in true }
      },
    ]
    #expect(errors == errors.map { _ in .tooManyFiles(Self.folder) })
    #expect(simulated.disk.files.keys.allSatisfy { $0.names(below: Self.folder) == nil })
  }
}

/// A disk on which a directory has one entry more than a sync reads.
private final class CrowdedDisk: TransparentDisk {
  let wrapped: any Disk
  private let directory: Path

  init(_ disk: any Disk, at directory: Path) { (wrapped, self.directory) = (disk, directory) }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    guard directory == self.directory else { return try wrapped.list(directory) }
    return (0...Limit.directoryEntries).map { "\($0)" }
  }
}
