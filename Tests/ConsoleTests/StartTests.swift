import Bytes
import Phrasing
import Testing

/// To-dos that are hidden until their start; today is Friday, 2026-11-20.
struct StartTests {
  private func start(_ stage: Stage, _ words: String) throws -> JSON? {
    try JSON(parsing: Array(stage.answer("show", words, "--json").utf8))["start"]
  }

  @Test func `Start: a date hides a to-do until that day, and the receipt says so`() throws {
    let stage = Stage()
    #expect(
      stage.answer("add", "todo", "Paint", "--start", "mon")
        .hasSuffix(" Paint, hidden until Mon 2026-11-23 (in 3 days).\n"))
    #expect(try start(stage, "paint") == "2026-11-23")
    #expect(stage.answer("show", "paint").contains("2026-11-23"))
    #expect(stage.answer("list", "todos") == "")
    #expect(
      stage.answer("edit", "paint", "--start", "2026-12-01")
        .hasSuffix(" Paint: hidden until Tue 2026-12-01 (in 11 days).\n"))
    for clearing in ["none", ""] {
      _ = stage.answer("edit", "paint", "--start", "2026-12-01")
      #expect(
        stage.answer("edit", "paint", "--start", clearing).hasSuffix(" Paint: start none.\n"))
      #expect(try start(stage, "paint") == .null)
    }
    #expect(stage.answer("list", "todos").contains("Paint"))
    #expect(
      stage.answer("edit", "paint", "--start", "today").hasSuffix(
        " Paint: start Fri 2026-11-20.\n"))
  }

  @Test func `Start: days and weeks count back from the due date`() throws {
    let stage = Stage()
    #expect(
      stage.answer("add", "todo", "Renew", "--due", "2026-12-24", "--start", "-2w")
        .hasSuffix(
          " Renew, due Thu 2026-12-24 (in 34 days), hidden until Thu 2026-12-10 (in 20 days).\n"))
    _ = stage.answer("edit", "renew", "--start", "-3d")
    #expect(try start(stage, "renew") == "2026-12-21")
    _ = stage.answer("edit", "renew", "--start", "-1w", "--due", "2027-01-10")
    #expect(try start(stage, "renew") == "2027-01-03")
    _ = stage.answer("edit", "renew", "--start", "-0d")
    #expect(try start(stage, "renew") == "2027-01-10")
  }

  @Test func `Start: words that have no meaning are refused with a reason`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Paint")
    let wrong: [([String], String)] = [
      (
        ["edit", "paint", "--start", "-3d"],
        "the to-do needs a complete due date that is late enough. Set one with --due DATE."
      ),
      (["add", "todo", "x", "--start", "-3d"], "but the to-do has none. Add --due DATE."),
      (
        ["edit", "paint", "--start", "-3d", "--due", ""],
        "the to-do needs a complete due date that is late enough. Set one with --due DATE."
      ),
      (["edit", "paint", "--start", "-3x"], "such as -3d or -2w."),
      (["edit", "paint", "--start=-d"], "such as -3d or -2w."),
      (
        ["edit", "paint", "--start", "-3d", "--due", "2026-12"],
        "the to-do needs a complete due date"
      ),
      (["edit", "paint", "--start", "waffles"], "waffles"),
    ]
    for (words, reason) in wrong {
      let outcome = stage.run(words)
      #expect(outcome.code == .refused && outcome.error.contains(reason), "\(words): \(outcome)")
    }
  }

  @Test func `Start: a start after the due date hides a to-do only until the due date`() throws {
    let stage = Stage()
    #expect(
      stage.answer("add", "todo", "Post", "--due", "2026-12-01", "--start", "2026-12-05")
        .hasSuffix(", hidden until it is due, because the start, Sat 2026-12-05, is later.\n"))
    #expect(stage.answer("at", "2026-11-30", "list", "todos") == "")
    #expect(stage.answer("at", "2026-12-01", "list", "todos").contains("Post"))
    #expect(
      stage.answer("add", "todo", "Call", "--due", "today", "--start", "2026-12-05")
        .hasSuffix(
          ", start Sat 2026-12-05, which never hides it, because it is already due.\n"))
    #expect(stage.answer("list", "todos").contains("Call"))
  }
}
