import Bytes
import Console
import Phrasing
import Testing

/// Permitted device names.
struct DeviceNameTests {
  @Test(arguments: ["  ", "\u{200b}", "phone:3", "mine", "theirs", "all"])
  func `Device names: an invisible or reserved name is refused`(
    name: String
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    #expect(stage.run("device", "rename", name).code != .done)
    #expect(try stage.devices().first?["name"] == "laptop")
  }
}
