import Bytes
import Console
import Phrasing
import Testing

/// Dry runs and reports of changes to several to-dos: the counts are the numbers of to-dos that the change affects.
///
/// Today is Thursday, 26 November 2026.
struct PlannedChangeTests {
  private func stage() -> Stage {
    let stage = Stage.onThursday()
    for words in [
      ["Pack", "+trip"], ["Socks", "--under", "pack"], ["Pills", "--repeat", "daily", "+trip"],
    ] {
      #expect(stage.run(["add"] + words).code == .done)
    }
    return stage
  }

  /// Returns the last line of the output of a command, without the ids of to-dos.
  private func lastLine(_ stage: Stage, _ words: [String]) -> String {
    let outcome = stage.run(words)
    #expect(outcome.code == .done, "\(outcome.error)")
    let line = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
    return line.replacing(#/todo [0-9a-z]+ /#, with: "todo ID ")
  }

  @Test func `Dry run: to-dos that are already as requested are not counted as changed`() throws {
    let stage = stage()
    _ = stage.answer("edit", "pack", "--priority", "high")
    let count = try stage.eventCount()
    let edit = ["set", "--priority", "high"]
    #expect(
      lastLine(stage, ["edit", "pack", "pills", "--priority", "high", "-n"])
        == "This would edit 1 to-do: priority high. 1 is already as requested.")
    #expect(
      lastLine(stage, ["edit", "--tag", "trip", "-n"] + edit)
        == "This would edit 1 to-do: priority high. 1 is already as requested.")
    #expect(
      lastLine(stage, ["edit", "pack", "--priority", "high", "-n"])
        == "Nothing to change: todo ID Pack is already as requested.")
    #expect(
      lastLine(stage, ["edit", "--priority", "high", "-n"] + edit)
        == "Nothing to change: it is already as requested.")
    #expect(try stage.eventCount() == count)
  }

  @Test(arguments: ["done", "cancel"])
  func `Dry run: a closed to-do is not closed again, and is opened with its sub-tasks`(
    verb: String
  ) {
    let stage = stage()
    _ = stage.answer(verb, "pack")
    #expect(
      lastLine(stage, [verb, "pack", "-n"])
        == "Nothing to change: todo ID Pack is already as requested.")
    #expect(
      lastLine(stage, ["undone", "pack", "-n"])
        == "This would mark 1 to-do and 1 sub-task as open again.")
    #expect(
      lastLine(stage, ["undone", "pack", "--only", "-n"])
        == "This would mark 1 to-do as open again.")
    #expect(lastLine(stage, ["undone", "pack"]) == "Open again: todo ID Pack and 1 sub-task.")
    _ = stage.answer("delete", "pack")
    #expect(
      lastLine(stage, ["restore", "pack", "-n"]) == "This would restore 1 to-do and 1 sub-task.")
  }

  @Test func `Dry run: what the command refuses is refused, and the to-do is named`() {
    let stage = stage()
    let id = stage.answer("list", "todos", "--sort", "title", "--plain").prefix { $0 != "\t" }
    let error =
      "daybook: todo \(id) Pack does not repeat, so nothing was changed. "
      + "Leave it out, or add a repeat rule to it first.\n"
    for more in [["-n"], []] {
      let skipped = stage.run(["skip", "pack", "pills"] + more)
      #expect(skipped == .init(code: .refused, output: "", error: error))
    }
    let edit = ["edit", "--tag", "trip", "--yes", "set", "--due", "+1w", "--series"]
    for words in [edit, ["edit", "--tag", "trip", "-n", "set", "--due", "+1w", "--series"]] {
      let edited = stage.run(words)
      #expect(edited.code == .refused && edited.error == error, "\(edited)")
    }
    #expect(
      stage.run("skip", "pack", "-n")
        == .init(
          code: .refused, output: "",
          error:
            "daybook: the to-do does not repeat. Add a repeat rule first, such as --repeat weekly.\n"
        ))
  }

  @Test func `Question: the sub-tasks that are opened together with a to-do are counted`() {
    let stage = stage()
    _ = stage.answer("done", "pack")
    let asked = stage.run("undone", "--tag", "trip")
    #expect(asked.code == .refused)
    #expect(
      asked.error.contains(
        "Mark 1 to-do and 1 sub-task as open again? Add --yes to confirm."), "\(asked)")
  }

  @Test func `Undone: each date of a to-do that is selected counts`() throws {
    let stage = stage()
    for _ in 1...2 { _ = stage.answer("done", "pills") }
    #expect(
      lastLine(stage, ["undone", "--done", "-n"]) == "This would mark 2 to-dos as open again.")
    #expect(lastLine(stage, ["undone", "--done", "--yes"]) == "Marked 2 to-dos as open again.")
    #expect(try stage.todos("--done").isEmpty)
  }
}
