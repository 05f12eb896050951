import Bytes
import Console
import Phrasing
import Synchronization
import Testing

/// Records that change between the question and its answer.
struct SelectionRaceTests {
  /// Runs a command, with other commands before the user says yes.
  ///
  /// - Returns: The output after the answer.
  private func run(
    _ stage: Stage, _ words: [String], meanwhile others: [[String]]
  ) -> Stage.Outcome {
    stage.run(words) {
      for other in others {
        let outcome = stage.run(other)
        #expect(outcome.code == .done, "\(outcome.error)")
      }
      return "y"
    }
  }

  @Test func `Several: a to-do that a sync deletes before the yes is skipped and named`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "delete", "mop")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let outcome = run(stage, ["done", "--open"], meanwhile: [["sync", "stick"]])
    #expect(outcome.code == .done)
    #expect(outcome.output == "Marked 1 to-do as done.\n")
    #expect(outcome.error.hasPrefix("daybook: skipped 1 to-do that no longer matches: "))
    #expect(outcome.error.hasSuffix(" Mop.\n"))
    #expect(try stage.titles() == ["Sweep"])
    _ = stage.answer("undo")
    #expect(try stage.done() == [])
  }

  @Test func `Several: a to-do that was not shown is not changed`() throws {
    let stage = Stage.house()
    let outcome = run(
      stage, ["delete", "--list", "home"],
      meanwhile: [["add", "todo", "Late", "--list", "home"], ["move", "mop", "--to", "work"]])
    #expect(outcome.output == "Deleted 1 to-do.\n")
    #expect(outcome.error.hasSuffix(" Mop.\n"))
    #expect(try stage.titles() == ["Late", "Mop", "Post", "Rest"])
  }

  @Test func `Several: if none matches any more, nothing is changed`() throws {
    let stage = Stage.house()
    let outcome = run(
      stage, ["edit", "--list", "home", "set", "+late"], meanwhile: [["delete", "home"]])
    #expect(outcome.code == .done && outcome.output == "Nothing was changed.\n")
    #expect(outcome.error.hasPrefix("daybook: skipped 2 to-dos that no longer match: "))
  }

  @Test func `Several: changes of tags apply to the tags at the time of the confirmation`() throws {
    let stage = Stage.house()
    _ = run(
      stage, ["edit", "--list", "home", "set", "+late"],
      meanwhile: [["edit", "sweep", "--tags", "dry"]])
    #expect(
      try stage.json("list", "todos", "--list", "home", "--sort", "title").map { $0["tags"] } == [
        .array(["late"]), .array(["dry", "late"]),
      ])
  }
}
