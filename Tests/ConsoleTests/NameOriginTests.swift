import Bytes
import Console
import Phrasing
import Testing

/// Names of devices that other devices gave, or that other devices had before.
struct NameOriginTests {
  @Test(arguments: ["book", "phone"])
  func `Device revoke: an exchanged name is refused, and the words of the key are accepted`(
    name: String
  ) throws {
    let stage = try Stage.exchanged()
    let (thief, phone) = (try stage.words(in: "book"), try stage.words(in: "phone"))
    let refused = stage.run("device", "revoke", name, "--yes")
    #expect(refused.code == .refused)
    #expect(refused.output.isEmpty)
    #expect(
      refused.error.hasPrefix("daybook: '\(name)' might not be the device that you mean. "))
    #expect(refused.error.contains(thief) && refused.error.contains(phone))
    #expect(
      refused.error.hasSuffix("To name the device that you mean, use the words of its key.\n"))
    #expect(try stage.devices().allSatisfy { $0["standing"] != "revoked" })
    let told = stage.run("device", "revoke", thief, "--yes")
    #expect(told.code == .done)
    #expect(
      told.error.hasPrefix(
        "daybook: revoking phone (\(thief)). 'phone' was the name of book (\(phone)) until 2026-11-20 "
      ))
    let revoked = try stage.devices().filter { $0["standing"] == "revoked" }
    #expect(revoked.map { $0["fingerprint"]?.string } == [thief])
  }

  @Test func `Device revoke: the refusal says who gave the name, and what it was before`() throws {
    let stage = try Stage.exchanged()
    let (thief, phone) = (try stage.words(in: "book"), try stage.words(in: "phone"))
    let told = stage.run("device", "revoke", "book").error
    #expect(
      told.contains(
        "book (\(phone)) has this name now. It was given this name by phone (\(thief)) on 2026-11-20 "
      ))
    #expect(told.contains("; its previous name was phone. 'book' was the name of phone (\(thief))"))
  }

  @Test func `Device revoke: an exchanged name is not kept by name either`() throws {
    let stage = try Stage.exchanged()
    let desk = try #require(
      try stage.devices("-C", "phone").first { $0["name"] == "desk" }?["fingerprint"]?.string)
    let told = stage.run("-C", "phone", "device", "revoke", desk, "--keep", "phone", "--yes")
    #expect(told.code == .refused)
    #expect(told.error.contains("'phone' might not be the device that you mean."))
  }

  @Test func `Devices: an exchanged name is shown with its origin`() throws {
    let stage = try Stage.exchanged()
    let thief = try stage.words(in: "book")
    let told = stage.run("devices")
    #expect(told.output.contains("named by phone on 2026-11-20 "))
    #expect(told.output.contains(", formerly phone"))
    #expect(
      told.error.contains(
        "has a name that previously belonged to another device. 'book' was the name of phone (\(thief)) until"
      ))
  }

  @Test func `Device revoke: the question says that another device gave the name`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "device", "rename", "phone", "slate")
    stage.meetAll()
    let (book, phone) = (try stage.words(in: "book"), try stage.words(in: "phone"))
    let asked = stage.run("device", "revoke", "slate").error
    #expect(
      asked.hasPrefix(
        "daybook: Revoke slate (\(phone))? It was given this name by book (\(book)) on 2026-11-20 ")
    )
    #expect(asked.contains("; its previous name was phone. It can never use this key again."))
    let told = stage.run("device", "revoke", "slate", "--yes")
    #expect(told.code == .done)
    #expect(
      told.error.hasPrefix("daybook: revoking slate (\(phone)). It was given this name by book"))
  }

  @Test func `Device revoke: a name that was given up leads to the device that had it`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "device", "rename", "hidden")
    stage.meetAll()
    let book = try stage.words(in: "book")
    let told = stage.run("device", "revoke", "book", "--yes")
    #expect(told.code == .refused)
    #expect(
      told.error.hasPrefix(
        "daybook: no device is called 'book' now. It was the name of hidden (\(book)) until 2026-11-20 "
      ))
  }

  @Test func `Device revoke: names that this device exchanged are accepted`() throws {
    let stage = try Stage.trio()
    for (old, new) in [("phone", "tmp"), ("book", "phone"), ("tmp", "book")] {
      _ = stage.answer("device", "rename", old, new)
    }
    #expect(stage.run("devices").error.isEmpty)
    let told = stage.run("device", "revoke", "book", "--yes")
    #expect(told.code == .done)
    #expect(told.error.isEmpty)
    let revoked = try stage.devices().filter { $0["standing"] == "revoked" }
    #expect(revoked.map { $0["fingerprint"]?.string } == [try stage.words(in: "phone")])
  }
}
