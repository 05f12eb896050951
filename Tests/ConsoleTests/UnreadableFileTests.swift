import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Packed files that can no longer be read.
struct UnreadableFileTests {
  @Test(arguments: [true, false])
  func `Verify: events of an unreadable file are missing, and none is called replaced`(
    isCut: Bool
  )
    throws
  {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    for name in ["Ada", "Bob", "Cyd"] { _ = stage.answer("add", "birthday", name) }
    _ = stage.answer("compact")
    let packed = try #require(
      stage.machine.disk.files.keys.first { $0.name == "000000000001-000000000004.gz" })
    var bytes = try stage.disk.contents(of: packed, limit: 1 << 20)
    if isCut { bytes.removeLast(40) } else { bytes[bytes.count / 2] ^= 1 }
    try stage.disk.replace(packed, with: bytes)
    let file = "logs/\(packed.parent.name)/\(packed.name) at byte 0"
    for _ in 1...2 {
      let outcome = stage.run("verify")
      #expect(outcome.code == .dataFault)
      #expect(
        outcome.output.split(separator: "\n").filter { $0.hasPrefix("logs/") } == [
          "\(file): \(bytes.count) bytes are damaged", "\(file): missing: events 1 to 4",
        ])
      #expect(outcome.error.contains("daybook: 2 faults found. "))
    }
  }
}
