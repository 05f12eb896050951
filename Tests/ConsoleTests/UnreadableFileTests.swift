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

  @Test(arguments: [true, false])
  func `Verify: a folder in place of a file is a fault, and the rest is verified`(
    isPacked: Bool
  ) throws {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    for name in ["Ada", "Bob", "Cyd"] { _ = stage.answer("add", "birthday", name) }
    if isPacked { _ = stage.answer("compact") }
    let name = isPacked ? "000000000001-000000000004.gz" : "000000000001.gz"
    let file = try #require(stage.machine.disk.files.keys.first { $0.name == name })
    try stage.disk.remove(file)
    try stage.disk.makeDirectory(file)
    let outcome = stage.run("verify")
    #expect(outcome.code == .dataFault)
    let place = "logs/\(file.parent.name)/\(name)"
    #expect(outcome.output.contains("\(place) at byte 0: is a folder, although "))
    #expect(outcome.output.contains("Missing: events 1 to 4 of laptop.\n"))
    // Other commands report the loss, and a new log begins, as after other damage.
    #expect(stage.run("list", "birthdays").code == .dataFault)
    #expect(stage.run("add", "birthday", "Dan").output.hasPrefix("Added birthday "))
    #expect(stage.run("list", "birthdays").output.contains("Dan"))
    #expect(stage.run("doctor").output.contains("problem  chain "))
  }
}
