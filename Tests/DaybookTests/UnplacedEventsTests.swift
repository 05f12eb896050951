import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Events that are stored, but belong to no log because events before them are lost.
struct UnplacedEventsTests {
  @Test func `Loss: events of a branch without its first command are reported as missing`() throws {
    let studio = try Studio(seed: 761, hasWitness: false)
    let one = try studio.found("one")
    try one.add("shared")
    let twin = try studio.place("twin")
    twin.restore(one.copyOfDisk())
    let log = try #require(try one.writers().first)
    try one.add("lost")
    try one.add("after it")
    try twin.add("by the twin")
    try one.sync(after: twin)
    #expect(try one.names() == ["after it", "by the twin", "lost", "shared"])
    try damageFrame(2, of: log, on: one.machine.disk)
    #expect(try one.names() == ["by the twin", "shared"])
    #expect(
      try one.open().losses.gaps() == [
        Gap(device: "one", log: log, range: 3...4, isBodiless: false)
      ])
    // The twin lacks the lost event, and no other device can send it.
    try twin.sync()
    #expect(try twin.open().losses.gaps() == [])
  }

  /// Flips a bit in a frame of a log's tail.
  private func damageFrame(_ number: Int, of log: UniqueID, on disk: any Disk) throws {
    let tail = Studio.folder / "logs" / log.hex / "000000000001.gz"
    var bytes = try disk.contents(of: tail, limit: 1 << 20)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
    bytes[starts[number] + 60] ^= 1
    try disk.replace(tail, with: bytes)
  }
}
