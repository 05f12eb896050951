import Console
import Phrasing
import Platform
import Testing

/// Data that an export omits is always reported.
struct LeftOutOfExportTests {
  private func stage() -> Stage {
    let stage = Stage()
    try? stage.disk.makeDirectories(Path("/home/ada"))
    return stage
  }

  private func lists(_ stage: Stage) {
    _ = stage.run("add", "list", "Home", "--colour", "#ff0000")
    _ = stage.run("edit", "Home", "--note", "n", "--tags", "t")
    _ = stage.run("add", "todo", "Sweep", "--list", "Home")
    _ = stage.run("add", "todo", "Mop", "--list", "Home")
    _ = stage.run("move", "Mop", "--before", "Sweep")
  }

  @Test(arguments: [
    (
      "markdown", "a Markdown check list",
      "1 given time of day when a to-do was added, 1 position, "
        + "1 time of day when a to-do was done, 1 list's note, 1 list's tags, 1 colour of a list"
    ),
    (
      "todotxt", "todo.txt",
      "1 given time of day when a to-do was added, 1 position, "
        + "1 time of day when a to-do was done, 1 list's note, 1 list's tags, 1 colour of a list"
    ),
    (
      "taskwarrior", "Taskwarrior's JSON",
      "1 position, 1 list's note, 1 list's tags, 1 colour of a list"
    ),
    ("ics", "iCalendar", "1 list's note, 1 list's tags, 1 colour of a list"),
  ])
  func `Export losses: list fields and to-do positions are reported`(
    format: String, title: String, lost: String
  ) {
    let stage = stage()
    lists(stage)
    _ = stage.run("done", "Mop")
    _ = stage.run("edit", "Sweep", "--created-at", "2026-11-01T08:30:00Z")
    #expect(
      stage.run("export", "--format", format).error
        == "daybook: \(title) has no place for the following, so it was left out: \(lost).\n")
  }

  @Test(arguments: ["ics", "todotxt", "taskwarrior", "markdown"])
  func `Export losses: a due month or year is reported where only days fit`(format: String) throws {
    let stage = stage()
    _ = stage.run("add", "todo", "Rent", "--due", "2026-12")
    _ = stage.run("add", "todo", "Tax", "--due", "2026-12-24")
    #expect(
      stage.run("export", "--format", format).error.hasSuffix(
        "has no place for the following, so it was left out: 1 due month or year.\n"))
    _ = stage.run("export", "-o", "e.csv")
    _ = stage.run("-C", "other", "import", "e.csv")
    #expect(stage.answer("-C", "other", "show", "Rent").contains("2026-12"))
  }

  @Test func `Export losses: without ids, todo.txt has no parents`() {
    let stage = stage()
    _ = stage.run("add", "todo", "Passport")
    _ = stage.run("add", "todo", "Photo", "--under", "Passport", "--due", "2026-12-01 17:00")
    let outcome = stage.run("export", "--format", "todotxt", "--no-ids")
    #expect(outcome.output == "2026-11-20 Passport\n2026-11-20 Photo due:2026-12-01T17:00\n")
    #expect(
      outcome.error
        == "daybook: todo.txt has no place for the following, so it was left out: 1 parent of a sub-task.\n"
    )
    #expect(stage.run("export", "--format", "todotxt").error == "")
  }

  @Test func `Export losses: control characters are reported for calendars and cards`() {
    let stage = stage()
    _ = stage.run("add", "todo", "a\u{1B}b")
    _ = stage.run("add", "birthday", "A\u{1B}da", "1815-12-10")
    #expect(
      stage.run("export", "--format", "ics").error
        == "daybook: iCalendar has no place for the following, so it was left out: 2 control characters.\n"
    )
    #expect(
      stage.run("export", "--format", "vcard", "--kind", "birthdays").error
        == "daybook: vCard has no place for the following, so it was left out: 1 control character.\n"
    )
  }

  @Test func `Export losses: a Markdown heading without to-dos is reported on import`()
    throws
  {
    let stage = stage()
    _ = stage.run("add", "list", "Empty")
    _ = stage.run("export", "-o", "lists.md")
    let other = Stage(seed: 2)
    try other.put(stage.text(of: "lists.md"), as: "lists.md")
    #expect(
      other.run("import", "lists.md").output.contains("Ignored 1 heading without a to-do."))
  }

  @Test func `Export losses: picks are called picks, and a count of one uses the singular`() {
    let stage = stage()
    _ = stage.run("add", "question", "Lunch?", "Soup", "Rice")
    _ = stage.run("pick", "Lunch?")
    #expect(stage.run("export", "--format", "csv").error.contains(": 1 pick.\n"))
    _ = stage.run("add", "list", "Home")
    #expect(
      stage.answer("export", "--kind", "lists", "-o", "one.jsonl")
        == "Wrote 1 operation to /home/ada/one.jsonl.\n")
  }

  @Test func `Export losses: with --kind, named records that are not in the file are reported`() {
    let stage = stage()
    _ = stage.run("add", "todo", "Sweep", "--list", "Home")
    _ = stage.run("add", "todo", "Dig", "--list", "Garden")
    #expect(
      stage.run("export", "--kind", "todos").error
        == "daybook: the file names 2 lists that are not in it, "
        + "so only a book that has them can import every line. '--kind lists' adds them.\n")
    #expect(stage.run("export", "--kind", "todos", "--kind", "lists").error == "")
    #expect(stage.run("export", "--kind", "lists").error == "")
  }

  @Test(arguments: ["ops", "csv", "markdown", "todotxt", "taskwarrior", "ics"])
  func `Export losses: the ignored parent of to-dos under each other is reported`(
    format: String
  ) throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "Sweep", "--under", "Mop")
    let sentence =
      "daybook: 1 parent of a sub-task was left out, because to-dos cannot be sub-tasks of each other.\n"
    #expect(!stage.run("export", "--format", format).error.contains("each other"))
    _ = stage.answer("-C", "phone", "edit", "Mop", "--under", "Sweep")
    stage.meet()
    #expect(stage.run("export", "--format", format).error.contains(sentence))
    let birthdays = stage.run("export", "--format", "ops", "--kind", "birthdays")
    #expect(!birthdays.error.contains("each other"))
  }

  @Test(arguments: ["ops", "csv", "markdown", "todotxt", "taskwarrior", "ics"])
  func `Export losses: a to-do that was merged with its sub-task loses nothing`(format: String) {
    let stage = stage()
    _ = stage.run("add", "todo", "Trip")
    _ = stage.run("add", "todo", "Pack", "--under", "Trip")
    _ = stage.run("merge", "Trip", "Pack")
    #expect(stage.run("export", "--format", format).error == "")
  }

  @Test(arguments: [["--list", "Shop"], ["--open"]])
  func `Export losses: operations without a parent that is not exported are reported`(
    options: [String]
  ) {
    let stage = stage()
    _ = stage.run("add", "list", "Shop")
    _ = stage.run("add", "todo", "Passport")
    _ = stage.run("add", "todo", "Photo", "--under", "Passport", "--list", "Shop")
    _ = stage.run("done", "Passport", "--only")
    #expect(stage.run("export").error == "")
    #expect(
      stage.run(["export"] + options).error
        == "daybook: 1 parent of a sub-task was left out, because it is not exported itself.\n")
    // Other formats name the parent by its id.
    #expect(stage.run(["export", "--format", "csv"] + options).error == "")
  }

  @Test(arguments: ["ops", "csv", "markdown", "todotxt", "taskwarrior", "ics"])
  func `Export losses: unsettled values other than the shown one are reported`(
    format: String
  ) throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Sweep here")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Sweep there")
    stage.meet()
    #expect(
      stage.run("export", "--format", format).error == """
        daybook: 1 field is in conflict, and only the shown value is written; \
        'daybook conflicts' lists all values.

        """)
    #expect(stage.run("export", "--format", format, "--kind", "lists").error == "")
  }

  @Test func `Export losses: events that operations cannot express are counted`() {
    let stage = stage()
    _ = stage.run("add", "list", "Home")
    _ = stage.run("add", "list", "House")
    #expect(stage.run("merge", "Home", "House").code == .done)
    #expect(
      stage.run("export", "--events").error
        == "daybook: operations have no place for the following, so it was left out: 1 event.\n")
  }
}
