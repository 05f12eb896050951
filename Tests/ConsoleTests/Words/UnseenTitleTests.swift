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

  @Test(arguments: ["", " ", "\u{A0}", "\u{200B}", "\u{2800}"])
  func `Titles: a birthday without a name is refused, even with a date`(name: String) {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    for words in [
      ["add", "birthday", name, "1990-01-01"],
      ["add", "birthday", "--first-name", name, "--last-name", name, "1990-01-01"],
      ["edit", "ada", "--first-name", name, "--last-name", name],
    ] {
      let outcome = stage.run(words)
      #expect(outcome.code == .refused && outcome.output == "", "\(words)")
      #expect(outcome.error == "daybook: a birthday needs a name that is not empty.\n")
    }
    _ = stage.answer("edit", "ada", "--first-name", name)
    let last = stage.run("edit", "lovelace", "--last-name", name)
    #expect(last.error == "daybook: a birthday needs a name that is not empty.\n")
    _ = stage.answer("edit", "lovelace", "--first-name", "Ada", "--last-name", name)
    #expect(stage.answer("list", "birthdays", "--plain").contains("\tAda\t1815-12-10"))
  }

  @Test(arguments: ["👩‍🚀", "a\u{200D}", "\u{200B}x", "क्‍ष", "…", "\u{301}e"])
  func `Titles: a title with a visible character is accepted unchanged`(title: String) {
    let stage = Stage()
    #expect(stage.run("add", "todo", title).code == .done)
    #expect(stage.answer("list", "todos", "--plain").contains(title.visible))
  }
}
