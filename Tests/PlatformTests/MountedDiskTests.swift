import Platform
import SimulatedPlatform
import Testing

struct MountedDiskTests {
  private let own = SimulatedMachine(seed: 1).disk
  private let sticks = (2...3).map { SimulatedMachine(seed: $0).disk }
  private var disk: MountedDisk { MountedDisk(own: own, sticks: sticks) }

  @Test(arguments: [
    "/stick", "/stick/0", "/sticks", "/stick-", "/stick2", "/stick9", "/stick01", "/stick0.old",
    "/home/stick0",
  ])
  func `Mounted disk: a path outside all sticks is on the machine's own disk`(name: String) throws {
    let folder = Path(name)
    #expect(try disk.status(folder) == nil)
    try disk.makeDirectories(folder)
    try disk.put(folder / "a", [1])
    #expect(try disk.get(folder / "a") == [1])
    #expect(own.files == [folder / "a": [1]])
    #expect(sticks.map(\.files) == [[:], [:]])
  }

  @Test func `Mounted disk: the name of a stick leads to it, with or without an entry`() throws {
    let (first, second) = (MountedDisk.stick(0), MountedDisk.stick(1))
    for stick in [first, second] { try disk.makeDirectory(stick) }
    try disk.put(second / "a", [1])
    #expect(try disk.list(second) == ["a"])
    #expect(own.folders == [Path("/")])
    #expect(sticks.map(\.folders) == [[Path("/"), first], [Path("/"), second]])
    #expect(sticks.map(\.files) == [[:], [second / "a": [1]]])
  }
}
