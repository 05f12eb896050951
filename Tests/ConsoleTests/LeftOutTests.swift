import Console
import Testing

/// Data that a format cannot represent is reported, even if no other data is exported.
struct LeftOutTests {
  @Test(arguments: [
    ("todotxt", "todo.txt"), ("ics", "iCalendar"), ("taskwarrior", "Taskwarrior's JSON"),
  ])
  func `Empty lists: they are reported if the format stores lists only with their to-dos`(
    format: String, title: String
  ) {
    let stage = Stage()
    _ = stage.answer("add", "list", "Empty")
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home")
    func error(_ words: String...) -> String {
      stage.run(["export", "--format", format] + words).error
    }
    let left =
      "daybook: \(title) has no place for the following, so it was left out: 1 empty list.\n"
    #expect(error() == left)
    #expect(error("--list", "Empty") == left)
    #expect(error("--list", "Home") == "")
  }

  @Test(arguments: ["markdown", "csv", "ops"])
  func `Empty lists: they are exported to formats that have lists`(format: String) {
    let stage = Stage()
    _ = stage.answer("add", "list", "Empty")
    let outcome = stage.run("export", "--format", format)
    #expect(outcome.output.contains("Empty"))
    #expect(outcome.error == "")
  }
}
