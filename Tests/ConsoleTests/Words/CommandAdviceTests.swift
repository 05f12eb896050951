import Bytes
import Console
import Phrasing
import Testing

/// Advice for words that are neither commands nor records.
struct CommandAdviceTests {
  private func stage() -> Stage {
    let stage = Stage()
    for title in ["Water", "Test on phone"] { _ = stage.answer("add", "todo", title) }
    _ = stage.answer("add", "list", "Empty")
    return stage
  }

  @Test(
    "Advice: words that are no commands name the command that is meant",
    arguments: [
      (["trash"], "unknown command 'trash'. 'daybook list deleted' lists the deleted records"),
      (["Papierkorb"], "unknown command 'Papierkorb'. 'daybook list deleted' lists"),
      (["help", "deleted"], "unknown command 'deleted'. 'daybook list deleted' lists"),
      (["today"], "unknown command 'today'. Run daybook without a command to see what is due."),
      (["heute"], "unknown command 'heute'. Run daybook without a command to see what is due."),
      (["week"], "unknown command 'week'. 'daybook list todos --due today..eow' lists"),
      (["list", "Empty"], "To list the to-dos of a list, run: daybook list todos --list Empty"),
      (["ease"], "unknown command 'ease'. 'daybook help' lists all commands."),
      (["delet"], "unknown command 'delet'. Did you mean 'delete'?"),
      (
        ["edit", "--overdue", "--due", "tomorrow"], "'--overdue' selects to-dos. Put the word 'set'"
      ),
      (["delete", "list", "Empty"], "Leave out the kind of the record: daybook delete Empty"),
      (["undo", "paper"], "nothing is called 'paper'. 'daybook search TEXT'"),
      (["done", "watre"], "Did you mean 'Water'?"),
    ])
  func advice(words: [String], sentence: String) {
    let outcome = stage().run(words)
    #expect(outcome.code != .done)
    #expect(outcome.error.contains(sentence), "\(outcome.error)")
  }

  @Test func `List deleted: the latest is first, with the device, and restore brings it back`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("-C", "phone", "delete", "Sweep")
    stage.meet()
    _ = stage.answer("delete", "Home")
    let lines = stage.answer("list", "deleted").split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines[0].contains("list  Home ") && lines[0].hasSuffix("laptop"), "\(lines)")
    #expect(lines[1].contains("todo  Sweep ") && lines[1].hasSuffix("laptop 2"), "\(lines)")
    let json = try JSON(parsing: Array(stage.answer("list", "deleted", "--json").utf8))
    #expect(json.array?.map { $0["deletedBy"] } == ["laptop", "laptop 2"])
    #expect(stage.answer("list", "deleted", "--limit", "1").split(separator: "\n").count == 1)
    _ = stage.answer("restore", String(lines[0].prefix { $0 != " " }))
    #expect(!stage.answer("list", "deleted").contains("Home"))
    _ = stage.answer("restore", "Sweep")
    #expect(stage.answer("list", "deleted") == "Nothing is deleted.\n")
  }
}
