import Bytes
import Platform
import SimulatedPlatform
import Testing

@testable import Daybook

/// Detection of changes that another process has made to the folders of the logs.
struct DiskStateTests {
  private let disk = SimulatedMachine(seed: 1).disk
  private let layout = Layout(folder: Path("/book"))
  private let ids = (1...2).map { UniqueID(high: 0, low: $0).hex }

  private func state() -> [String]? { layout.diskState(on: disk) }

  @Test func `Disk state: moving a log to the other shelf changes it`() throws {
    let (logs, aside) = (layout.folder / "logs", layout.folder / "aside")
    try disk.makeDirectories(logs / ids[0])
    try disk.makeDirectories(aside / ids[1])
    let before = state()
    try disk.rename(aside / ids[1], to: logs / ids[1])
    #expect(before != nil)
    #expect(state() != before)
  }

  @Test func `Disk state: moving a file from a branch to its trunk changes it`() throws {
    let log = layout.folder / "logs" / ids[0]
    let file = "000000000001-000000000002.gz"
    let branch = log / "00000000000000000000000000000000"
    try disk.makeDirectories(branch)
    try disk.replace(branch / file, with: [1])
    let before = state()
    try disk.rename(branch / file, to: log / file)
    #expect(before != nil)
    #expect(state() != before)
  }

  @Test func `Disk state: moving a branch out of the folder of its log changes it`() throws {
    let logs = layout.folder / "logs"
    try disk.makeDirectories(logs / ids[0] / ids[1])
    let before = state()
    try disk.rename(logs / ids[0] / ids[1], to: logs / ids[1])
    #expect(before != nil)
    #expect(state() != before)
  }
}
