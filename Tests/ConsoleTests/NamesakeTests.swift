import Bytes
import Testing

@testable import Console

/// Two devices of one name.
struct NamesakeTests {
  @Test func `Namesakes: the log tells them apart, by names that undo takes`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "rename", "Z")
    _ = stage.answer("-C", "phone", "device", "rename", "Z")
    _ = stage.answer("edit", "Sweep", "--note", "mine")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "theirs")
    stage.meet()
    // As the table of devices calls them: with the first word of the key.
    let names = Set(
      try stage.devices().map { device in
        let word = try #require(device["fingerprint"]?.string?.split(separator: "-").first)
        return "\(device["name"]?.string ?? "") (\(word))"
      })
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("Z (") }, "\(names)")
    let log = stage.answer("log", "--all")
    for line in log.split(separator: "\n") {
      #expect(names.contains { line.contains("  \($0):") }, "\(line)")
    }
    let json = try JSON(parsing: Array(stage.answer("log", "Mop", "--json").utf8))
    let command = try #require(json.array?.first?["command"]?.integer)
    let name = try #require(names.first { log.contains("  \($0):\(command)  ") })
    #expect(stage.run("undo", "--command", "\(name):\(command)").error.isEmpty)
  }
}
