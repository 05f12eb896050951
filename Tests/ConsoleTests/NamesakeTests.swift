import Bytes
import Console
import Testing

/// Two devices with the same name.
struct NamesakeTests {
  @Test func `Namesakes: the log distinguishes devices by names that undo accepts`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "rename", "Z")
    _ = stage.answer("-C", "phone", "device", "rename", "Z")
    _ = stage.answer("edit", "Sweep", "--note", "mine")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "theirs")
    stage.meet()
    // The names as `devices` shows them, with the first word of the key.
    var names: [String: String] = [:]
    for device in try stage.devices() {
      let word = try #require(device["fingerprint"]?.string?.split(separator: "-").first)
      let replica = try #require(device["replica"]?.string)
      names[replica] = "\(device["name"]?.string ?? "") (\(word))"
    }
    #expect(Set(names.values).count == 2 && names.values.allSatisfy { $0.hasPrefix("Z (") })
    let log = stage.answer("log", "--all")
    for line in log.split(separator: "\n") {
      #expect(names.values.contains { line.contains("  \($0):") }, "\(line)")
    }
    let json = try JSON(parsing: Array(stage.answer("log", "Mop", "--json").utf8))
    let event = try #require(json.array?.first)
    let command = try #require(event["command"]?.integer)
    let name = try #require(event["replica"]?.string.flatMap { names[$0] })
    #expect(log.contains("  \(name):\(command)  "))
    #expect(stage.run("undo", "--command", "\(name):\(command)").error.isEmpty)
  }
}
