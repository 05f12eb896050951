import Bytes
import Console
import Phrasing
import Testing

/// The origins of values that a repeating to-do, its dates and its sub-tasks show.
///
/// Today is Thursday, 26 November 2026.
struct RepeatOriginTests {
  private func stage() -> Stage {
    let stage = Stage.onThursday()
    stage.addBins()
    return stage
  }

  @Test func `Why: a past date has values of its to-do`() throws {
    let stage = stage()
    _ = stage.answer("edit", "bins", "+out")
    _ = stage.answer("done", "bins")
    let past = try #require(try stage.todos("--done").first?["id"]?.string)
    let heading = "todo ID Bins of Mon 2026-11-23"
    #expect(stage.told("why", "\(past).title") == "\(heading): title is Bins, from todo ID Bins.\n")
    #expect(stage.told("why", "\(past).tags") == "\(heading): tags are out, from todo ID Bins.\n")
    #expect(
      stage.told("why", "\(past).note") == "\(heading): note was never set, which means none.\n")
  }

  @Test func `Why: the current date has a value that the to-do does not have`() {
    let stage = stage()
    #expect(
      stage.told("why", "bins.tags") == "todo ID Bins: tags were never set, which means none.\n")
    _ = stage.answer("edit", "bins", "--time", "18:00", "--this")
    #expect(
      stage.told("why", "bins.time") == """
        todo ID Bins: time was never set, which means none.
        Its current date has its own time: 18:00.

        """)
  }

  @Test func `Why: a sub-task is done for the current date of its parent`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Sort", "--under", "Bins")
    _ = stage.answer("done", "Sort")
    #expect(
      stage.told("why", "Sort.done") == """
        todo ID Sort: done was never set, which means no.
        For its current date, done is yes.

        """)
  }

  @Test func `Blame: values of the current date are beside those of the to-do`() {
    let stage = stage()
    _ = stage.answer("done", "bins")
    _ = stage.answer("edit", "bins", "--title", "Paper", "--this")
    let rows = stage.answer("blame", "Paper").split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(rows.contains { $0.hasPrefix("title Bins (current date: Paper) ") })
    #expect(rows.contains { $0.hasPrefix("due 2026-11-23 (current date: 2026-11-30) ") })
  }

  @Test func `Log: a date has the title of its to-do before and after its own`() {
    let stage = stage()
    _ = stage.answer("done", "bins")
    _ = stage.answer("edit", "bins", "--due", "2026-12-01", "--this")
    _ = stage.answer("edit", "bins", "--title", "Paper", "--this")
    #expect(
      stage.answer("log", "--limit", "1").hasSuffix("todo Paper of Mon 2026-11-30: title Paper\n"))
    _ = stage.answer("undo")
    #expect(
      stage.answer("log", "--limit", "1").hasSuffix(
        "todo Bins of Mon 2026-11-30: title Paper removed\n"))
  }

  @Test(arguments: ["log", "blame", "show"])
  func `Past: a record that did not exist yet is named as the user named it`(command: String) {
    let stage = stage()
    stage.goTo(day: 1)
    _ = stage.answer("add", "todo", "Mop")
    #expect(
      stage.run("at", "2026-11-26T12:00:00Z", command, "Mop").error
        == "daybook: nothing is called 'Mop'. 'daybook search TEXT' searches all records.\n")
  }
}
