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

  @Test func `Device names: case is ignored if only one device is meant`() throws {
    let stage = try Stage.trio()
    let phone = try stage.words(in: "phone")
    #expect(stage.answer("device", "quota", "PHONE").hasPrefix("phone "))
    #expect(stage.answer("device", "quota", phone.uppercased()).hasPrefix("phone "))
    #expect(stage.run("log", "--by", "Phone").code == .done)
    #expect(stage.answer("device", "rename", "Phone", "slate").contains(" is now slate. "))
    #expect(stage.answer("device", "rename", "SLATE", "Slate").contains(" is now Slate. "))
    #expect(
      stage.run("device", "quota", "nobody").error.hasPrefix(
        "daybook: no device is called 'nobody'. "))
  }

  @Test func `Device names: if names differ only in case, the exact one is meant`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("device", "rename", "book", "Phone")
    #expect(stage.answer("device", "quota", "phone").hasPrefix("phone "))
    #expect(stage.answer("device", "quota", "Phone").hasPrefix("Phone "))
    let refused = stage.run("device", "quota", "PHONE")
    #expect(refused.code == .refused)
    #expect(refused.error.hasPrefix("daybook: several devices are called 'PHONE': "))
  }

  @Test func `Device names: a name that another device took in another case is refused`() throws {
    let stage = try Stage.trio()
    for (old, new) in [("phone", "slate"), ("book", "Phone")] {
      _ = stage.answer("-C", "book", "device", "rename", old, new)
    }
    stage.meetAll()
    let (thief, phone) = (try stage.words(in: "book"), try stage.words(in: "phone"))
    let lower = stage.run("device", "revoke", "phone", "--yes")
    #expect(lower.code == .refused)
    #expect(
      lower.error.hasPrefix(
        "daybook: no device is called 'phone' now. It was the name of slate (\(phone)) until "))
    let upper = stage.run("device", "revoke", "Phone", "--yes")
    #expect(upper.code == .refused)
    #expect(
      upper.error.hasPrefix(
        "daybook: 'Phone' might not be the device that you mean. Phone (\(thief)) has this name now. "
          + "'Phone' was the name of slate (\(phone)) until "))
  }
}
