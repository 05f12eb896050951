import Console
import Phrasing
import Platform
import Testing

/// A book's own unchanged files write nothing, and a receipt counts everything that an import writes.
struct UnchangedFileTests {
  /// To-dos of every kind.
  private static let story = [
    ["add", "Plain"],
    [
      "add", "Full", "--due", "2026-12-01", "--time", "09:30", "--due-zone", "America/New_York",
      "--list", "Home", "--priority", "high", "--note", "two\nlines", "--tag", "a", "--tag", "b",
      "--remind", "1h",
    ],
    ["add", "Child", "--under", "Full", "--due", "2026-11-30"],
    ["add", "Ready"], ["done", "Ready"],
    ["add", "Dropped"], ["cancel", "Dropped"],
    // Repeating to-dos with done, skipped, moved and edited dates.
    [
      "add", "Gym", "--due", "2026-11-21", "--time", "08:00", "--repeat", "daily", "--note", "N",
      "--remind", "30m",
    ],
    ["done", "Gym"], ["skip", "Gym"], ["edit", "Gym", "--due", "2026-11-30", "--this"],
    ["done", "Gym"], ["edit", "Gym", "--title", "Gym outside", "--this"],
    [
      "add", "Call", "--due", "2026-11-21", "--time", "08:00", "--due-zone", "Asia/Tokyo",
      "--repeat", "weekly", "--tag", "z", "--remind", "1h",
    ],
    ["done", "Call"], ["edit", "Call", "--note", "only this", "--this"],
    ["add", "Early", "--start", "2026-11-22", "--due", "2026-11-24", "--repeat", "weekly"],
    // Repeating to-dos with other ends and rules.
    ["add", "Course", "--due", "2026-11-21", "--repeat", "daily 2 times"],
    ["done", "Course"], ["done", "Course"],
    ["add", "Paper", "--due", "2026-11-21", "--repeat", "daily"], ["cancel", "Paper"],
    ["add", "Rent", "--due", "2026-11-21", "--repeat", "monthly until 2027-12-31"],
    ["add", "Rule 1", "--due", "2026-11-23", "--repeat", "every weekday"],
    ["add", "Rule 2", "--due", "2026-11-23", "--repeat", "every! 3 days"],
    ["add", "Rule 3", "--due", "2026-11-27", "--repeat", "every last friday"],
    ["add", "Rule 4", "--due", "2026-11-23", "--repeat", "weekly on mon, thu"],
    // A repeating to-do with sub-tasks.
    ["add", "Clean", "--due", "2026-11-21", "--repeat", "weekly"],
    ["add", "Floor", "--under", "Clean"], ["add", "Windows", "--under", "Clean"],
    ["done", "Floor"], ["done", "Clean"], ["done", "Windows"],
  ]

  private static let files: [(name: String, title: String, count: Int)] = [
    ("own.md", "a Markdown check list", 18), ("own.txt", "todo.txt", 18), ("own.csv", "CSV", 19),
    ("own.ics", "iCalendar", 18), ("own.json", "Taskwarrior's JSON", 18),
  ]

  @Test(arguments: files, [[], ["--file-wins"]])
  func `Unchanged file: a book's own export writes no event`(
    file: (name: String, title: String, count: Int), options: [String]
  ) throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    for words in Self.story {
      let told = stage.run(words)
      try #require(told.code == .done, "\(words): \(told)")
    }
    let format = file.name.hasSuffix("json") ? ["--format", "taskwarrior"] : []
    _ = stage.run(["export", "-o", file.name] + format)
    let (status, log) = (stage.answer("status"), stage.answer("log", "--all"))
    let told = stage.run(["import", file.name] + format + options)
    #expect(
      told.output == "Read \(file.count) records as \(file.title): \(file.count) unchanged.\n")
    #expect(stage.answer("status") == status)
    #expect(stage.answer("log", "--all") == log)
  }

  @Test func `Unchanged file: an imported to-do that was edited here writes no event either`()
    throws
  {
    let stage = Stage()
    try stage.put("- [ ] Bins 🔁 every week 📅 2026-11-21\n", as: "a.md")
    _ = stage.answer("import", "a.md")
    _ = stage.answer("edit", "Bins", "--title", "Bottles")
    _ = stage.answer("export", "-o", "own.md")
    let log = stage.answer("log", "--all")
    #expect(
      stage.answer("import", "own.md") == "Read 1 record as a Markdown check list: 1 unchanged.\n")
    #expect(stage.answer("log", "--all") == log)
    // The file of the other program has not changed, so the title stays.
    try stage.put("- [ ] Bins 🔁 every week 📅 2026-11-21\n\n", as: "a.md")
    #expect(stage.answer("import", "a.md").contains("1 is newer in the book"))
    #expect(stage.answer("list", "todos").contains("Bottles"))
  }

  @Test func `Unchanged file: a new state of another book is counted, and undo takes it back`()
    throws
  {
    let (ada, bob) = (Stage(seed: 1), Stage(seed: 2))
    _ = ada.run("add", "Mop")
    _ = ada.run("export", "-o", "todo.txt")
    try bob.put(try ada.text(of: "todo.txt"), as: "todo.txt")
    _ = bob.run("import", "todo.txt")
    for stage in [ada, bob] { _ = stage.answer("edit", "Mop", "--title", "Sweep") }
    _ = bob.run("export", "-o", "todo.txt", "--force")
    try ada.put(try bob.text(of: "todo.txt"), as: "todo.txt")
    #expect(
      ada.answer("import", "todo.txt", "-n")
        == "Read as todo.txt: other data of 1 record kept as text. Nothing was written.\n")
    #expect(
      ada.answer("import", "todo.txt")
        == "Read 1 record as todo.txt: kept other data of 1 record as text. "
        + "To undo this import, run 'daybook undo'.\n")
    #expect(ada.answer("undo").hasPrefix("Undone: "))
  }
}
