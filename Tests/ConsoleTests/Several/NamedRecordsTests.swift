import Bytes
import Console
import Phrasing
import Testing

/// Commands that change several records by their ids.
struct NamedRecordsTests {
  @Test func `Several IDs: the records change without a question, in one step`() throws {
    let stage = Stage.house()
    let outcome = stage.run("done", "mop", "sweep", "mop")
    #expect(outcome.code == .done && outcome.error == "")
    let told = outcome.output.split(separator: "\n")
    #expect(told.count == 2 && told[0].hasSuffix(" Mop.") && told[1].hasSuffix(" Sweep."))
    #expect(try stage.done() == ["Mop", "Sweep"])
    _ = stage.answer("undo")
    #expect(try stage.done() == [])
  }

  @Test(arguments: [
    ["done", "mop", "nobody"], ["undone", "nobody", "mop"], ["delete", "mop", "nobody"],
    ["edit", "mop", "nobody", "--due", "fri"], ["move", "mop", "nobody", "--to", "work"],
    ["cancel", "mop", "nobody"], ["skip", "mop", "nobody"], ["restore", "nobody"],
    ["delete", "mop", "nobody", "-n"],
  ])
  func `Several IDs: with an unknown ID, all are refused`(words: [String]) throws {
    let stage = Stage.house()
    let count = try stage.eventCount()
    let outcome = stage.run(words)
    #expect(outcome.code == .refused && outcome.output == "")
    #expect(outcome.error.contains("is called 'nobody'") || words[0] == "restore")
    #expect(try stage.eventCount() == count)
  }

  @Test func `Several IDs: records of several kinds are edited and deleted together`() throws {
    let stage = Stage.house()
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    let edited = stage.answer("edit", "mop", "ada", "home", "--note", "blue")
    #expect(
      edited.split(separator: "\n").map { $0.hasSuffix(": note blue.") } == [true, true, true])
    _ = stage.answer("undo")
    #expect(!stage.answer("show", "ada").contains("blue"))
    let count = try stage.eventCount()
    let refused = stage.run("edit", "mop", "ada", "--due", "fri")
    #expect(
      refused.code == .refused && refused.error.hasPrefix("daybook: a birthday has no --due."))
    #expect(
      stage.run("done", "mop", "ada").error
        == "daybook: 'ada' is a birthday, but this command needs a to-do.\n")
    #expect(try stage.eventCount() == count)
    #expect(stage.answer("delete", "rest", "ada").split(separator: "\n").count == 2)
    #expect(stage.answer("restore", "ada", "rest", "ada").split(separator: "\n").count == 2)
    #expect(try stage.titles() == ["Mop", "Post", "Rest", "Sweep"])
  }

  @Test func `Several IDs: to-dos that are done already are named and left as they are`() throws {
    let stage = Stage.house()
    _ = stage.answer("done", "mop")
    let told = stage.answer("done", "mop", "sweep").split(separator: "\n")
    #expect(told.count == 2 && told[0].hasPrefix("Done: todo ") && told[0].hasSuffix(" Sweep."))
    #expect(told[1].hasPrefix("Nothing to change: todo "))
    #expect(told[1].hasSuffix(" Mop is already as requested."))
    #expect(try stage.json("undone", "mop", "rest").map { $0["record"]?["title"] } == ["Mop"])
    _ = stage.answer("undo", "2")
    #expect(try stage.done() == ["Mop"])
  }

  @Test func `Several IDs: tags are added and removed`() throws {
    let stage = Stage.house()
    let edited = stage.answer("edit", "mop", "sweep", "+late,cold", "-wet", "--due", "tomorrow")
    #expect(
      edited.split(separator: "\n").map { $0.drop { $0 != ":" }.dropFirst(2) } == [
        "due Sat 2026-11-21 (tomorrow), tags cold, late.",
        "due Sat 2026-11-21 (tomorrow), tags cold, late.",
      ])
    #expect(try stage.titles("--tag", "late", "--tag", "cold") == ["Mop", "Sweep"])
    #expect(try stage.titles("--tag", "wet") == [])
    _ = stage.answer("undo")
    #expect(try stage.titles("--tag", "wet") == ["Sweep"])
  }
}
