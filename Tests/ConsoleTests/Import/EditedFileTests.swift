import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Messages about exported files that were edited and imported again.
struct EditedFileTests {
  private static let undo = " To undo this import, run 'daybook undo'.\n"

  private func stage() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    return stage
  }

  /// Exports a file, edits its text, and imports it.
  private func edited(
    _ stage: Stage, _ name: String, _ edit: (String) -> String
  ) throws -> Stage.Outcome {
    _ = stage.run("export", "-o", name, "--force")
    try stage.put(edit(stage.text(of: name)), as: name)
    return stage.run("import", name)
  }

  @Test(arguments: [false, true])
  func `Edited table: a copied row is a new record, and the original is unchanged`(
    isFirst: Bool
  ) throws {
    let stage = try stage()
    _ = stage.run("add", "todo", "Bread", "--list", "Home", "--note", "rye")
    let told = try edited(stage, "e.csv") { text in
      let lines = text.split(separator: "\r\n").map(String.init)
      let row = lines.first { $0.contains("Bread") } ?? ""
      let copy = row.replacing("Bread", with: "Bread copy")
      return lines.map { line in
        if line != row { return line }
        return isFirst ? copy + "\r\n" + row : row + "\r\n" + copy
      }.joined(separator: "\r\n") + "\r\n"
    }
    #expect(
      told.output == "Read 3 records as CSV: added 1, 2 unchanged." + Self.undo)
    let todos = stage.answer("list", "todos")
    #expect(todos.ranges(of: "Bread").count == 2)
    #expect(todos.ranges(of: "Bread copy").count == 1)
  }

  @Test(arguments: ["txt", "csv", "md", "ics", "json"])
  func `Edited file: an older export changes nothing and is reported as outdated`(
    suffix: String
  ) throws {
    let stage = try stage()
    _ = stage.run("add", "todo", "Bread")
    _ = stage.run("add", "todo", "Milk")
    _ = stage.run("export", "-o", "old.\(suffix)")
    _ = stage.run("edit", "Bread", "--title", "Rye")
    let log = stage.answer("log")
    let plan = stage.run("import", "old.\(suffix)", "-n")
    #expect(plan.output.contains("1 same, 1 newer in the book"), "\(plan.output)")
    let told = stage.run("import", "old.\(suffix)")
    #expect(
      told.output.contains(": 1 unchanged, 1 is newer in the book."),
      "\(told.output)")
    #expect(stage.answer("log") == log)
    #expect(stage.answer("undo").contains("Bread"))
  }

  @Test(arguments: ["txt", "csv", "md", "ics", "json"])
  func `Edited file: a field that both sides changed keeps its value and is reported`(
    suffix: String
  ) throws {
    let stage = try stage()
    _ = stage.run("add", "todo", "Milk")
    _ = stage.run("add", "todo", "Bread")
    let format = suffix == "json" ? ["--format", "taskwarrior"] : []
    _ = stage.run(["export", "-o", "e.\(suffix)"] + format)
    _ = stage.run("edit", "Milk", "--title", "Oat milk")
    _ = stage.run("edit", "Bread", "--priority", "high")
    let text = try stage.text(of: "e.\(suffix)").replacing("Milk", with: "Soy milk")
      .replacing("Bread", with: "Rye bread")
    try stage.put(text, as: "f.\(suffix)")
    for words in [["import", "-n", "f.\(suffix)"], ["import", "f.\(suffix)"]] {
      let told = stage.run(words + format)
      #expect(
        told.error.contains("title of 'Oat milk' was changed in both the book and the file"),
        "\(told)")
    }
    let todos = stage.answer("list", "todos")
    #expect(todos.contains("Oat milk") && todos.contains("Rye bread"))
    _ = stage.run(["import", "f.\(suffix)", "--file-wins"] + format)
    #expect(stage.answer("list", "todos").contains("Soy milk"))
  }

  @Test func `Edited file: a field of another program that both sides changed keeps its value`()
    throws
  {
    let stage = try stage()
    try stage.put("Title,Note\nMilk,two\n", as: "e.csv")
    _ = stage.run("import", "e.csv")
    _ = stage.run("edit", "Milk", "--note", "three")
    try stage.put("Title,Note\nMilk,four\n", as: "e.csv")
    let told = stage.run("import", "e.csv")
    #expect(
      told.error.contains("note of 'Milk' was changed in both the book and the file"), "\(told)")
    #expect(stage.answer("show", "Milk").contains("three"))
  }

  @Test func `Edited file: an emptied cell without base marks is reported as kept`() throws {
    let stage = try stage()
    _ = stage.run("add", "todo", "Milk", "--note", "hello")
    let id = try #require(
      stage.answer("export", "--format", "csv").split(separator: "\r\n").last?
        .split(separator: ",").dropFirst().first)
    try stage.put("Id,Title,Note\n\(id),Milk,\n", as: "e.csv")
    let told = stage.run("import", "e.csv")
    #expect(
      told.error == """
        daybook: line 2: note of 'Milk' is missing from the file, which does not say whether it was removed; \
        the book keeps 'hello'.

        """)
    #expect(
      told.output == """
        The book keeps its values. Change that field by hand, or use --file-wins to use the values in the file.
        Read 1 record as CSV: left 1 field unchanged.

        """)
    let taken = stage.answer("import", "e.csv", "--file-wins")
    #expect(taken.hasPrefix("Read 1 record as CSV: edited 1"))
    #expect(!stage.answer("show", "Milk").contains("hello"))
  }

  @Test(arguments: [
    ("e.ics", "SUMMARY:Ada Lovelace", "SUMMARY:Ada King"),
    ("e.vcf", "FN:Ada Lovelace", "FN:Ada King"), ("e.vcf", "N:Lovelace;Ada", "N:King;Ada"),
  ])
  func `Edited file: a birthday's name changed in one property is imported`(
    name: String, old: String, new: String
  ) throws {
    let stage = try stage()
    _ = stage.run("add", "birthday", "Ada Lovelace", "1815-12-10")
    let told = try edited(stage, name) { $0.replacing("\r\n" + old, with: "\r\n" + new) }
    #expect(told.output.contains(": edited 1." + Self.undo))
    #expect(stage.answer("list", "birthdays").contains("Ada King"))
    let again = try edited(stage, name) { $0 }
    #expect(again.output.hasSuffix(": 1 unchanged.\n"))
    _ = try edited(stage, name) { $0.replacing("END:V", with: "X-OTHER:1\r\nEND:V") }
    #expect(stage.answer("list", "birthdays").contains("Ada King"))
  }

  @Test func `Edited file: a prefix in a card's full name is not a change`()
    throws
  {
    let stage = try stage()
    try stage.put(
      """
      BEGIN:VCARD\r
      VERSION:3.0\r
      UID:u1\r
      FN:Dr. Ada Lovelace\r
      N:Lovelace;Ada;;Dr.;\r
      BDAY:1815-12-10\r
      END:VCARD\r

      """, as: "c.vcf")
    _ = stage.run("import", "c.vcf")
    let other = try edited(stage, "e.vcf") { $0.replacing("END:V", with: "TEL:1\r\nEND:V") }
    #expect(
      other.output == "Read 1 record as vCard: kept other data of 1 record as text." + Self.undo)
    #expect(stage.answer("list", "birthdays").contains("  Ada Lovelace  "))
    let king = try edited(stage, "e.vcf") {
      $0.replacing("FN:Dr. Ada Lovelace", with: "FN:Ada King")
    }
    #expect(king.output == "Read 1 record as vCard: edited 1." + Self.undo)
    let card = stage.answer("export", "--format", "vcf")
    #expect(card.contains("\r\nFN:Ada King\r\nN:King;Ada;;Dr.;\r\n"))
  }

  @Test func `Edited file: a cell without a field is reported as kept text`() throws {
    let stage = try stage()
    _ = stage.run("add", "list", "Home")
    _ = stage.run("add", "todo", "Sweep")
    let told = try edited(stage, "e.csv") { text in
      text.split(separator: "\r\n").map { line in
        line.contains("Home") ? line.replacing(",,", with: ",House,", maxReplacements: 1) : line
      }.joined(separator: "\r\n") + "\r\n"
    }
    #expect(
      told.output
        == "Read 2 records as CSV: 1 unchanged, kept other data of 1 record as text."
        + Self.undo)
    #expect(
      stage.answer("export", "--format", "csv").contains("House"))
  }

  /// A book with a to-do that repeats every day from the day of the test, and its file after a change.
  private func gym(_ name: String, _ old: String, _ new: String) throws -> Stage {
    let stage = try stage()
    _ = stage.answer("add", "Gym", "--repeat", "daily", "--due", "2026-11-20")
    _ = stage.answer("export", "-o", name)
    let text = try stage.text(of: name)
    try #require(text.contains(old))
    try stage.put(text.replacing(old, with: new), as: name)
    return stage
  }

  @Test func `Edited calendar: a completed date of a repeating to-do counts as a change`() throws {
    let stage = try gym("e.ics", "NEEDS-ACTION", "COMPLETED")
    #expect(
      stage.answer("import", "e.ics", "-n") == """
        changed  todo  Gym  due 2026-11-21
        Read as iCalendar: 1 changed. Nothing was written.

        """)
    #expect(
      stage.answer("import", "e.ics") == "Read 1 record as iCalendar: edited 1." + Self.undo)
  }

  @Test(arguments: [
    ("e.txt", "due:2026-11-20", "due:2026-11-25"), ("e.md", "📅 2026-11-20", "📅 2026-11-25"),
    ("e.ics", "DUE;VALUE=DATE:20261120", "DUE;VALUE=DATE:20261125"),
  ])
  func `Edited file: the plan shows the new due date of a repeating to-do`(
    name: String, old: String, new: String
  ) throws {
    let stage = try gym(name, old, new)
    let plan = stage.answer("import", name, "-n")
    #expect(plan.hasPrefix("changed  todo  Gym  due 2026-11-25\n"), "\(plan)")
    _ = stage.answer("import", name)
    let todo = try JSON(parsing: Array(stage.answer("show", "Gym", "--json").utf8))
    let told: [JSON?] = ["due", "start", "done"].map { todo[$0] }
    #expect(told == ["2026-11-25", .null, false])
  }

  @Test(arguments: [
    ("e.md", "- [-]", "- [ ]"), ("e.ics", "STATUS:CANCELLED", "STATUS:NEEDS-ACTION"),
  ])
  func `Edited file: opening a to-do whose repeats have ended is reported`(
    name: String, old: String, new: String
  ) throws {
    let stage = try stage()
    _ = stage.answer("add", "Gym", "--repeat", "daily")
    _ = stage.answer("cancel", "Gym")
    let told = try edited(stage, name) { $0.replacing(old, with: new) }
    #expect(
      told.error.hasSuffix(
        """
        it is open in the file, but all dates of its series were already closed in the book, and an import does \
        not reopen them; to reopen the last one, run: daybook undone ID.

        """), "\(told)")
    #expect(stage.answer("list", "todos", "--all").contains("[-]"))
  }
}
