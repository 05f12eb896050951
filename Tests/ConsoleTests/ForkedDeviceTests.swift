import Bytes
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// A device of which two copies have written: its log has branches.
struct ForkedDeviceTests {
  /// A laptop, and a second device whose folder was copied before both copies wrote.
  private func stage() throws -> Stage {
    let stage = try Stage.pair()
    for (path, bytes) in stage.machine.disk.files where path.string.hasPrefix("/home/ada/phone/") {
      let copy = Path("/home/ada/copy" + path.string.dropFirst("/home/ada/phone".count))
      try stage.disk.makeDirectories(copy.parent)
      try stage.disk.replace(copy, with: bytes)
    }
    _ = stage.answer("-C", "phone", "add", "todo", "Left")
    _ = stage.answer("-C", "copy", "add", "todo", "Right")
    for folder in ["phone", "copy"] { _ = stage.answer("-C", folder, "sync", "stick") }
    _ = stage.answer("sync", "stick")
    return stage
  }

  @Test func `Log: of a branch that is named, only that branch is shown`() throws {
    let stage = try stage()
    let all = stage.answer("log", "--by", "laptop 2")
    #expect(all.contains("todo Left") && all.contains("todo Right"))
    let branches = try (1...2).map { number in
      let log = stage.answer("log", "--by", "laptop 2, branch \(number)", "--json")
      return try #require(try JSON(parsing: Array(log.utf8)).array).compactMap { $0["id"] }
    }
    let ids = try #require(
      try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array
    ).filter { $0["title"] != "Sweep" }.compactMap { $0["id"] }
    #expect(branches.map(\.count) == [1, 1])
    #expect(ids.count == 2 && ids.allSatisfy(branches.joined().contains))
  }
}
