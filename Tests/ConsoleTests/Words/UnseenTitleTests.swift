import Console
import Phrasing
import Testing

/// Titles without visible characters.
struct UnseenTitleTests {
  @Test(arguments: [
    "\u{200B}", "\u{200D}\u{2060}", " \u{FEFF}\t", "\u{202E}", "\u{3164}", "\u{AD}", "\u{FE0F}",
    "\u{2800}", "\u{7}\u{1B}",
  ])
  func `Titles: a title without a visible character is refused`(title: String) {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    for words in [
      ["add", "todo", title], ["add", "list", title], ["add", "question", title],
      ["add", "birthday", title], ["edit", "mop", "--title", title],
    ] {
      let outcome = stage.run(words)
      #expect(outcome.code == .refused, "\(words)")
      #expect(outcome.error.contains(" needs a "), "\(outcome.error)")
    }
  }

  @Test(arguments: ["👩‍🚀", "a\u{200D}", "\u{200B}x", "क्‍ष", "…", "\u{301}e"])
  func `Titles: a title with a visible character is accepted unchanged`(title: String) {
    let stage = Stage()
    #expect(stage.run("add", "todo", title).code == .done)
    #expect(stage.answer("list", "todos", "--plain").contains(title.visible))
  }
}
