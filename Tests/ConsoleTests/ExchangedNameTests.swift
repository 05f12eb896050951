import Bytes
import Console
import Phrasing
import Testing

/// Commands that refuse an exchanged name and accept the words of a key, like `device revoke`.
struct ExchangedNameTests {
  private static let commands = [
    ["undo", "--by", "book", "--since", "2026-11-19", "--yes"],
    ["device", "quota", "book", "--events", "9"], ["device", "quota", "book"],
    ["device", "rename", "book", "mine too"], ["found", "--with", "book", "--yes"],
  ]

  @Test(arguments: commands)
  func `Exchanged names: commands refuse them, and accept the words of the key`(
    words: [String]
  ) throws {
    let stage = try Stage.exchanged()
    let (thief, phone) = (try stage.words(in: "book"), try stage.words(in: "phone"))
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    stage.meetAll()
    let before = stage.answer("log")
    let refused = stage.run(words)
    #expect(refused.code == .refused)
    #expect(refused.output.isEmpty)
    #expect(
      refused.error.hasPrefix(
        "daybook: 'book' might not be the device that you mean. book (\(phone)) has this name now. "
      ))
    #expect(refused.error.contains("'book' was the name of phone (\(thief)) until 2026-11-20 "))
    #expect(
      refused.error.hasSuffix("To name the device that you mean, use the words of its key.\n"))
    #expect(stage.answer("log") == before)
    let accepted = stage.run(words.map { $0 == "book" ? phone : $0 })
    #expect(accepted.code == .done, "\(accepted.error)")
  }

  @Test func `Exchanged names: a name that was given up leads to the device that had it`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "device", "rename", "hidden")
    stage.meetAll()
    let book = try stage.words(in: "book")
    for words in Self.commands {
      let refused = stage.run(words)
      #expect(refused.code == .refused)
      #expect(
        refused.error.hasPrefix(
          "daybook: no device is called 'book' now. It was the name of hidden (\(book)) until 2026-11-20 "
        ))
    }
  }

  @Test func `Exchanged names: a log of a device is still undone by its own id`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "add", "todo", "Mop")
    stage.meetAll()
    let log = try #require(
      try stage.devices().first { $0["name"] == "book" }?["replica"]?.string)
    let undone = stage.run("undo", "--by", log, "--since", "2026-11-19", "--yes")
    #expect(undone.code == .done, "\(undone.error)")
    #expect(!stage.answer("list", "todos").contains("Mop"))
  }
}
